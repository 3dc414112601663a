package dev.ply.kernel.error;

import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.machine.KernelVersion;
import dev.ply.name.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds likely reasons for a refusal that its errno does not tell: a seccomp filter, a limit, a
 * security module.
 */
public final class RefusalReasons {
  private static final Pattern SECCOMP = Pattern.compile("(?m)^Seccomp:\\s+2$");

  /** Debian, Ubuntu and Android have levels above the kernel's own. */
  private static final Pattern STRICT_PERF = Pattern.compile("[3-9]");

  private static final Pattern LOCKDOWN = Pattern.compile("\\[(integrity|confidentiality)\\]");
  private static final Pattern OPEN_FILES =
      Pattern.compile("(?m)^Max open files\\s+\\S+\\s+(\\S+)");
  private static final Pattern MODULES = Pattern.compile("selinux|apparmor|smack|tomoyo");

  private final Path proc;
  private final Path security;

  RefusalReasons(Path proc, Path security) {
    this.proc = proc;
    this.security = security;
  }

  /**
   * {@return the refusal with likely reasons on this machine}
   *
   * @param refusal of a syscall of tracing
   */
  public static KernelException explained(KernelException refusal) {
    List<String> reasons =
        new RefusalReasons(Path.of("/proc"), Path.of("/sys/kernel/security")).of(refusal.errno());
    return reasons.isEmpty() ? refusal : new KernelException(refusal, String.join("; ", reasons));
  }

  /** Returns likely reasons, a clause each. */
  List<String> of(Errno errno) {
    return switch (errno) {
      case EPERM, EACCES -> forbidden();
      case EMFILE -> openFiles();
      case ENOMEM, E2BIG -> List.of("a map allocates memory for its maximum number of keys");
      default -> List.of();
    };
  }

  private List<String> forbidden() {
    List<String> reasons = new ArrayList<>();
    if (SECCOMP.matcher(read(proc.resolve("self/status"))).find()) {
      reasons.add(
          "a seccomp filter is on, as in containers: it may forbid bpf(2) and perf_event_open(2)");
    }
    Matcher lockdown = LOCKDOWN.matcher(read(security.resolve("lockdown")));
    if (lockdown.find()) {
      reasons.add(
          "the kernel is locked down ("
              + lockdown.group(1)
              + "): boot it without Secure Boot, or without lockdown=");
    }
    Matcher paranoia = STRICT_PERF.matcher(read(proc.resolve("sys/kernel/perf_event_paranoid")));
    if (paranoia.find() && !isAdministrator()) {
      reasons.add(
          "kernel.perf_event_paranoid is "
              + paranoia.group()
              + ": perf events, and so intervals and samples, then require CAP_SYS_ADMIN; with"
              + " sysctl kernel.perf_event_paranoid=2, CAP_PERFMON is enough");
    }
    String release = read(proc.resolve("sys/kernel/osrelease"));
    if (!release.isBlank() && !KernelVersion.parse(release).isAtLeast(5, 11)) {
      reasons.add(
          "before Linux 5.11 maps count as locked memory: raise its limit (ulimit -l unlimited), or"
              + " give Java CAP_SYS_RESOURCE");
    }
    Matcher modules = MODULES.matcher(read(security.resolve("lsm")));
    while (modules.find()) {
      reasons.add("the security module " + modules.group() + " may forbid it");
    }
    return reasons;
  }

  private boolean isAdministrator() {
    return CapabilitySet.of(read(proc.resolve("self/status"))).has(Capability.CAP_SYS_ADMIN);
  }

  private List<String> openFiles() {
    Matcher limit = OPEN_FILES.matcher(read(proc.resolve("self/limits")));
    return List.of(
        "each probe uses one or two file descriptors"
            + (limit.find() ? ", and this process may have " + limit.group(1) : "")
            + ": raise the limit with ulimit -n");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
