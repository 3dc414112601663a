package dev.ply.cli.run;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.process.KeptCapabilities;
import dev.ply.kernel.process.ProcessUser;
import dev.ply.machine.KernelVersion;
import dev.ply.target.KernelSymbols;
import dev.ply.target.Mechanism;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code --drop-privileges}: the trace continues as another user, without capabilities. */
final class PrivilegeDrop {
  private static final String OPTION = "--drop-privileges";
  private static final Path UNPRIVILEGED = Path.of("/proc/sys/kernel/unprivileged_bpf_disabled");

  private final Console console;
  private final String name;
  private final ProcessUser user;
  private final KeptCapabilities kept;

  private PrivilegeDrop(Console console, String name, ProcessUser user, KeptCapabilities kept) {
    this.console = console;
    this.name = name;
    this.user = user;
    this.kept = kept;
  }

  /**
   * Returns the change to a user, before anything is attached.
   *
   * @param kernel of the trace
   * @throws UsageException if it cannot be made, or the trace could not be read after it
   */
  static PrivilegeDrop to(
      PrivilegeChange change, Console console, TraceRequest request, RunningKernel kernel)
      throws UsageException {
    String name = change.user();
    ProcessUser user =
        ProcessUser.named(name)
            .orElseThrow(
                () ->
                    new UsageException(
                        OPTION
                            + ": no user \""
                            + name
                            + "\" other than root in /etc/passwd; UID:GID is one, too"));
    if (!ProcessUser.isRoot()) {
      throw new UsageException(
          OPTION
              + " takes root, which becomes another user: this process has just the capabilities"
              + " that it was started with");
    }
    if (request.command().isPresent()) {
      throw new UsageException(
          OPTION
              + " and -c cannot be combined: the command is started as root, and could not be ended"
              + " after that");
    }
    KernelVersion version = kernel.version();
    if (!version.isAtLeast(5, 19) && !isUnprivilegedAllowed()) {
      throw new UsageException(
          OPTION
              + ": Linux before 5.19 lets nobody read maps without CAP_BPF, unless"
              + " kernel.unprivileged_bpf_disabled is 0");
    }
    // Before anything is attached: it takes a while, and CAP_SYSLOG.
    Optional<KernelSymbols.Symbol> unused = kernel.symbols().at(0);
    KeptCapabilities kept = KeptCapabilities.of(change.kept());
    if (!kept.isEmpty()) {
      kernel.keepCapabilities(kept);
    }
    return new PrivilegeDrop(console, name, user, kept);
  }

  private static boolean isUnprivilegedAllowed() {
    try {
      return Files.readString(UNPRIVILEGED).strip().equals("0");
    } catch (IOException e) {
      return false;
    }
  }

  /** Drops all capabilities of all threads, and returns whether that is done. */
  boolean drop(Session session) {
    if (session.attachments().stream()
        .anyMatch(site -> site.mechanism() == Mechanism.KPROBE_EVENTS)) {
      console.error(
          OPTION
              + ": probes of kprobe_events are removed by who may write that file, so the trace"
              + " needs its privileges to the end");
      return false;
    }
    try {
      user.become(kept);
    } catch (IllegalStateException e) {
      console.error(OPTION + ": " + e.getMessage());
      return false;
    } catch (KernelException e) {
      console.error(OPTION + ": " + e.getMessage() + ": it takes CAP_SETUID and CAP_SETGID");
      return false;
    }
    List<String> privileged = ProcessUser.privilegedThreads(kept);
    if (!privileged.isEmpty()) {
      console.error(OPTION + ": threads still have capabilities: " + String.join(", ", privileged));
      return false;
    }
    if (!kept.isEmpty() && !kept.isInUse()) {
      console.warning(
          "--keep-capabilities keeps nothing: this trace reads no functions of processes");
    }
    console.debug(
        "runs as "
            + name
            + " from here on, without capabilities"
            + (kept.isInUse() ? " but those that the thread ply-symbols keeps" : ""));
    return true;
  }
}
