package dev.ply.kernel;

import dev.ply.target.KernelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Tells what keeps this process from tracing, before anything is tried. */
public final class Privileges {
  private static final int CAP_SYS_ADMIN = 21;
  private static final int CAP_PERFMON = 38;
  private static final int CAP_BPF = 39;
  private static final String EFFECTIVE = "CapEff:";

  /** There whenever the kernel has bpf(2). */
  private static final String BPF_SETTING = "sys/kernel/unprivileged_bpf_disabled";

  private Privileges() {}

  /**
   * Returns what is missing, a sentence each, most fundamental first; empty if this process may
   * trace. Loads no native code.
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
    List<String> capabilities = missingCapabilities(read(proc.resolve("self/status")));
    if (!capabilities.isEmpty()) {
      missing.add(
          "this process lacks "
              + String.join(" and ", capabilities)
              + ": run as root, or give Java these capabilities");
    } else if (isNamespaced(read(proc.resolve("self/uid_map")))) {
      missing.add(
          "this process has its privileges in its user namespace only, as in a container: run it"
              + " outside, or in a privileged one");
    }
    return List.copyOf(missing);
  }

  /** Tells whether users have other numbers outside of a process's namespace, given its map. */
  private static boolean isNamespaced(String map) {
    return !map.isBlank() && !map.strip().matches("0\\s+0\\s+4294967295");
  }

  /** Returns the names of the capabilities that a process lacks, given its status. */
  static List<String> missingCapabilities(String status) {
    long effective =
        status
            .lines()
            .filter(line -> line.startsWith(EFFECTIVE))
            .map(line -> line.substring(EFFECTIVE.length()).strip().toLowerCase(Locale.ROOT))
            .mapToLong(mask -> Long.parseUnsignedLong(mask, 16))
            .findFirst()
            .orElse(0);
    if (has(effective, CAP_SYS_ADMIN)) {
      return List.of();
    }
    return Stream.of(
            has(effective, CAP_BPF) ? "" : "CAP_BPF",
            has(effective, CAP_PERFMON) ? "" : "CAP_PERFMON")
        .filter(name -> !name.isEmpty())
        .toList();
  }

  private static boolean has(long effective, int capability) {
    return (effective >>> capability & 1) != 0;
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
