package dev.ply.kernel.symbol;

import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The privilege to read kernel addresses. With {@code kernel.kptr_restrict} 2 nobody can; else
 * CAP_SYSLOG suffices, and with 0 and {@code kernel.perf_event_paranoid} up to 1 everybody can.
 */
final class HiddenAddresses {
  private static final Path RESTRICTION = Path.of("/proc/sys/kernel/kptr_restrict");
  private static final List<Capability> SEEING = List.of(Capability.CAP_SYSLOG);

  private HiddenAddresses() {}

  static String required() {
    return required(restriction(), CapabilitySet.ofThisProcess());
  }

  static String required(String restriction, CapabilitySet held) {
    String setting = "sysctl kernel.kptr_restrict=1, which is " + restriction;
    if (held.has(Capability.CAP_SYSLOG)) {
      return "it takes " + setting;
    }
    return (restriction.equals("2")
            ? "it requires " + setting + ", and CAP_SYSLOG: "
            : "it takes CAP_SYSLOG: ")
        + held.remedy(SEEING);
  }

  private static String restriction() {
    try {
      return Files.readString(RESTRICTION).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
