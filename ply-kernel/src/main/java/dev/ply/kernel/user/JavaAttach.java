package dev.ply.kernel.user;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.FileCalls;
import dev.ply.kernel.sys.FileDescriptor;
import dev.ply.kernel.untrusted.UntrustedPath;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Has Java runtimes list the methods they have compiled, by HotSpot's attach protocol: a file makes
 * a runtime that gets SIGQUIT listen at a socket, and that takes the commands of jcmd(1). Whatever
 * has mapped a {@code libjvm.so} may pretend to be one: all of a user's that do not answer share an
 * amount of time, and only a process that catches SIGQUIT gets it.
 */
final class JavaAttach {
  private static final int SIGQUIT = 3;

  /** What an answer takes does not count up to this, in nanoseconds. */
  private static final long QUICK = 250_000_000;

  private static final Duration PAUSE = Duration.ofMillis(5);

  /** Protocol version 1, the command, and three arguments of which jcmd has one. */
  private static final byte[] REQUEST =
      "1\0jcmd\0Compiler.perfmap\0\0\0".getBytes(StandardCharsets.US_ASCII);

  private static final int ANSWER = 1 << 12;

  private final long patience;
  private final Map<Integer, Long> takenByUser = new HashMap<>();
  private long taken;

  /**
   * Asks runtimes that may take so long to answer, those of one user together; all together three
   * times as long.
   */
  JavaAttach(Duration patience) {
    this.patience = patience.toNanos();
  }

  /**
   * Has a runtime write its list to where perf(1) looks for it. Runtimes since JDK 17 know how, and
   * listen to their own user and to root.
   *
   * @param temporary the directory that is {@code /tmp} to the runtime
   * @return whether it says that it has done so
   */
  boolean writePerfMap(ProcessStatus process, Path temporary) {
    long begin = System.nanoTime();
    long left = left(process.user());
    boolean isWritten = false;
    try {
      isWritten = left > 0 && request(process, temporary, begin + left);
    } catch (IOException | KernelException e) {
      // Then its frames have no names, which is to be seen.
      isWritten = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    long elapsed = System.nanoTime() - begin;
    long counted = isWritten ? Math.max(0, elapsed - QUICK) : elapsed;
    takenByUser.merge(process.user(), counted, Long::sum);
    taken += counted;
    return isWritten;
  }

  private long left(int user) {
    return Math.min(3 * patience - taken, patience - takenByUser.getOrDefault(user, 0L));
  }

  private static boolean request(ProcessStatus process, Path temporary, long deadline)
      throws IOException, InterruptedException {
    Path socket = temporary.resolve(".java_pid" + process.ownPid());
    if (!isThere(socket)) {
      if (!process.catches(SIGQUIT)) {
        return false;
      }
      startListener(process, temporary, socket, deadline);
    }
    try (UntrustedPath opened = UntrustedPath.open(socket, Links.REFUSED)) {
      boolean isItsOwn =
          opened.facts().isSocket()
              && (opened.facts().owner() == process.user() || opened.facts().isOfRoot());
      return isItsOwn && converse(opened.path(), deadline);
    }
  }

  private static boolean isThere(Path file) {
    return Files.exists(file, java.nio.file.LinkOption.NOFOLLOW_LINKS);
  }

  /** The descriptor is of the process that was inspected, or of none: see the second look. */
  private static void startListener(
      ProcessStatus process, Path temporary, Path socket, long deadline)
      throws IOException, InterruptedException {
    Path trigger = temporary.resolve(".attach_pid" + process.ownPid());
    try (FileDescriptor opened = FileCalls.openProcess(process.pid())) {
      if (!process.isStillThere()) {
        return;
      }
      Files.createFile(trigger);
      try {
        FileCalls.signal(opened, SIGQUIT);
        while (!isThere(socket) && System.nanoTime() < deadline && process.isStillThere()) {
          Thread.sleep(PAUSE.toMillis());
        }
      } finally {
        Files.deleteIfExists(trigger);
      }
    }
  }

  /** No call waits for the other side, which may be anybody's. */
  private static boolean converse(Path socket, long deadline)
      throws IOException, InterruptedException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.configureBlocking(false);
      if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
        return false;
      }
      ByteBuffer request = ByteBuffer.wrap(REQUEST);
      ByteBuffer answer = ByteBuffer.allocate(ANSWER);
      boolean isOver = false;
      while (!isOver && System.nanoTime() < deadline) {
        if (request.hasRemaining()) {
          channel.write(request);
        }
        int read = channel.read(answer);
        isOver = read < 0 || !answer.hasRemaining();
        if (read == 0) {
          Thread.sleep(PAUSE.toMillis());
        }
      }
      // The status comes first; the runtime closes the socket when it is done.
      return isOver && answer.position() > 1 && answer.get(0) == '0' && answer.get(1) == '\n';
    }
  }
}
