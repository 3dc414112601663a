package dev.ply.kernel.sys;

import dev.ply.kernel.error.KernelException;
import java.lang.ref.Reference;

/** A Unix socket that receives datagrams, for tests. */
public final class DatagramSocket implements AutoCloseable {
  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int LONGEST = 1024;

  private final int descriptor;

  private DatagramSocket(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Binds a socket.
   *
   * @param name a path, or {@code @} and an abstract name
   */
  public static DatagramSocket bind(String name) {
    byte[] address = DatagramCalls.address(name);
    NativeMemory bytes = NativeMemory.of(address);
    int descriptor = LibC.function("socket").invokeInt(new Object[] {AF_UNIX, SOCK_DGRAM, 0});
    try {
      Object[] arguments = {descriptor, bytes.address(), address.length};
      if (LibC.function("bind").invokeInt(arguments) != 0) {
        throw new KernelException(LibC.lastError(), "bind(2)");
      }
    } finally {
      Reference.reachabilityFence(bytes);
    }
    return new DatagramSocket(descriptor);
  }

  /** Waits for a datagram and returns it. */
  public byte[] receive() {
    NativeMemory bytes = NativeMemory.allocate(LONGEST);
    try {
      long length = LibC.read(descriptor, bytes.address(), LONGEST);
      byte[] content = new byte[Math.toIntExact(length)];
      bytes.bytes().get(0, content);
      return content;
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  @Override
  public void close() {
    int unused = LibC.close(descriptor);
  }
}
