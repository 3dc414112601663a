package dev.ply.kernel.sys;

import java.util.concurrent.atomic.AtomicBoolean;

/** An open file descriptor, closed at most once. */
public final class FileDescriptor implements AutoCloseable {
  private final int number;
  private final String description;
  private final AtomicBoolean closed = new AtomicBoolean();

  FileDescriptor(int number, String description) {
    this.number = number;
    this.description = description;
  }

  /**
   * Returns the descriptor's number.
   *
   * @throws IllegalStateException after closing
   */
  public int number() {
    if (closed.get()) {
      throw new IllegalStateException(description + " is closed");
    }
    return number;
  }

  /** Returns whether {@link #close} was called. */
  public boolean isClosed() {
    return closed.get();
  }

  /** Closes the descriptor; errors are ignored, since it is closed in any case. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      SystemCalls.close(number);
    }
  }

  @Override
  public String toString() {
    return description + " (descriptor " + number + ")";
  }
}
