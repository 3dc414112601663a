package dev.ply.kernel;

import com.google.common.base.Joiner;
import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.machine.KernelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

/**
 * Checks the privileges of this process before anything is loaded. On the startup path: no
 * patterns, no streams.
 */
public final class Privileges {
  /** Required by all probes. */
  private static final List<Capability> REQUIRED =
      List.of(Capability.CAP_BPF, Capability.CAP_PERFMON);

  /** Exists on all kernels with bpf(2). */
  private static final String BPF_SETTING = "sys/kernel/unprivileged_bpf_disabled";

  /** The UID map of the initial user namespace: ID 0, host ID 0, length. */
  private static final List<String> WHOLE_MAP = List.of("0", "0", "4294967295");

  private Privileges() {}

  /**
   * {@return what is missing, a sentence each, most fundamental first; empty if this process can
   * trace} Loads no native code.
   */
  public static List<String> missing() {
    return missing(System.getProperty("os.name", ""), System.getProperty("os.arch", ""), procfs());
  }

  static List<String> missing(String system, String architecture, Path proc) {
    if (!system.equals("Linux")) {
      return List.of("tracing needs Linux, and this is " + system + ": try a simulated tracer");
    }
    String release = read(proc.resolve("sys/kernel/osrelease"));
    if (release.isBlank()) {
      return List.of("the kernel's version cannot be read: is procfs mounted on " + proc + "?");
    }
    List<String> missing = new ArrayList<>();
    if (!KernelVersion.parse(release).isAtLeast(5, 10)) {
      missing.add("tracing needs Linux 5.10 or later, and this is " + release.strip());
    }
    if (!architecture.contains("64") && !architecture.equals("s390x")) {
      missing.add("tracing needs a 64-bit Java runtime, and this one is for " + architecture);
    }
    if (!Files.exists(proc.resolve(BPF_SETTING))) {
      missing.add("this kernel was built without bpf(2) (CONFIG_BPF_SYSCALL)");
    }
    CapabilitySet held = CapabilitySet.of(read(proc.resolve("self/status")));
    List<Capability> lacking = held.missing(REQUIRED);
    if (!lacking.isEmpty()) {
      missing.add(
          "this process lacks " + Joiner.on(" and ").join(lacking) + ": " + held.remedy(lacking));
    } else if (isNamespaced(read(proc.resolve("self/uid_map")))) {
      missing.add(
          "this process has its privileges in its user namespace only, as in a container: run it"
              + " outside, or in a privileged one");
    }
    return List.copyOf(missing);
  }

  /** Returns whether a UID map is that of a user namespace other than the initial one. */
  private static boolean isNamespaced(String map) {
    List<String> numbers = new ArrayList<>();
    for (StringTokenizer words = new StringTokenizer(map); words.hasMoreTokens(); ) {
      numbers.add(words.nextToken());
    }
    return !numbers.isEmpty() && !numbers.equals(WHOLE_MAP);
  }

  private static Path procfs() {
    return Path.of("/proc");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
