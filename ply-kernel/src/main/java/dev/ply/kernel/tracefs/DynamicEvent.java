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
 * A kprobe or uprobe created through tracefs, which owns its event. Its unique group name
 * identifies this process: see {@link StaleEvents}.
 */
public final class DynamicEvent implements AutoCloseable {
  private static final Path PROC = Path.of("/proc");

  /** The kernel can release an event with a delay after its last user closes it. */
  private static final int REMOVALS = 20;

  private static final long PAUSE_NANOS = 1_000_000;

  private static final Control KERNEL =
      new Control("kprobe_events", "probes of kernel functions (CONFIG_KPROBE_EVENTS)");
  private static final Control USER =
      new Control("uprobe_events", "probes of programs (CONFIG_UPROBE_EVENTS)");

  /** The control file of a kind of probe, and the feature for messages. */
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
   * Creates a probe at a function's entry.
   *
   * @param location a function, with an offset if needed: {@code vfs_read+8}
   * @throws KernelException if the kernel refuses
   * @throws UnreadableTargetException if the kernel lacks such probes
   */
  public static DynamicEvent entry(Tracefs tracefs, String location) {
    return create(tracefs, KERNEL, "p", location);
  }

  /**
   * Creates a probe at a function's return.
   *
   * @param maxActive how many concurrent calls it tracks; empty for the kernel's default
   * @throws KernelException if the kernel refuses
   * @throws UnreadableTargetException if the kernel lacks such probes
   */
  public static DynamicEvent exit(Tracefs tracefs, String function, OptionalInt maxActive) {
    String calls = maxActive.isPresent() ? String.valueOf(maxActive.getAsInt()) : "";
    return create(tracefs, KERNEL, "r" + calls, function);
  }

  /**
   * Creates a probe at an instruction of a program or library.
   *
   * @param location file and offset: {@code /bin/bash:0x31f00}
   * @throws KernelException if the kernel refuses
   * @throws UnreadableTargetException if the kernel lacks such probes
   */
  public static DynamicEvent userEntry(Tracefs tracefs, String location) {
    return create(tracefs, USER, "p", location);
  }

  /**
   * Creates a probe at the return from a function of a program or library.
   *
   * @throws KernelException if the kernel refuses
   * @throws UnreadableTargetException if the kernel lacks such probes
   */
  public static DynamicEvent userExit(Tracefs tracefs, String location) {
    return create(tracefs, USER, "r", location);
  }

  /** Returns the event's id for perf_event_open(2). */
  public int id() {
    return id;
  }

  /** Returns the name in tracefs, {@code group/event}. */
  public String name() {
    return name;
  }

  /**
   * Removes the event, which must not be in use. Idempotent.
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
              name + " is left in " + control + ": " + e.getMessage());
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
