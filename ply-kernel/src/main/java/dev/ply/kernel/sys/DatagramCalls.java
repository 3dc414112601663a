package dev.ply.kernel.sys;

import com.sun.jna.Function;
import dev.ply.kernel.error.KernelException;
import dev.ply.name.Errno;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Datagrams to Unix sockets, which Java does not have: its Unix sockets are streams. */
public final class DatagramCalls {
  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;

  /** The size of sun_path. */
  private static final int LONGEST = 108;

  private DatagramCalls() {}

  /**
   * Sends a datagram.
   *
   * @param socket a path, or {@code @} and an abstract name
   * @throws KernelException if it cannot be sent
   */
  public static void send(String socket, byte[] content) {
    byte[] address = address(socket);
    Function open = LibC.function("socket");
    Function send = LibC.function("sendto");
    int descriptor = open.invokeInt(new Object[] {AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0});
    if (descriptor < 0) {
      throw new KernelException(LibC.lastError(), "socket(2)");
    }
    NativeMemory to = NativeMemory.of(address);
    NativeMemory bytes = NativeMemory.of(content);
    try {
      long sent =
          send.invokeLong(
              new Object[] {
                descriptor,
                bytes.address(),
                (long) content.length,
                MSG_NOSIGNAL,
                to.address(),
                address.length
              });
      if (sent != content.length) {
        throw new KernelException(LibC.lastError(), "sendto(2)");
      }
    } finally {
      Reference.reachabilityFence(to);
      Reference.reachabilityFence(bytes);
      int unused = LibC.close(descriptor);
    }
  }

  /** Returns a sockaddr_un; the first byte of an abstract name is NUL. */
  static byte[] address(String socket) {
    byte[] name = socket.getBytes(StandardCharsets.UTF_8);
    boolean isAbstract = socket.startsWith("@");
    if (name.length + (isAbstract ? 0 : 1) > LONGEST) {
      throw new KernelException(Errno.ENAMETOOLONG, "sendto(2)");
    }
    if (isAbstract) {
      name[0] = 0;
    } else {
      name = Arrays.copyOf(name, name.length + 1);
    }
    return ByteBuffer.allocate(Short.BYTES + name.length)
        .order(ByteOrder.nativeOrder())
        .putShort((short) AF_UNIX)
        .put(name)
        .array();
  }
}
