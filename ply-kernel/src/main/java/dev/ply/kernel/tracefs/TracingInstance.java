package dev.ply.kernel.tracefs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A tracing instance (Documentation/trace/ftrace.rst, "Instances"): a directory in tracefs with its
 * own buffers and settings, independent of other tracing.
 */
public final class TracingInstance implements AutoCloseable {
  private static final String INSTANCES = "instances";
  private static final Path PROC = Path.of("/proc");

  private final Path directory;

  private TracingInstance(Path directory) {
    this.directory = directory;
  }

  /**
   * Creates an instance, and removes those of killed processes.
   *
   * @throws IOException if the kernel has no instances, or this process lacks the permission
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

  /** Removes the instance. Idempotent. */
  @Override
  public void close() {
    remove(directory);
  }

  private static void remove(Path directory) {
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // A file of it is still open. After this process has exited, the next tracer removes it.
      return;
    }
  }
}
