package dev.ply.kernel.attach;

import dev.ply.kernel.sys.FileDescriptor;
import java.util.List;

/**
 * A program at a probe site, which owns the kernel's connection between them, such as a link. The
 * program must stay loaded until {@link #enable}; after that the kernel holds a reference.
 */
public interface Attachment extends AutoCloseable {
  /** Returns the probe site and the mechanism. */
  String description();

  /**
   * Lets the program run. Idempotent.
   *
   * @throws dev.ply.kernel.error.KernelException if the kernel refuses
   * @throws IllegalStateException after closing
   */
  void enable();

  /**
   * Returns the number of hits for which the program was not run; 0 where the kernel does not count
   * them, and after detaching.
   */
  default long missedRuns() {
    return 0;
  }

  /**
   * Returns the open BPF links, by which an enabled attachment can outlive this process; none if it
   * cannot.
   */
  default List<FileDescriptor> links() {
    return List.of();
  }

  /**
   * Detaches the program, in any state. Idempotent. Runs that have started on other CPUs can still
   * be in progress afterwards. Other resources are released by {@link #close}, where the kernel
   * separates the two (Linux 5.15).
   */
  void detach();

  /**
   * Detaches the program and releases all resources, in any state. Idempotent. Can take tens of
   * milliseconds per site: {@link #detach} all sites first, then read results.
   */
  @Override
  void close();
}
