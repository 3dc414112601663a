package dev.ply.cli.info;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.kernel.Privileges;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelFeatures;
import dev.ply.target.AttachFeatures;
import dev.ply.target.Mechanism;
import dev.ply.type.Escapes;
import java.util.List;
import java.util.Optional;

/** Prints the kernel's tracing features, and what this process can use of them. */
public final class KernelInfo {
  private final Console console;

  /** Creates what prints to a console. */
  public KernelInfo(Console console) {
    this.console = console;
  }

  /** Prints the facts in sections, a line each, and returns the exit status. */
  public int run() {
    RunningKernel kernel = new RunningKernel();
    section("System");
    line("OS", System.getProperty("os.name", "") + " " + System.getProperty("os.version", ""));
    line("Arch", System.getProperty("os.arch", ""));
    List<String> missing = Privileges.missing();
    line("privileges", missing.isEmpty() ? "yes" : "no: " + String.join("; ", missing));
    section("\nBuild");
    line("version", Version.text());
    section("\nKernel features");
    KernelFeatures features = KernelFeatures.ofThisKernel();
    for (Feature feature : Feature.values()) {
      line(feature.title() + " (Linux " + feature.since() + ")", answer(features.missing(feature)));
    }
    section("\nMechanisms to attach by");
    AttachFeatures mechanisms = kernel.attachFeatures();
    for (Mechanism mechanism : Mechanism.choices()) {
      line(
          mechanism.toString(),
          // Features assumed here are checked when attaching.
          answer(mechanisms.reasonAgainst(mechanism).or(() -> features.missing(mechanism))));
    }
    return ExitCode.OK;
  }

  private static String answer(Optional<String> missing) {
    return missing.map(why -> "no: " + why).orElse("yes");
  }

  private void section(String title) {
    console.output().print(title + "\n");
  }

  private void line(String name, String value) {
    console.output().print("  " + name + ": " + Escapes.escape(value) + "\n");
  }
}
