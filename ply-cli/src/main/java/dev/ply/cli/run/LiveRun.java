package dev.ply.cli.run;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.TraceFailedException;
import dev.ply.bpf.object.BpfObject;
import dev.ply.cli.input.CallerEnvironment;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.CopiedRenderer;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.ResultOutput;
import dev.ply.cli.io.Signals;
import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Source;
import dev.ply.export.PageRenderer;
import dev.ply.ir.Script;
import dev.ply.kernel.IgnoredSignals;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Privileges;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.process.ChildProcess;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.layout.OutputFormat;
import dev.ply.probe.TracerProbe;
import dev.ply.result.Loss;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import dev.ply.text.TextBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** Runs a program on the running kernel until it ends, and prints its results. */
public final class LiveRun {
  /** The interval between checks for lost events. */
  private static final Duration TICK = Duration.ofMillis(200);

  /** The ticks between looks at what is lost, which read maps of the kernel. */
  private static final int LOSSES = 3;

  private final Console console;
  private final TraceRequest request;
  private final TraceEnd ending = new TraceEnd();
  private final Interruptions interruptions;

  /** Creates a run of a request. */
  public LiveRun(Console console, TraceRequest request) {
    this.console = console;
    this.request = request;
    this.interruptions = new Interruptions(console, ending);
  }

  /**
   * Runs a program and returns the exit status.
   *
   * @throws UsageException if a file cannot be written, or a format shows nothing of the program
   */
  public int run(Source source) throws InterruptedException, UsageException {
    RunningKernel kernel = request.kernel();
    CopiedRenderer renderer =
        CopiedRenderer.open(
            request.outputs(),
            format ->
                format == OutputFormat.HTML
                    ? target -> new PageRenderer(target, PageOrigin.of(source))
                    : request.layouts().apply(format),
            kernel);
    int status;
    try (renderer) {
      status = run(source, kernel, renderer);
    }
    if (renderer.fault().isPresent()) {
      console.error("output is lost: " + renderer.fault().get());
      return ExitCode.FAILURE;
    }
    return status;
  }

  private int run(Source source, RunningKernel kernel, CopiedRenderer renderer)
      throws InterruptedException, UsageException {
    List<String> missing = Privileges.missing();
    if (!missing.isEmpty()) {
      console.error(String.join("; ", missing) + "; " + request.frontEnd().remedies().privileges());
      return ExitCode.FAILURE;
    }
    Thread beside = new Thread(KernelTracer::warmUp, "ply-warm-up");
    beside.setDaemon(true);
    beside.start();
    // From the start: a shell's background job would ignore Ctrl-C while the script is loaded.
    IgnoredSignals.heedInterrupt();
    // The thread name that BEGIN and END see.
    Thread.currentThread().setName(request.frontEnd().threadName());
    CallerEnvironment caller = CallerEnvironment.read();
    if (request.command().isEmpty()) {
      return trace(
          source, kernel, request.arguments(caller.variables()), Optional.empty(), renderer);
    }
    try (ChildProcess child = ChildProcess.start(request.command().get(), caller.entries())) {
      console.debug("command started, waiting as process " + child.pid());
      ScriptArguments arguments =
          request
              .arguments(caller.variables())
              .withVariable("target", Long.toString(child.pid()))
              .withCommand(
                  new ScriptArguments.Command(child.pid(), request.command().get().staysShell()));
      return trace(source, kernel, arguments, Optional.of(child), renderer);
    }
  }

  private int trace(
      Source source,
      RunningKernel kernel,
      ScriptArguments arguments,
      Optional<ChildProcess> child,
      CopiedRenderer renderer)
      throws InterruptedException, UsageException {
    ResultOutput results = new ResultOutput(console.output(), renderer);
    Compilation compilation = new Compilation(console, request.kernel(), request.sizes());
    FollowerGroup followers = FollowerGroup.of(request, console);
    Script script =
        followers.extend(
            source,
            request.configured(request.reader().read(compilation, source, arguments), arguments));
    if (!request.dump().isEmpty()) {
      BpfObject object = compilation.compile(compilation.analyze(script));
      compilation.dump(source, script, object, request.dump());
    }
    Optional<PrivilegeDrop> drop =
        request.privileges().isPresent()
            ? Optional.of(PrivilegeDrop.to(request.privileges().get(), console, request, kernel))
            : Optional.empty();
    try (KernelTracer tracer = KernelTracer.open(kernel, request.sizes())) {
      long begin = System.nanoTime();
      PreparedTrace trace = tracer.prepare(script);
      console.debugTime("compiled, verified and loaded", begin);
      console.diagnostics(trace.warnings(), source);
      FormatCheck.apply(console, request, trace.schemas(), trace.events());
      interruptions.watch(child);
      begin = System.nanoTime();
      // What BEGIN prints comes after the report of attachment.
      console.output().hold();
      OwnRuns own = new OwnRuns(console, source, results);
      boolean isTrace = request.purpose() == Purpose.TRACE;
      if (isTrace && request.others().isPresent()) {
        trace = trace.listen(OtherResults.of(console, renderer, request.others().get()));
      }
      try (followers;
          Session session =
              followers
                  .join(trace)
                  .writeTo(isTrace ? console.output() : own.output(), target -> renderer)
                  .reportTo(
                      report -> {
                        if (isTrace) {
                          console.diagnostics(List.of(report), source);
                        } else {
                          own.report(report);
                        }
                      })
                  .start()) {
        console.debugTime("attached", begin);
        if (console.debugs()) {
          Attachments.lines(session.attachments()).forEach(console::debug);
        }
        console.diagnostics(session.notes(), source);
        Announcements announcements = new Announcements(console, request, results);
        if (isSignalled(script)) {
          Signals.onEach(TracerProbe.UserSignal.NAME, () -> signalled(session));
        }
        if (isTrace) {
          announcements.attached(script, session);
        } else {
          console.output().release(new TextBuffer());
        }
        ending.follow(session);
        request.duration().ifPresent(ending::after);
        request.process().ifPresent(ending::withProcess);
        request.end().ifPresent(ending::with);
        followers.follow(session, results, ending::end);
        if (isTrace) {
          showPeriods(session, results);
        }
        boolean isDropped = drop.isEmpty() || drop.get().drop(session);
        child.ifPresent(this::release);
        int status = run(own, session, script);
        if (endsAfterBegin(session, script) || !isTrace || !isDropped) {
          ending.end();
        }
        status = Math.max(status, finish(session, script, announcements, renderer, followers));
        if (!isDropped
            || followers.hasFailed()
            || (child.isPresent() && reportRefusal(child.get()))) {
          status = ExitCode.FAILURE;
        }
        // Releasing resources takes the kernel a while: results are printed first.
        console.output().flush();
        return status;
      } finally {
        console.output().release(new TextBuffer());
      }
    }
  }

  private void showPeriods(Session session, ResultOutput results) {
    Duration period = request.outputs().period();
    if (period.isZero()) {
      return;
    }
    if (request.outputs().shows(Result.Occasion.ADDED)) {
      session.addedEvery(period, results::printPeriod);
    }
    if (request.outputs().shows(Result.Occasion.TOTALS)) {
      session.totalsEvery(period, results::printPeriod);
    }
  }

  private boolean endsAfterBegin(Session session, Script script) {
    return request.frontEnd().endsWithoutProbes()
        && !isSignalled(script)
        && request.command().isEmpty()
        && request.process().isEmpty()
        && session.attachments().isEmpty();
  }

  private static boolean isSignalled(Script script) {
    return script.clauses().stream()
        .anyMatch(clause -> clause.point() instanceof TracerProbe.UserSignal);
  }

  private static void signalled(Session session) {
    if (session.end().isEmpty()) {
      try {
        OptionalInt unused = session.run(new TracerProbe.UserSignal().definition());
      } catch (IllegalStateException e) {
        // The trace has been stopped in the meantime.
        return;
      }
    }
  }

  /** Runs tests or benchmarks, if the script is run for them, and returns the exit status. */
  private int run(OwnRuns own, Session session, Script script) {
    return switch (request.purpose()) {
      case TRACE -> ExitCode.OK;
      case TEST -> own.test(session, script);
      case MEASURE -> own.measure(session, script);
    };
  }

  private void release(ChildProcess child) {
    CompletableFuture<Void> unused = child.status().thenRun(ending::end);
    child.release();
  }

  /** Prints an error if the shell could not run its command, and returns whether it could not. */
  private boolean reportRefusal(ChildProcess child) {
    int status = child.status().getNow(ExitCode.OK);
    if (status != ExitCode.NOT_FOUND && status != ExitCode.NOT_EXECUTABLE) {
      return false;
    }
    console.error(
        "the command of -c did not run: its shell exited with status "
            + status
            + (status == ExitCode.NOT_FOUND ? ", not found" : ", cannot be executed"));
    return true;
  }

  private int finish(
      Session session,
      Script script,
      Announcements announcements,
      CopiedRenderer renderer,
      FollowerGroup followers)
      throws InterruptedException {
    ResultOutput results = new ResultOutput(console.output(), renderer);
    boolean lost = false;
    Silence silence = new Silence(console, Silence.PATIENCE, Silence.COUNTED);
    if (!announcements.isWatched(session)) {
      silence.end();
    }
    for (int tick = 1;
        !ending.await(TICK) && !lost && !console.output().hasFailed() && !renderer.hasFailed();
        tick++) {
      silence.watch(session);
      if (tick % LOSSES == 0) {
        announcements.lost(session);
        lost =
            request.onLoss() == TraceRequest.OnLoss.STOP
                && (session.lost(Loss.EVENTS) > 0 || session.lost(Loss.UPDATES) > 0);
      }
    }
    silence.end();
    followers.stopping(session);
    interruptions.stopping();
    long begin = System.nanoTime();
    Optional<TraceFailedException> failure = stop(session);
    console.debugTime("detached", begin);
    interruptions.printing();
    FinalMaps maps = new FinalMaps(console, results);
    List<NamedTable> tables = maps.read(session);
    if (request.purpose() == Purpose.TRACE) {
      if (script.configuration().printsMaps()) {
        maps.print(tables);
      } else {
        maps.printDocuments(tables);
      }
      followers.stopped(session, results);
      session.end().ifPresent(reason -> results.printDocuments(new Result.End(reason)));
    }
    if (request.notices() == TraceRequest.Notices.SHOWN) {
      request.frontEnd().stopped(console, session, script, tables);
    }
    int status = new LossReport(console, request, script).run(session, tables);
    if (failure.isPresent()) {
      throw failure.get();
    }
    if (maps.areIncomplete()) {
      return ExitCode.FAILURE;
    }
    return status == ExitCode.OK
        ? session.exitStatus().stream().map(ExitCode::ofScript).findFirst().orElse(ExitCode.OK)
        : status;
  }

  /** Results are printed before the failure. */
  private static Optional<TraceFailedException> stop(Session session) {
    try {
      session.stop();
      return Optional.empty();
    } catch (TraceFailedException e) {
      return Optional.of(e);
    }
  }
}
