package dev.ply.table;

import dev.ply.target.KernelSymbols;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols;
import dev.ply.text.TextBuffer;
import java.util.Optional;

/** Formats stack traces, a frame per line, in the format of their mode. */
public final class StackFormat {
  private StackFormat() {}

  static void append(TextBuffer out, Datum.Stack stack, KernelSymbols symbols) {
    out.append('\n');
    appendFrames(out, stack, symbols);
  }

  /** Writes the kernel's frames, then those of the process. */
  static void append(TextBuffer out, Datum.BothStacks both, KernelSymbols symbols) {
    out.append('\n');
    for (Datum one : both.present()) {
      if (one instanceof Datum.Stack stack) {
        appendFrames(out, stack, symbols);
      } else if (one instanceof Datum.UserStack stack) {
        appendFrames(out, stack);
      } else if (one instanceof Datum.MissingStack stack) {
        out.append("\t<").append(side(stack)).append(" stack not stored>\n");
      }
    }
    if (both.present().isEmpty()) {
      out.append("\t<no stack>\n");
    }
  }

  private static void appendFrames(TextBuffer out, Datum.Stack stack, KernelSymbols symbols) {
    for (long address : stack.addresses()) {
      begin(out, stack.mode(), address);
      if (stack.mode() == StackMode.FUNCTIONS) {
        appendFunction(out, symbols, address);
      } else if (stack.mode() != StackMode.RAW) {
        DatumFormat.appendSymbol(out, symbols, address, Long.BYTES);
      }
      out.append('\n');
    }
  }

  private static void appendFunction(TextBuffer out, KernelSymbols symbols, long address) {
    Optional<Symbol> symbol = symbols.at(address);
    if (symbol.isPresent()) {
      out.appendEscaped(symbol.get().shown());
    } else {
      DatumFormat.appendSymbol(out, symbols, address, Long.BYTES);
    }
  }

  static void append(TextBuffer out, Datum.UserStack stack) {
    out.append('\n');
    appendFrames(out, stack);
  }

  private static String text(UserSymbols.Frame frame, StackMode mode) {
    boolean isNameAlone =
        mode == StackMode.FUNCTIONS
            || (mode == StackMode.LINES
                && frame.java().isPresent()
                && frame.location().line().isPresent());
    return isNameAlone && frame.symbol().isPresent()
        ? frame.symbol().get().shown()
        : frame.toString();
  }

  private static void appendFrames(TextBuffer out, Datum.UserStack stack) {
    for (UserSymbols.Frame frame : stack.frames()) {
      begin(out, stack.mode(), frame.address());
      if (stack.mode() == StackMode.PERF) {
        out.appendEscaped(frame.symbol().map(Object::toString).orElse("[unknown]"));
        frame.binary().ifPresent(binary -> out.append(" (").appendEscaped(binary).append(')'));
      } else if (stack.mode() == StackMode.BUILD_ID) {
        appendPosition(out, frame);
      } else if (stack.mode() != StackMode.RAW) {
        out.appendEscaped(text(frame, stack.mode()));
      }
      if (stack.mode() == StackMode.LINES) {
        appendLine(out, frame);
      }
      out.append('\n');
    }
  }

  /** Writes why the trace is missing; the id if the kernel has replaced the trace. */
  static void append(TextBuffer out, Datum.MissingStack stack) {
    if (stack.id() >= 0) {
      out.append("<STACKID").append(stack.id()).append('>');
      return;
    }
    switch (stack.reason()) {
      case NO_STACK -> out.append("\n\t<no ").append(side(stack)).append(" stack>\n");
      case LOST -> out.append("\n\t<stack not stored>\n");
    }
  }

  private static String side(Datum.MissingStack stack) {
    return stack.side() == Datum.MissingStack.Side.USER ? "user" : "kernel";
  }

  /**
   * Writes the source line, where debug information has it.
   *
   * @param out receives the line
   * @param frame of a process
   */
  public static void appendLine(TextBuffer out, UserSymbols.Frame frame) {
    frame.location().line().ifPresent(line -> out.append('@').append(line.toString()));
  }

  /**
   * Writes the position in the file; the address of code whose file has no build ID.
   *
   * @param out receives the position
   * @param frame of a process
   */
  public static void appendPosition(TextBuffer out, UserSymbols.Frame frame) {
    frame
        .location()
        .position()
        .ifPresentOrElse(
            position -> out.append(position.toString()), () -> out.appendHex(frame.address()));
  }

  private static void begin(TextBuffer out, StackMode mode, long address) {
    switch (mode) {
      case PLY, BUILD_ID, FUNCTIONS -> out.append('\t');
      case BPFTRACE, LINES -> out.append("    ");
      case PERF -> out.append('\t').appendHex(address).append(' ');
      case RAW -> out.append('\t').appendHex(address);
    }
  }
}
