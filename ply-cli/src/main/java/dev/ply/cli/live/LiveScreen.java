package dev.ply.cli.live;

import dev.ply.cli.io.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Attributes.InputFlag;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * The terminal while the view is shown: its second screen, without cursor and echo. Leaving
 * restores it. Thread-safe.
 */
final class LiveScreen implements AutoCloseable {
  private final Terminal terminal;
  private final Attributes usual;
  private final Display display;
  private boolean isEntered;
  private Size size;

  private LiveScreen(Terminal terminal) {
    this.terminal = terminal;
    this.usual = terminal.getAttributes();
    this.display = new Display(terminal, true);
    this.size = terminal.getSize();
  }

  /**
   * Opens the terminal of this process, and leaves it as it is.
   *
   * @throws UsageException if there is none that can show a view
   */
  static LiveScreen open() throws UsageException {
    // Lines are characters of Unicode, or ASCII.
    System.setProperty(TerminalBuilder.PROP_DISABLE_ALTERNATE_CHARSET, "true");
    try {
      Terminal terminal =
          TerminalBuilder.builder()
              .system(true)
              .systemOutput(TerminalBuilder.SystemOutput.ForcedSysOut)
              // By stty: it is everywhere, and no library is unpacked where others could change it.
              .provider("exec")
              .dumb(false)
              .nativeSignals(false)
              .graphemeCluster(false)
              .encoding(StandardCharsets.UTF_8)
              .build();
      if (terminal.getStringCapability(Capability.cursor_address) == null) {
        terminal.close();
        throw new UsageException(
            "--live needs a terminal that can move its cursor, and TERM is \""
                + terminal.getType()
                + "\": leave out --live, or set TERM");
      }
      return new LiveScreen(terminal);
    } catch (IOException | IllegalStateException e) {
      throw new UsageException(
          "--live cannot use this terminal: " + e.getMessage() + "; leave out --live");
    }
  }

  /** Returns the number of colours in the terminal's description. */
  int colours() {
    Integer colours = terminal.getNumericCapability(Capability.max_colors);
    return colours == null ? 0 : colours;
  }

  NonBlockingReader keys() {
    return terminal.reader();
  }

  synchronized Size size() {
    return size;
  }

  /** Begins to show the view. */
  synchronized void enter() {
    if (!isEntered) {
      isEntered = true;
      terminal.setAttributes(keysAtOnce());
      terminal.puts(Capability.enter_ca_mode);
      terminal.puts(Capability.cursor_invisible);
      resized();
    }
  }

  /** Returns keys without echo and without waiting for lines; those for signals still send them. */
  private Attributes keysAtOnce() {
    Attributes raw = new Attributes(usual);
    raw.setLocalFlags(EnumSet.of(LocalFlag.ICANON, LocalFlag.ECHO, LocalFlag.IEXTEN), false);
    raw.setInputFlags(EnumSet.of(InputFlag.IXON, InputFlag.ICRNL, InputFlag.INLCR), false);
    raw.setControlChar(ControlChar.VMIN, 0);
    raw.setControlChar(ControlChar.VTIME, 1);
    return raw;
  }

  /** The terminal may have another size. */
  synchronized void resized() {
    size = terminal.getSize();
    display.resize(size);
    redrawn();
  }

  /** All of the next frame is written: something else may have written to the terminal. */
  synchronized void redrawn() {
    terminal.puts(Capability.clear_screen);
    display.reset();
  }

  /** Writes what has changed since the last frame. */
  synchronized void show(List<AttributedString> lines) {
    if (isEntered) {
      display.update(lines, 0);
    }
  }

  /** Restores the terminal; may be called any number of times. */
  synchronized void leave() {
    if (isEntered) {
      isEntered = false;
      terminal.puts(Capability.exit_attribute_mode);
      terminal.puts(Capability.exit_ca_mode);
      terminal.puts(Capability.cursor_normal);
      terminal.flush();
      terminal.setAttributes(usual);
    }
  }

  @Override
  public void close() {
    leave();
    try {
      terminal.close();
    } catch (IOException e) {
      // It is gone already.
      return;
    }
  }
}
