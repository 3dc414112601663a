package dev.ply.kernel.tracefs;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/**
 * A kprobe or uprobe made by writing to tracefs, and the owner of its entry there. The name of its
 * group is nobody else's and says which process it belongs to: see {@link StaleEvents}.
 */
public final class DynamicEvent implements AutoCloseable {
  private static final Path PROC = Path.of("/proc");

  /** After the last user of an event closes, the kernel may need a while to let it go. */
  private static final int REMOVALS = 20;

  private static final long PAUSE_NANOS = 1_000_000;

  private static final Control KERNEL =
      new Control("kprobe_events", "probes of its functions (CONFIG_KPROBE_EVENTS)");
  private static final Control USER =
      new Control("uprobe_events", "probes of programs (CONFIG_UPROBE_EVENTS)");

  /** The file that probes of a kind are made with, and what they are called where it is missing. */
  private record Control(String file, String feature) {}

  private final Path control;
  private final String name;
  private final int id;
  private boolean removed;

  private DynamicEvent(Path control, String name, int id) {
    this.control = control;
    this.name = name;
    this.id = id;
  }

  /**
   * Makes a probe at a function's entry.
   *
   * @param location a function with an offset if needed, as in {@code vfs_read+8}
   * @throws KernelException if the kernel refuses
   * @throws UnreadableTargetException if it has no such probes
   */
  public static DynamicEvent entry(Tracefs tracefs, String location) {
    return create(tracefs, KERNEL, "p", location);
  }

  /**
   * Makes a probe at a function's return.
   *
   * @param maxActive how many calls at once it follows; empty for the kernel's own choice
   * @throws KernelException if the kernel refuses
   * @throws UnreadableTargetException if it has no such probes
   */
  public static DynamicEvent exit(Tracefs tracefs, String function, OptionalInt maxActive) {
    String calls = maxActive.isPresent() ? String.valueOf(maxActive.getAsInt()) : "";
    return create(tracefs, KERNEL, "r" + calls, function);
  }

  /**
   * Makes a probe at an instruction of a program or library.
   *
   * @param location file and offset, as in {@code /bin/bash:0x31f00}
   * @throws KernelException if the kernel refuses
   * @throws UnreadableTargetException if it has no such probes
   */
  public static DynamicEvent userEntry(Tracefs tracefs, String location) {
    return create(tracefs, USER, "p", location);
  }

  /**
   * Makes a probe at the return from a function of a program or library.
   *
   * @throws KernelException if the kernel refuses
   * @throws UnreadableTargetException if it has no such probes
   */
  public static DynamicEvent userExit(Tracefs tracefs, String location) {
    return create(tracefs, USER, "r", location);
  }

  /** Returns the number by which perf_event_open(2) knows the event. */
  public int id() {
    return id;
  }

  /** Returns the name in tracefs, {@code group/event}. */
  public String name() {
    return name;
  }

  /**
   * Removes the event; it must not be in use any more. The second time does nothing.
   *
   * @throws UnreadableTargetException if the kernel keeps it
   */
  @Override
  public synchronized void close() {
    if (removed) {
      return;
    }
    for (int attempt = 1; !removed; attempt++) {
      try {
        SystemCalls.append(control, "-:" + name + "\n", "removal of " + name);
        removed = true;
      } catch (KernelException e) {
        if (attempt == REMOVALS) {
          throw new UnreadableTargetException(
              name + " stays behind in " + control + ": " + e.getMessage());
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static DynamicEvent create(Tracefs tracefs, Control which, String kind, String location) {
    String group = ProcessIdentity.self(PROC).newName();
    String name = group + "/probe";
    Path control = tracefs.file(which.file());
    if (!Files.isRegularFile(control)) {
      throw new UnreadableTargetException("this kernel was built without " + which.feature());
    }
    String line = kind + ":" + name + " " + location;
    SystemCalls.append(control, line + "\n", which.file() + " of \"" + line + "\"");
    try {
      String id = Files.readString(tracefs.file("events", group, "probe", "id"));
      return new DynamicEvent(control, name, Integer.parseInt(id.strip()));
    } catch (IOException | NumberFormatException e) {
      new DynamicEvent(control, name, 0).close();
      throw new UnreadableTargetException("the number of " + name + " cannot be read");
    }
  }
}
