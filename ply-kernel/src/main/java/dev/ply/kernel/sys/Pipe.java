package dev.ply.kernel.sys;

import dev.ply.kernel.error.KernelException;
import dev.ply.name.Errno;
import java.lang.ref.Reference;

/**
 * A pipe, both of whose ends are closed on exec.
 *
 * @param reader the end to read from
 * @param writer the end to write to
 */
public record Pipe(FileDescriptor reader, FileDescriptor writer) implements AutoCloseable {
  private static final int O_CLOEXEC = 0x80000;

  /**
   * Opens a pipe.
   *
   * @param purpose for messages
   */
  public static Pipe open(String purpose) {
    NativeMemory ends = NativeMemory.allocate(2 * Integer.BYTES);
    if (LibC.pipe2(ends.address(), O_CLOEXEC) != 0) {
      throw new KernelException(LibC.lastError(), purpose);
    }
    return new Pipe(
        new FileDescriptor(ends.bytes().getInt(0), "reader of the " + purpose),
        new FileDescriptor(ends.bytes().getInt(Integer.BYTES), "writer of the " + purpose));
  }

  /** Writes a newline; does nothing without a reader. */
  public void writeLine() {
    NativeMemory line = NativeMemory.of(new byte[] {'\n'});
    try {
      if (LibC.write(writer.number(), line.address(), 1) < 0 && LibC.lastError() != Errno.EPIPE) {
        throw new KernelException(LibC.lastError(), "write to " + writer);
      }
    } finally {
      Reference.reachabilityFence(line);
    }
  }

  @Override
  public void close() {
    reader.close();
    writer.close();
  }
}
