package dev.ply.kernel.privilege;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The capabilities of a process, and those that programs it executes can gain. On the startup path:
 * no patterns, no streams.
 *
 * @param effective the mask that the kernel checks
 * @param bounding the mask that limits execve(2)
 */
public record CapabilitySet(long effective, long bounding) {
  private static final Path STATUS = Path.of("/proc/self/status");

  /** Reads the capabilities of this process; none where procfs is not mounted. */
  public static CapabilitySet ofThisProcess() {
    try {
      return of(Files.readString(STATUS));
    } catch (IOException e) {
      return of("");
    }
  }

  /** Parses {@code /proc/PID/status}. */
  public static CapabilitySet of(String status) {
    return new CapabilitySet(mask(status, "CapEff:", 0), mask(status, "CapBnd:", -1));
  }

  private static long mask(String status, String name, long otherwise) {
    int begin = status.indexOf(name);
    if (begin < 0) {
      return otherwise;
    }
    int end = status.indexOf('\n', begin);
    String mask = status.substring(begin + name.length(), end < 0 ? status.length() : end);
    return Long.parseUnsignedLong(mask.strip(), 16);
  }

  /** Returns whether the process has a capability; CAP_SYS_ADMIN implies CAP_BPF, CAP_PERFMON. */
  public boolean has(Capability capability) {
    return capability.isIn(effective)
        || ((capability == Capability.CAP_BPF || capability == Capability.CAP_PERFMON)
            && Capability.CAP_SYS_ADMIN.isIn(effective));
  }

  /** Returns the members of {@code required} that the process lacks, in order. */
  public List<Capability> missing(Collection<Capability> required) {
    List<Capability> missing = new ArrayList<>();
    for (Capability capability : required) {
      if (!has(capability)) {
        missing.add(capability);
      }
    }
    return missing;
  }

  /**
   * Returns how to start a process with {@code missing} as well: a clause for the end of a message.
   * If this process has all of them, that something else forbids what they allow.
   */
  public String remedy(Collection<Capability> missing) {
    if (missing(missing).isEmpty()) {
      return "this process has "
          + (missing.size() == 1 ? "it" : "them")
          + ", so a security module or a user namespace forbids it here";
    }
    List<String> outside = new ArrayList<>();
    for (Capability capability : missing) {
      if (!capability.isIn(bounding)) {
        outside.add("--cap-add=" + capability.option().toUpperCase(Locale.ROOT));
      }
    }
    if (!outside.isEmpty()) {
      return "no process started here can have "
          + (outside.size() == 1 ? "it" : "them")
          + ", as in a container: start that with "
          + String.join(" ", outside);
    }
    List<String> added = new ArrayList<>();
    for (Capability capability : Capability.values()) {
      if (capability.isIn(effective) || missing.contains(capability)) {
        added.add("+" + capability.option());
      }
    }
    String list = String.join(",", added);
    return "run as root, or let root run setpriv --reuid=USER --regid=GROUP --init-groups"
        + " --inh-caps="
        + list
        + " --ambient-caps="
        + list
        + " ply ...";
  }
}
