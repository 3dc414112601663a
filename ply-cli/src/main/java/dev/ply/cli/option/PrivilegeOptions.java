package dev.ply.cli.option;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.run.PrivilegeChange;
import dev.ply.kernel.process.KeptCapabilities;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;

/** Reads what becomes of a trace's privileges once all is attached. */
final class PrivilegeOptions {
  private PrivilegeOptions() {}

  /** {@return what a command line asks for, if anything} */
  static Optional<PrivilegeChange> of(CommandLine line) throws UsageException {
    Optional<String> user = OptionParser.value(line, Shared.DROP_PRIVILEGES.name());
    Optional<String> kept = OptionParser.value(line, Shared.KEEP_CAPABILITIES.name());
    if (user.isEmpty() && kept.isEmpty()) {
      return Optional.empty();
    }
    if (user.isEmpty()) {
      throw new UsageException(
          "--keep-capabilities is for --drop-privileges USER: all others are kept anyway");
    }
    return Optional.of(
        new PrivilegeChange(user.get(), kept.isEmpty() ? List.of() : parse(kept.get())));
  }

  private static List<String> parse(String text) throws UsageException {
    List<String> names = List.of(text.split(",", -1));
    for (String name : names) {
      if (!KeptCapabilities.isUseful(name)) {
        throw new UsageException(
            "--keep-capabilities keeps sys_ptrace (functions of processes) and dac_read_search"
                + " (files that only their owners can read), not \""
                + name
                + "\": nothing else is read with a capability once all is attached");
      }
    }
    return names;
  }
}
