package dev.ply.cli.info;

import dev.ply.Session;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Privileges;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelConfiguration;
import dev.ply.kernel.feature.KernelFeatures;
import dev.ply.lang.PlyScript;
import dev.ply.target.UnreadableTargetException;
import dev.ply.type.Escapes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Checks the requirements of tracing, by small traces of this process. */
public final class SelfTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration ROUND = Duration.ofMillis(10);
  private static final Path OWN_STATUS = Path.of("/proc/self/status");

  private final Console console;
  private boolean allWell = true;

  /** Creates a test that prints to a console. */
  public SelfTest(Console console) {
    this.console = console;
  }

  /** The outcome of a check. */
  private enum Verdict {
    WORKS("OK"),
    NOT_OFFERED("not supported by this kernel: "),
    FAULT("ERROR: ");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }
  }

  /** The outcome of a check; {@code why} is empty if it passes. */
  private record Outcome(Verdict verdict, String why) {
    static final Outcome WORKS = new Outcome(Verdict.WORKS, "");

    static Outcome fault(String why) {
      return new Outcome(Verdict.FAULT, why);
    }

    static Outcome notOffered(String why) {
      return new Outcome(Verdict.NOT_OFFERED, why);
    }

    boolean isFault() {
      return verdict == Verdict.FAULT;
    }

    String text() {
      return verdict.text + why;
    }
  }

  /** A check. */
  private interface Trial {
    Outcome run() throws InterruptedException, IOException;
  }

  /** Runs all checks, prints a line each, and returns the exit status. */
  public int run() throws InterruptedException {
    verify("kernel version", SelfTest::version);
    verify("kernel configuration", SelfTest::configuration);
    verify("privileges", SelfTest::privileges);
    if (!allWell) {
      return ExitCode.FAILURE;
    }
    long pid = ProcessHandle.current().pid();
    verify("maps and programs", SelfTest::counting);
    verify("BEGIN and ring buffer", () -> exits("BEGIN { exit(0); }"));
    verify("interval", () -> exits("interval:10ms { exit(0); }"));
    verify("tracefs", SelfTest::tracefs);
    verify(
        "tracepoint",
        () -> exits("tracepoint:raw_syscalls/sys_enter / pid == " + pid + " / { exit(0); }"));
    verify("kprobe", () -> exits("kprobe:vfs_read / pid == " + pid + " / { exit(0); }"));
    verify("kretprobe", () -> exits("kretprobe:vfs_read / pid == " + pid + " / { exit(0); }"));
    for (Feature feature : Feature.values()) {
      verify(feature.title() + " (Linux " + feature.since() + ")", () -> offered(feature));
    }
    return allWell ? ExitCode.OK : ExitCode.FAILURE;
  }

  private void verify(String what, Trial trial) throws InterruptedException {
    console.output().print("Verifying " + what + "... ");
    console.output().flush();
    Outcome outcome;
    try {
      outcome = trial.run();
    } catch (CompilationException e) {
      outcome = judge(e.diagnostics());
    } catch (UnreadableTargetException | KernelException | IOException e) {
      outcome = Outcome.fault(String.valueOf(e.getMessage()));
    }
    allWell &= !outcome.isFault();
    console.output().print(Escapes.escape(outcome.text()) + "\n");
  }

  private static Outcome judge(List<Diagnostic> diagnostics) {
    Optional<Diagnostic> missing =
        diagnostics.stream()
            .filter(diagnostic -> diagnostic.code() == DiagnosticCode.NOT_OFFERED)
            .findFirst();
    return missing
        .map(diagnostic -> Outcome.notOffered(diagnostic.message()))
        .orElseGet(() -> Outcome.fault(diagnostics.get(0).message()));
  }

  private static Outcome privileges() {
    List<String> missing = Privileges.missing();
    return missing.isEmpty() ? Outcome.WORKS : Outcome.fault(String.join("; ", missing));
  }

  private static Outcome configuration() throws IOException {
    Optional<KernelConfiguration> configuration = KernelConfiguration.ofThisKernel();
    if (configuration.isEmpty()) {
      return Outcome.notOffered(
          "none of " + KernelConfiguration.PLACES + " found (CONFIG_IKCONFIG_PROC)");
    }
    List<String> missing = configuration.get().missing();
    return missing.isEmpty() ? Outcome.WORKS : Outcome.notOffered(String.join("; ", missing));
  }

  private static Outcome version() {
    return new RunningKernel().version().isAtLeast(5, 10)
        ? Outcome.WORKS
        : Outcome.fault("tracing needs Linux 5.10 or later");
  }

  private static Outcome tracefs() {
    return new RunningKernel().tracepoints().names().findAny().isEmpty()
        ? Outcome.fault("no tracepoints found")
        : Outcome.WORKS;
  }

  private static Outcome offered(Feature feature) {
    return KernelFeatures.ofThisKernel()
        .missing(feature)
        .map(Outcome::notOffered)
        .orElse(Outcome.WORKS);
  }

  private static Outcome counting() {
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(PlyScript.parse("BEGIN { @[1] = count(); }"))) {
      session.stop();
      return session.tables().get(0).table().size() == 1
          ? Outcome.WORKS
          : Outcome.fault("the map of a program cannot be read");
    }
  }

  /** Runs a trace that exits by itself if it has events. */
  private static Outcome exits(String text) throws InterruptedException, IOException {
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(PlyScript.parse(text))) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      do {
        Files.readAllBytes(OWN_STATUS);
      } while (!session.await(ROUND) && System.nanoTime() < end);
      return session.exitStatus().isPresent()
          ? Outcome.WORKS
          : Outcome.fault("no event within " + PATIENCE.toSeconds() + " s");
    }
  }
}
