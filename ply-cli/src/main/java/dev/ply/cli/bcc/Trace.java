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
import dev.ply.cli.run.TraceRequest;
import dev.ply.lang.bcc.TraceScript;
import dev.ply.lang.print.ScriptPrinter;
import java.util.Optional;

/**
 * {@code ply trace}: trace's options, specifiers and output. Also run as a tool, and through a link
 * named {@code trace}.
 */
public final class Trace implements FrontEnd {
  private static final Remedies REMEDIES =
      Remedies.of(
          "raise it with --map-entries N",
          "enlarge it with -b PAGES",
          "--script shows the program without it");

  private Optional<String> heading = Optional.empty();

  @Override
  public String name() {
    return "trace";
  }

  @Override
  public CommandManual manual() {
    return TraceManual.MANUAL;
  }

  @Override
  public Remedies remedies() {
    return REMEDIES;
  }

  @Override
  public Optional<String> readiness() {
    return heading;
  }

  @Override
  public int run(Streams streams, String... arguments) throws UsageException {
    TraceOptions options = TraceOptions.parse(this, arguments);
    Console console = streams.console(options.remarks());
    if (options.action() == TraceOptions.Action.HELP) {
      return streams.output().printed(help());
    }
    if (options.action() == TraceOptions.Action.VERSION) {
      return streams.output().printed(Version.text() + "\n");
    }
    if (options.output().isPresent()) {
      streams.output().redirect(options.output().get());
    }
    if (options.specifiers().isEmpty()) {
      throw new UsageException("at least one probe is required; ply trace -h shows examples");
    }
    TraceScript script =
        TraceScript.translate(
            options.specifiers(),
            options.settings().with(new IncludedHeaders(console).definitions(options.headers())));
    return new Failures(console).guard(script.source(), () -> run(options, script, console));
  }

  private int run(TraceOptions options, TraceScript script, Console console)
      throws InterruptedException, UsageException {
    boolean isShown = options.action() == TraceOptions.Action.SHOW;
    if (isShown || console.debugs()) {
      console.output().print(ScriptPrinter.print(script.result().orThrow()));
      console.output().flush();
    }
    TraceRequest request = options.request(script);
    return switch (options.action()) {
      case SHOW, HELP, VERSION -> ExitCode.OK;
      case CHECK -> new DryRun(console, request).run(script.source());
      case RUN -> {
        heading = Optional.of(script.heading().stripTrailing());
        yield new LiveRun(console, request).run(script.source());
      }
    };
  }
}
