package dev.ply.kernel.jit;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.jit.MissingNames.Reason;
import dev.ply.kernel.procfs.ProcessStatus;
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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Lets Java runtimes list their compiled methods, by HotSpot's attach protocol: a file makes a
 * runtime that receives SIGQUIT listen on a socket for the commands of jcmd(1). Any process that
 * maps a {@code libjvm.so} can pose as one: those of one user that do not answer share a time
 * limit. Only runtimes that will take the signal as a request are asked: any other end or a thread
 * dump on their output would be noticed.
 */
public final class JavaAttach {
  private static final int SIGQUIT = 3;

  /** Answers up to this many nanoseconds are free. */
  private static final long QUICK = 250_000_000;

  private static final Duration PAUSE = Duration.ofMillis(5);

  /** Protocol version 1, the command, and three arguments, of which one is used. */
  private static final byte[] REQUEST =
      "1\0jcmd\0Compiler.perfmap\0\0\0".getBytes(StandardCharsets.US_ASCII);

  private static final int ANSWER = 1 << 12;

  /** The first version with the command. */
  private static final int FIRST_VERSION = 17;

  /** The thread of a runtime that handles SIGQUIT; the kernel cuts names to 15 characters. */
  private static final String DISPATCHER = "Signal Dispatch";

  private final long patience;
  private final Map<Integer, Long> takenByUser = new HashMap<>();
  private final MissingNames missing = new MissingNames();
  private volatile boolean isLeftAlone;
  private long taken;

  /** Limits the time spent on the runtimes of one user; three times as much on all. */
  public JavaAttach(Duration patience) {
    this.patience = patience.toNanos();
  }

  /** Returns the processes whose methods have no names. */
  public MissingNames missing() {
    return missing;
  }

  /** Asks no runtime from now on. */
  public void leaveAlone() {
    isLeftAlone = true;
  }

  /**
   * Lets a runtime write its perf map. Supported since JDK 17; runtimes accept their own user and
   * root.
   *
   * @param temporary the directory that is {@code /tmp} to the runtime
   * @param runtime reads what it is; empty if it does not tell
   * @return whether it reports success
   */
  boolean writePerfMap(
      ProcessStatus process, Path temporary, Supplier<Optional<HotSpotRuntime>> runtime) {
    long begin = System.nanoTime();
    long left = left(process.user());
    Optional<Reason> refusal = Optional.of(Reason.SILENT);
    try {
      if (left > 0) {
        refusal = refusal(process, temporary, runtime);
        if (refusal.isEmpty() && !request(process, temporary, begin + left)) {
          refusal = Optional.of(process.isStillThere() ? Reason.SILENT : Reason.ENDED);
        }
      }
    } catch (IOException | KernelException e) {
      refusal = Optional.of(process.isStillThere() ? Reason.SILENT : Reason.ENDED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    refusal.ifPresent(reason -> missing.add(process.pid(), reason));
    boolean isWritten = refusal.isEmpty();
    long elapsed = System.nanoTime() - begin;
    long counted = isWritten ? Math.max(0, elapsed - QUICK) : elapsed;
    takenByUser.merge(process.user(), counted, Long::sum);
    taken += counted;
    return isWritten;
  }

  /** Returns why a runtime is not asked: whoever is not certain to answer is left alone. */
  private Optional<Reason> refusal(
      ProcessStatus process, Path temporary, Supplier<Optional<HotSpotRuntime>> runtime) {
    Optional<ProcessStatus> now = ProcessStatus.of(process.pid());
    if (now.isEmpty() || !now.get().started().equals(process.started())) {
      return Optional.of(Reason.ENDED);
    }
    if (isLeftAlone) {
      return Optional.of(Reason.FORBIDDEN);
    }
    if (now.get().isStopped()) {
      return Optional.of(Reason.STOPPED);
    }
    if (!isHeardBy(process)) {
      return Optional.of(Reason.ELSEWHERE);
    }
    // A runtime that listens gets no signal. With -Xrs or -XX:+StartAttachListener it does so
    // early.
    return isThere(socket(process, temporary)) ? Optional.empty() : deafness(now.get(), runtime);
  }

  /** Runtimes listen to the user and group that they run as, and to root, as they see them. */
  private static boolean isHeardBy(ProcessStatus process) {
    return process.isInOwnUserNamespace()
        && ProcessStatus.of(Math.toIntExact(ProcessHandle.current().pid()))
            .filter(
                self ->
                    self.user() == 0
                        || (self.user() == process.user() && self.group() == process.group()))
            .isPresent();
  }

  private static Path socket(ProcessStatus process, Path temporary) {
    return temporary.resolve(".java_pid" + process.ownPid());
  }

  /** Returns why a signal would not make a runtime listen. */
  private static Optional<Reason> deafness(
      ProcessStatus process, Supplier<Optional<HotSpotRuntime>> runtime) {
    // A program that embeds a runtime can catch the signal for itself.
    if (!process.catches(SIGQUIT) || !process.hasThread(DISPATCHER)) {
      return Optional.of(Reason.DEAF);
    }
    Optional<HotSpotRuntime> known = runtime.get();
    if (known.isEmpty()) {
      return Optional.of(Reason.UNKNOWN);
    }
    if (known.get().version() < FIRST_VERSION) {
      return Optional.of(Reason.TOO_OLD);
    }
    return known.get().isAttachDisabled() ? Optional.of(Reason.DISABLED) : Optional.empty();
  }

  private long left(int user) {
    return Math.min(3 * patience - taken, patience - takenByUser.getOrDefault(user, 0L));
  }

  private static boolean request(ProcessStatus process, Path temporary, long deadline)
      throws IOException, InterruptedException {
    Path socket = socket(process, temporary);
    if (!isThere(socket)) {
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
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * The descriptor refers to the inspected process or to none, as the second check ensures. A
   * runtime takes the signal as a request only if it finds the file, and finds that it belongs to
   * its own user or root; else it writes a thread dump. So the file is its user's, and stays if it
   * has not reacted yet.
   */
  private static void startListener(
      ProcessStatus process, Path temporary, Path socket, long deadline)
      throws IOException, InterruptedException {
    Path trigger = temporary.resolve(".attach_pid" + process.ownPid());
    try (FileDescriptor opened = FileCalls.openProcess(process.pid())) {
      if (!process.isStillThere()) {
        return;
      }
      Files.createFile(trigger);
      boolean isPending = false;
      try {
        Files.setAttribute(trigger, "unix:uid", process.user(), LinkOption.NOFOLLOW_LINKS);
        if (isThere(socket)) {
          return;
        }
        FileCalls.signal(opened, SIGQUIT);
        isPending = true;
        while (isPending && System.nanoTime() < deadline) {
          Thread.sleep(PAUSE.toMillis());
          isPending = !isThere(socket) && process.isStillThere();
        }
      } finally {
        if (!isPending) {
          Files.deleteIfExists(trigger);
        }
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
