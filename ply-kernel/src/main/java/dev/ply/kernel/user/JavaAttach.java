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
 * Lets Java runtimes list their compiled methods, by HotSpot's attach protocol: a file makes a
 * runtime that receives SIGQUIT listen on a socket for the commands of jcmd(1). Any process that
 * maps a {@code libjvm.so} can pose as one: those of one user that do not answer share a time
 * limit, and only processes that catch SIGQUIT are asked.
 */
final class JavaAttach {
  private static final int SIGQUIT = 3;

  /** Answers up to this many nanoseconds are free. */
  private static final long QUICK = 250_000_000;

  private static final Duration PAUSE = Duration.ofMillis(5);

  /** Protocol version 1, the command, and three arguments, of which one is used. */
  private static final byte[] REQUEST =
      "1\0jcmd\0Compiler.perfmap\0\0\0".getBytes(StandardCharsets.US_ASCII);

  private static final int ANSWER = 1 << 12;

  private final long patience;
  private final Map<Integer, Long> takenByUser = new HashMap<>();
  private long taken;

  /** Limits the time spent on the runtimes of one user; three times as much on all. */
  JavaAttach(Duration patience) {
    this.patience = patience.toNanos();
  }

  /**
   * Lets a runtime write its perf map. Supported since JDK 17; runtimes accept their own user and
   * root.
   *
   * @param temporary the directory that is {@code /tmp} to the runtime
   * @return whether it reports success
   */
  boolean writePerfMap(ProcessStatus process, Path temporary) {
    long begin = System.nanoTime();
    long left = left(process.user());
    boolean isWritten = false;
    try {
      isWritten = left > 0 && request(process, temporary, begin + left);
    } catch (IOException | KernelException e) {
      // Its frames then print as addresses.
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

  /** The descriptor refers to the inspected process or to none, as the second check ensures. */
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

  /** No call blocks on the other side, which is untrusted. */
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
      // The status comes first; the runtime closes the socket at the end.
      return isOver && answer.position() > 1 && answer.get(0) == '0' && answer.get(1) == '\n';
    }
  }
}
