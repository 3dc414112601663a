package dev.ply.cli.bcc;

import dev.ply.cli.info.Version;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.Failures;
import dev.ply.cli.io.Streams;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.run.DryRun;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.LiveRun;
import dev.ply.cli.run.Remedies;
import dev.ply.lang.bcc.ArgdistScript;
import dev.ply.lang.print.ScriptPrinter;

/**
 * {@code ply argdist}: argdist's options, specifiers and output. Also run through a link named
 * {@code argdist}.
 */
public final class Argdist implements FrontEnd {
  private static final Remedies REMEDIES =
      Remedies.of(
          "raise it with --map-entries N",
          "enlarge it with --buffer BYTES",
          "--script shows the program without it");

  @Override
  public String name() {
    return "argdist";
  }

  @Override
  public CommandManual manual() {
    return ArgdistManual.MANUAL;
  }

  @Override
  public Remedies remedies() {
    return REMEDIES;
  }

  @Override
  public String threadName() {
    return name();
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    ArgdistOptions options = ArgdistOptions.parse(this, arguments);
    Console console = streams.console(options.remarks());
    if (options.action() == ArgdistOptions.Action.HELP) {
      return streams.output().printed(help());
    }
    if (options.action() == ArgdistOptions.Action.VERSION) {
      return streams.output().printed(Version.text() + "\n");
    }
    options.plain().outputs().open(streams);
    if (options.requests().isEmpty()) {
      throw new UsageException(
          "at least one specifier is required: -C or -H; ply argdist -h shows examples");
    }
    ArgdistScript script =
        ArgdistScript.translate(
            options.requests(),
            options.settings().with(new IncludedHeaders(console).definitions(options.headers())));
    return new Failures(console).guard(script.source(), () -> run(options, script, console));
  }

  private static int run(ArgdistOptions options, ArgdistScript script, Console console)
      throws InterruptedException, UsageException {
    boolean isShown = options.action() == ArgdistOptions.Action.SHOW;
    if (isShown || console.debugs()) {
      console.output().print(ScriptPrinter.print(script.result().orThrow()));
      console.output().flush();
    }
    return switch (options.action()) {
      case SHOW, HELP, VERSION -> ExitCode.OK;
      case CHECK -> new DryRun(console, options.request(script)).run(script.source());
      case RUN -> new LiveRun(console, options.request(script)).run(script.source());
    };
  }
}
