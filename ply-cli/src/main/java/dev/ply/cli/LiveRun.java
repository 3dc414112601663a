package dev.ply.cli;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.Session.NamedTable;
import dev.ply.TraceFailedException;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Privileges;
import dev.ply.kernel.RunningKernel;
import dev.ply.result.Datum;
import dev.ply.result.TextBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a program on the running kernel until it ends, and shows what it has collected. */
final class LiveRun {
  /** How long lost events may go unnoticed. */
  private static final Duration TICK = Duration.ofMillis(100);

  /** How many of the places that are attached alike are told. */
  private static final int NAMED = 3;

  private final Console console;
  private final Options options;
  private final TraceEnd ending = new TraceEnd();

  LiveRun(Console console, Options options) {
    this.console = console;
    this.options = options;
  }

  /** Runs a program and returns the exit status. */
  int run(Source source) throws InterruptedException {
    List<String> missing = Privileges.missing();
    if (!missing.isEmpty()) {
      console.error(
          String.join("; ", missing)
              + "; -e checks a program without that, and -e -S shows its bytecode");
      return ExitCode.FAILURE;
    }
    Thread beside = new Thread(KernelTracer::warmUp, "ply-warm-up");
    beside.setDaemon(true);
    beside.start();
    // What BEGIN and END see as their thread's name.
    Thread.currentThread().setName("ply");
    if (options.command().isEmpty()) {
      return trace(source, options.environment(), () -> {});
    }
    try (ChildProcess child = ChildProcess.start(options.command().get())) {
      console.debug("the command waits as process " + child.pid());
      Map<String, String> environment = new HashMap<>(options.environment());
      environment.put("target", Long.toString(child.pid()));
      return trace(source, environment, () -> child.release(ending::end));
    }
  }

  /** Something that has to wait until everything is attached. */
  private interface Release {
    void run() throws InterruptedException;
  }

  private int trace(Source source, Map<String, String> environment, Release onceAttached)
      throws InterruptedException {
    Compilation compilation = new Compilation(console, options.sizes());
    Script script = compilation.parse(source, environment);
    if (options.dump()) {
      compilation.dump(source, script, compilation.compile(compilation.analyze(script)));
    }
    try (KernelTracer tracer = KernelTracer.open(options.sizes())) {
      long begin = System.nanoTime();
      PreparedTrace trace = tracer.prepare(script);
      console.debugTime("compiled, verified and loaded", begin);
      console.diagnostics(trace.warnings(), source);
      Signals.onFirst(ending::signal);
      begin = System.nanoTime();
      try (Session session = trace.writeTo(console.output(), options.layout()).start()) {
        console.debugTime("attached", begin);
        if (console.debug()) {
          attachments(session).forEach(console::debug);
        }
        console.diagnostics(session.notes(), source);
        ending.follow(session);
        onceAttached.run();
        int status = finish(session);
        // What is left to give back takes the kernel a while: nobody shall wait for results.
        console.output().flush();
        return status;
      }
    }
  }

  /** Returns a line for each way that was chosen, and each reason. */
  private static List<String> attachments(Session session) {
    Map<String, List<String>> points = new LinkedHashMap<>();
    for (Session.Attached attached : session.attachments()) {
      points
          .computeIfAbsent(
              "by " + attached.mechanism() + ", since " + attached.reason(),
              how -> new ArrayList<>())
          .add(attached.point());
    }
    List<String> lines = new ArrayList<>();
    points.forEach(
        (how, where) -> {
          int more = where.size() - NAMED;
          lines.add(
              String.join(", ", where.subList(0, Math.min(NAMED, where.size())))
                  + (more > 0 ? " and " + more + " more " : " ")
                  + how);
        });
    return lines;
  }

  private int finish(Session session) throws InterruptedException {
    boolean lost = false;
    while (!ending.await(TICK) && !lost && !console.output().hasFailed()) {
      lost = !options.keepGoing() && (session.lostEvents() > 0 || session.failedUpdates() > 0);
    }
    long begin = System.nanoTime();
    Optional<TraceFailedException> failure = stop(session);
    console.debugTime("detached", begin);
    List<NamedTable> tables = session.tables();
    TextBuffer maps = new TextBuffer();
    options
        .layout()
        .on(new RunningKernel())
        .appendMaps(
            maps,
            tables.stream().map(table -> new Datum.Dump(table.name(), table.table())).toList());
    console.output().print(maps);
    int status = reportLosses(session, tables);
    if (failure.isPresent()) {
      throw failure.get();
    }
    return status == ExitCode.OK
        ? session.exitStatus().stream().map(ExitCode::ofScript).findFirst().orElse(ExitCode.OK)
        : status;
  }

  /** What was collected before a failure is worth showing before the failure is. */
  private static Optional<TraceFailedException> stop(Session session) {
    try {
      session.stop();
      return Optional.empty();
    } catch (TraceFailedException e) {
      return Optional.of(e);
    }
  }

  private int reportLosses(Session session, List<NamedTable> tables) {
    long stacks = session.lostStacks();
    if (stacks > 0) {
      console.warning(stacks + " stack traces not stored: others took their place in the kernel");
    }
    session.symbolShortage().ifPresent(console::warning);
    long loops = session.stoppedLoops();
    if (loops > 0) {
      console.warning(
          (loops == 1 ? "a loop was" : loops + " loops were") + " stopped after 1024 rounds");
    }
    long missed = session.missedRuns();
    if (missed > 0) {
      console.warning(
          missed
              + " hits missed: the program was under way on that processor already, or too many"
              + " calls were");
    }
    int ofUpdates =
        reportLoss(session.failedUpdates(), "updates", full(tables), "--map-entries N makes room");
    int ofEvents =
        reportLoss(
            session.lostEvents(), "events", "the buffer was full", "--buffer BYTES makes room");
    return Math.max(ofUpdates, ofEvents);
  }

  /** Reports data that is lost, and returns the exit status that this means. */
  private int reportLoss(long count, String what, String why, String remedy) {
    if (count == 0) {
      return ExitCode.OK;
    }
    if (options.keepGoing()) {
      console.warning(count + " " + what + " lost: " + why + " (" + remedy + ")");
      return ExitCode.OK;
    }
    console.error(
        "lost " + count + " " + what + ": " + why + " (" + remedy + ", -k goes on regardless)");
    return ExitCode.FAILURE;
  }

  private String full(List<NamedTable> tables) {
    int limit = options.sizes().mapEntries();
    return tables.stream()
            .filter(table -> table.table().size() >= limit)
            .map(NamedTable::name)
            .findFirst()
            .map(name -> "map \"" + name + "\" is")
            .orElse("a map was")
        + " full at "
        + limit
        + " keys";
  }
}
