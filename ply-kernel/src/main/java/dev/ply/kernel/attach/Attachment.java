package dev.ply.kernel.attach;

/**
 * A program at a place where it can run, and the owner of the connection; what the kernel calls a
 * link is one kind of it. The program must stay loaded until {@link #enable}; from then on the
 * kernel keeps it.
 */
public interface Attachment extends AutoCloseable {
  /** Returns what the program is attached to and by which mechanism. */
  String description();

  /**
   * Lets the program run; the second time does nothing.
   *
   * @throws dev.ply.kernel.error.KernelException if the kernel refuses
   * @throws IllegalStateException after closing
   */
  void enable();

  /**
   * Returns how often the kernel came to the place without being able to run the program; 0 where
   * it does not count that, and after detaching.
   */
  default long missedRuns() {
    return 0;
  }

  /**
   * Detaches the program, in any state; the second time does nothing. Runs of the program that have
   * begun on other CPUs may still go on when it returns. What else there is to give back waits for
   * {@link #close} where the kernel lets it, since 5.15.
   */
  void detach();

  /**
   * Detaches the program and gives everything back, in any state; the second time does nothing. A
   * tracepoint or probe takes the kernel tens of milliseconds, one after the other: {@link #detach}
   * them all first, and read results.
   */
  @Override
  void close();
}
