package dev.ply.cli.serve;

import dev.ply.cli.io.Command;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Failures;
import dev.ply.cli.io.JournalLines;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.manual.Section;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Shared;
import dev.ply.cli.run.DryRun;
import dev.ply.cli.run.Program;
import dev.ply.diagnostic.Source;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Privileges;
import dev.ply.kernel.process.ServiceManager;
import dev.ply.metrics.SessionMetrics;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;

/** {@code ply serve CONFIG}: runs scripts always, and exports their maps. */
public final class Serve implements Command {
  private static final String CHECK = "check";
  private static final String DEBUG = "v";
  private static final String QUIET = "q";

  private final ScriptParsers parsers;

  /**
   * Creates the command.
   *
   * @param scripts reads scripts in the ply language
   * @param bpftrace reads scripts in bpftrace's language
   * @param tools reads tools
   */
  public Serve(Program.Parser scripts, Program.Parser bpftrace, Program.Parser tools) {
    this.parsers = new ScriptParsers(scripts, bpftrace, tools);
  }

  @Override
  public String name() {
    return "serve";
  }

  /** Made when it is asked for: most starts are those of other commands. */
  @Override
  public CommandManual manual() {
    return CommandManual.of(
            "ply serve",
            "run scripts as a service, and export their maps as metrics",
            Argument.of("config", Argument.Kind.FILE),
            "Runs the scripts, tools and programs of bpftrace that a configuration in YAML names,"
                + " and serves their maps to Prometheus or sends them to an OpenTelemetry"
                + " collector. A script that does not run is reported and tried again; the others"
                + " are unaffected. SIGHUP reads the configuration again: what is unchanged runs"
                + " on.",
            "[options] config")
        .with(
            "Options",
            CommandOption.flag(
                "", CHECK, "check the configuration and its scripts on this kernel, and exit"),
            CommandOption.flag(QUIET, "quiet", "show no warnings"),
            CommandOption.flag(DEBUG, "verbose", "report each step"),
            Shared.HELP)
        .with(new Section.Lines("A configuration", EXAMPLE))
        .with(
            Section.Terms.of(
                "Signals",
                new Section.Term(
                    "SIGHUP",
                    "Reads the configuration again. If it has errors, all runs as before."),
                new Section.Term(
                    "SIGTERM, SIGINT", "Stop all scripts, and send their metrics a last time.")))
        .with(
            Section.Terms.of(
                "Exit status",
                new Section.Term("0", "A signal has ended it, or --check has found no error."),
                new Section.Term(
                    "1",
                    "The configuration has errors, an exporter cannot start, or privileges"
                        + " are missing.")))
        .seeAlso("ply(1)", "ply-tool(1)", "ply-language(7)");
  }

  /** The configuration that the help shows. */
  static final String EXAMPLE =
      """
      prometheus: 9435                 # [HOST:]PORT; localhost unless HOST is given
      otlp: http://localhost:4318
      max_series: 1000
      scripts:
        disk:                          # its metrics are ply_disk_MAP
          file: disk.ply               # beside the configuration
          options: [--container, web]
        opens:
          tool: opensnoop
          options: [-n, nginx]
        latency:
          bpftrace: latency.bt
        reads:
          text: "kprobe:vfs_read { @[comm] = count(); }"
      """;

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(manual(), arguments);
    if (line.hasOption(Shared.HELP.letter())) {
      return streams.output().printed(help());
    }
    if (line.getArgList().size() != 1) {
      throw new UsageException(
          line.getArgList().isEmpty()
              ? "which configuration? ply serve CONFIG, and ply serve -h shows one"
              : "unexpected operand \""
                  + line.getArgList().get(1)
                  + "\": one configuration is served");
    }
    Console console =
        new Console(
            streams.output(),
            new ErrorStream(JournalLines.of(streams.errors(), System.getenv())),
            streams.console(OptionParser.remarks(line, DEBUG, QUIET)).remarks(),
            streams.terminal());
    try {
      return serve(
          OptionParser.path("config", line.getArgList().get(0)), line.hasOption(CHECK), console);
    } catch (NoClassDefFoundError e) {
      throw new UsageException(
          "ply serve needs the libraries of lib/metrics, which this installation lacks: "
              + e.getMessage());
    }
  }

  private int serve(Path file, boolean checks, Console console) throws UsageException {
    ServeConfig config;
    try {
      config = ConfigReader.read(file);
    } catch (ConfigReader.Refusal e) {
      e.lines().forEach(console::error);
      return ExitCode.FAILURE;
    }
    if (checks) {
      return check(file, config, console);
    }
    List<String> missing = Privileges.missing();
    if (!missing.isEmpty()) {
      console.error(String.join("; ", missing) + "; ply serve --check takes no privileges");
      return ExitCode.FAILURE;
    }
    KernelTracer.warmUp();
    ServedScript.ServedBy by =
        new ServedScript.ServedBy(
            console, parsers, new KernelTracers(), Backoff.USUAL, config.cost(), config.profiles());
    ServiceManager manager = ServiceManager.of(System.getenv());
    return new Failures(console)
        .guard(Source.NONE, () -> new Service(file, config, by, manager).run());
  }

  /** Checks all scripts, and shows all errors of each. */
  private int check(Path file, ServeConfig config, Console console) throws UsageException {
    int status = ExitCode.OK;
    try {
      if (config.prometheus().isPresent()) {
        InetSocketAddress unused = config.prometheus().get().socket();
      }
    } catch (UsageException e) {
      console.error(String.valueOf(e.getMessage()));
      status = ExitCode.FAILURE;
    }
    Map<String, String> scripts = new HashMap<>();
    for (ScriptConfig script : config.scripts()) {
      status = Math.max(status, check(script, scripts, console));
    }
    if (status == ExitCode.OK) {
      int count = config.scripts().size();
      console.message(
          file
              + " is correct, and so "
              + (count == 1 ? "is its script" : "are its " + count + " scripts"));
    }
    return status;
  }

  /**
   * Checks a script.
   *
   * @param scripts those before it that have a metric, by its name
   */
  private int check(ScriptConfig script, Map<String, String> scripts, Console console)
      throws UsageException {
    Program program;
    try {
      program = parsers.parse(script);
    } catch (UsageException e) {
      console.error("script " + script.name() + ": " + e.getMessage());
      return ExitCode.FAILURE;
    }
    int status =
        new Failures(console)
            .guard(
                program.source(),
                () -> {
                  DryRun run = new DryRun(console, program.request());
                  for (String metric :
                      SessionMetrics.names(run.check(program.source()), script.metrics())) {
                    String first = scripts.putIfAbsent(metric, script.name());
                    if (first != null) {
                      console.warning(MergedFamilies.taken(first, script.name(), metric));
                    }
                  }
                  return ExitCode.OK;
                });
    if (status != ExitCode.OK) {
      console.error("script " + script.name() + " cannot run here");
    }
    return status;
  }
}
