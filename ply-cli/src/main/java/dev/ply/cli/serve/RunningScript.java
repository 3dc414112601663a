package dev.ply.cli.serve;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.Tracer;
import dev.ply.cli.input.CallerEnvironment;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.DiagnosticLine;
import dev.ply.cli.io.ErrorStream;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Terminal;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.metrics.ScriptMetrics;
import dev.ply.cli.profile.ProfileExport;
import dev.ply.cli.run.Compilation;
import dev.ply.cli.run.Program;
import dev.ply.cli.run.TraceRequest;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.lang.argument.ScriptArguments;
import java.io.OutputStream;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A script that is loaded, and then runs. For one thread. */
final class RunningScript implements AutoCloseable {
  private final ScriptConfig config;
  private final Source source;
  private final Script script;
  private final Tracer tracer;
  private final PreparedTrace trace;
  private final Optional<ProfileExport> profiles;
  private Optional<Session> session = Optional.empty();

  private RunningScript(
      ScriptConfig config,
      Source source,
      Script script,
      Tracer tracer,
      PreparedTrace trace,
      Optional<ProfileExport> profiles) {
    this.profiles = profiles;
    this.config = config;
    this.source = source;
    this.script = script;
    this.tracer = tracer;
    this.trace = trace;
  }

  /**
   * Compiles and loads a script; nothing is attached yet.
   *
   * @param warnings gets a line for each warning of the script
   * @param profiles sends its maps that are profiles
   * @throws UsageException if they cannot be sent
   */
  static RunningScript load(
      ScriptConfig config,
      Program program,
      Tracers tracers,
      Consumer<String> warnings,
      Optional<ProfileExport> profiles)
      throws UsageException {
    TraceRequest request = program.request();
    ScriptArguments arguments = request.arguments(CallerEnvironment.read().variables());
    Compilation compilation = new Compilation(silent(), request.kernel(), request.sizes());
    Script script =
        request.configured(
            request.reader().read(compilation, program.source(), arguments), arguments);
    Tracer tracer = tracers.open(request);
    try {
      PreparedTrace trace = tracer.prepare(ScriptMetrics.extended(script));
      trace.warnings().stream().map(DiagnosticLine::of).forEach(warnings);
      if (profiles.isPresent()) {
        trace = profiles.get().join(trace);
      }
      return new RunningScript(config, program.source(), script, tracer, trace, profiles);
    } catch (UsageException | RuntimeException | Error e) {
      tracer.close();
      throw e;
    }
  }

  /** What is wrong is in the exception. */
  private static Console silent() {
    return new Console(
        new Output(OutputStream.nullOutputStream()),
        new ErrorStream(OutputStream.nullOutputStream()),
        Set.of(),
        Terminal.NONE);
  }

  /** Returns whether this is the script of a configuration, as its files are now. */
  boolean isOf(ScriptConfig other, Source read) {
    return config.equals(other) && source.equals(read);
  }

  /**
   * Attaches its probes.
   *
   * @param metrics that continue with it
   * @param reports gets what goes wrong while it runs
   * @param ended called when it has ended by itself
   * @return the number of probes
   */
  int start(ScriptMetrics metrics, Consumer<Diagnostic> reports, Runnable ended) {
    Session started = trace.reportTo(reports).start();
    session = Optional.of(started);
    metrics.follow(started, script);
    profiles.ifPresent(one -> one.follow(started));
    started.onEnd(reason -> ended.run());
    return started.attachments().size();
  }

  /** Returns whether it has ended by itself. */
  boolean hasEnded() {
    return session.flatMap(Session::end).isPresent();
  }

  /**
   * Detaches its probes, and takes its last updates.
   *
   * @param metrics that have followed it
   * @throws dev.ply.TraceFailedException if it failed while it ran
   */
  void stop(ScriptMetrics metrics) {
    try {
      session.ifPresent(Session::stop);
    } finally {
      profiles.ifPresent(ProfileExport::stopped);
      metrics.release();
      close();
    }
  }

  @Override
  public void close() {
    profiles.ifPresent(ProfileExport::close);
    try {
      session.ifPresent(Session::close);
    } finally {
      tracer.close();
    }
  }
}
