package dev.ply.kernel.sys;

import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A descriptor's memory mapped into the process. Accessing {@link #bytes} after {@link #close}
 * crashes the process: owners must exclude it.
 */
public final class MappedMemory implements AutoCloseable {
  private final long address;
  private final long length;
  private final AtomicBoolean closed = new AtomicBoolean();

  MappedMemory(long address, long length) {
    this.address = address;
    this.length = length;
  }

  /** Returns a new view in native byte order. */
  public ByteBuffer bytes() {
    return new Pointer(address).getByteBuffer(0, length).order(ByteOrder.nativeOrder());
  }

  /** Unmaps the memory. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      SystemCalls.unmap(address, length);
    }
  }
}
