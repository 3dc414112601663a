package dev.ply.kernel.tracefs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An instance of the kernel's tracing (Documentation/trace/ftrace.rst, "Instances"): a directory in
 * tracefs with buffers and settings of its own, which nobody else's tracing notices.
 */
public final class TracingInstance implements AutoCloseable {
  private static final String INSTANCES = "instances";
  private static final Path PROC = Path.of("/proc");

  private final Path directory;

  private TracingInstance(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes an instance. Those that killed processes of ours have left behind are removed.
   *
   * @throws IOException if the kernel has none, or this process may not make one
   */
  public static TracingInstance create(Tracefs tracefs) throws IOException {
    return create(tracefs, PROC);
  }

  static TracingInstance create(Tracefs tracefs, Path proc) throws IOException {
    Path instances = tracefs.file(INSTANCES);
    removeAbandoned(instances, proc);
    return new TracingInstance(
        Files.createDirectory(instances.resolve(ProcessIdentity.self(proc).newName())));
  }

  private static void removeAbandoned(Path instances, Path proc) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(instances)) {
      for (Path each : all) {
        if (ProcessIdentity.of(each.getFileName().toString())
            .filter(owner -> owner.isGone(proc))
            .isPresent()) {
          remove(each);
        }
      }
    }
  }

  /** Returns one of its files. */
  public Path file(String name) {
    return directory.resolve(name);
  }

  /** Removes the instance. The second time does nothing. */
  @Override
  public void close() {
    remove(directory);
  }

  private static void remove(Path directory) {
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // Somebody has a file of it open. Once this process has ended, the next of ours removes it.
      return;
    }
  }
}
