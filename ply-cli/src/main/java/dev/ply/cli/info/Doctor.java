package dev.ply.cli.info;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.kernel.Privileges;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelFeatures;
import dev.ply.target.Mechanism;
import dev.ply.type.Escapes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says what tracing has to expect on this machine: privileges, features and what each missing one
 * costs, settings of the kernel. Without names of the machine, of users and of programs, so that a
 * report of a bug can have it.
 */
public final class Doctor {
  private static final Path SYSTEM = Path.of("/proc/sys");

  /** A setting, and what it does to tracing with some values. */
  private record Setting(String name, Path file) {
    static Setting of(String name) {
      return new Setting(name, SYSTEM.resolve(name.replace('.', '/')));
    }
  }

  private static final List<Setting> SETTINGS =
      List.of(
          Setting.of("kernel.kptr_restrict"),
          Setting.of("kernel.perf_event_paranoid"),
          Setting.of("kernel.unprivileged_bpf_disabled"),
          Setting.of("net.core.bpf_jit_enable"),
          Setting.of("kernel.tainted"),
          new Setting("lockdown", Path.of("/sys/kernel/security/lockdown")));

  private static final List<Path> TRACEFS =
      List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));

  private final Console console;

  /** Creates what prints to a console. */
  public Doctor(Console console) {
    this.console = console;
  }

  /** Prints the report and returns the exit status: 1 if this process cannot trace. */
  public int run() {
    section("Versions");
    line(Version.text());
    line(
        "Java of %s on %s, %d CPUs, at most %d MiB of heap"
            .formatted(
                System.getProperty("java.vendor", "an unknown vendor"),
                System.getProperty("os.arch", ""),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() >> 20));
    section("Privileges");
    List<String> missing = Privileges.missing();
    if (missing.isEmpty()) {
      line("enough to trace");
    }
    missing.forEach(why -> line("missing: " + why));
    line(tracefs());
    section("Settings of the kernel");
    for (Setting setting : SETTINGS) {
      read(setting.file()).ifPresent(value -> line(setting.name() + ": " + value));
    }
    int absent = features();
    section("Result");
    if (!missing.isEmpty()) {
      line("this process cannot trace; ply -e checks scripts all the same");
    } else if (absent == 0) {
      line("this machine can do all that ply can");
    } else {
      line("this machine can trace; of what it lacks, the cost is said above");
    }
    line("ply -T tries small traces of its own");
    section("In a report of a bug");
    line("this output, which names no machine, user or program; the command line and the");
    line("script; what was printed, with --debug; and what you expected");
    return missing.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
  }

  /** Prints the features and returns how many are missing. */
  private int features() {
    section("Features of the kernel");
    KernelFeatures features = KernelFeatures.ofThisKernel();
    String found =
        List.of(Feature.values()).stream()
            .filter(features::has)
            .map(Feature::title)
            .collect(Collectors.joining(", "));
    line("has: " + (found.isEmpty() ? "nothing that this process can use" : found));
    int absent = 0;
    for (Feature feature : Feature.values()) {
      Optional<String> reason = features.missing(feature);
      if (reason.isPresent()) {
        absent++;
        line("lacks " + feature.title() + ": " + reason.get());
        line("  without it: " + FeatureCost.of(feature));
      }
    }
    line(
        "attaches by: "
            + Mechanism.choices().stream()
                .filter(mechanism -> features.missing(mechanism).isEmpty())
                .map(Mechanism::toString)
                .collect(Collectors.joining(", ")));
    return absent;
  }

  private static String tracefs() {
    for (Path directory : TRACEFS) {
      if (Files.isReadable(directory.resolve("events"))) {
        return "tracefs at " + directory;
      }
    }
    return "missing: tracefs cannot be read; mount -t tracefs nodev /sys/kernel/tracing";
  }

  private static Optional<String> read(Path file) {
    try {
      return Files.isReadable(file)
          ? Optional.of(Files.readString(file).strip())
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of("cannot be read");
    }
  }

  private void section(String title) {
    console.output().print((title.equals("Versions") ? "" : "\n") + title + "\n");
  }

  private void line(String text) {
    console.output().print("  " + Escapes.escape(text) + "\n");
  }
}
