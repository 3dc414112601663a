package dev.ply.kernel.sys;

import java.util.concurrent.atomic.AtomicBoolean;

/** An open file descriptor and its owner: closing it twice is closing it once. */
public final class FileDescriptor implements AutoCloseable {
  private final int number;
  private final String description;
  private final AtomicBoolean closed = new AtomicBoolean();

  FileDescriptor(int number, String description) {
    this.number = number;
    this.description = description;
  }

  /**
   * Returns the number.
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

  /** Closes the descriptor; errors have no meaning here, the descriptor is gone in any case. */
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
