package dev.ply.bpf.stream;

import static dev.ply.Values.arg;
import static dev.ply.Values.pid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.EventProbe;
import dev.ply.PreparedTrace;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceFailedException;
import dev.ply.TraceOptions;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.result.EndReason;
import dev.ply.result.Loss;
import dev.ply.result.OwnRun;
import dev.ply.result.Result;
import dev.ply.table.NamedTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The results of a trace as one stream. */
class ResultStreamTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Firing READ = Firing.kprobe("vfs_read");

  /** Writes a result on a line. */
  private static final class Text implements Result.Visitor<String> {
    @Override
    public String visit(Result.Attached attached) {
      return "attached " + attached.probes();
    }

    @Override
    public String visit(Result.Event event) {
      List<String> items = new ArrayList<>();
      for (int i = 0; i < event.values().size(); i++) {
        items.add(event.shape().items().get(i).name() + "=" + event.values().get(i).toText());
      }
      return "event " + items;
    }

    @Override
    public String visit(Result.Line line) {
      return line.message() + " \"" + line.text().replace("\n", "\\n") + "\"";
    }

    @Override
    public String visit(Result.Snapshot snapshot) {
      return snapshot.occasion() + " " + text(snapshot);
    }

    @Override
    public String visit(Result.Report report) {
      return report.reporter() + " " + report.message().message();
    }

    @Override
    public String visit(Result.Failure failure) {
      return "failure " + failure.error().sentence();
    }

    @Override
    public String visit(Result.Lost lost) {
      return lost.loss().sentence(lost.count());
    }

    @Override
    public String visit(Result.Cost cost) {
      return "cost";
    }

    @Override
    public String visit(Result.Sampled sampled) {
      return sampled.sentence();
    }

    @Override
    public String visit(Result.Content content) {
      return content.message() + " " + content.text().strip();
    }

    @Override
    public String visit(OwnRun run) {
      return run.toString();
    }

    @Override
    public String visit(Result.End end) {
      return "end " + end.reason();
    }
  }

  private static String text(Result.Snapshot snapshot) {
    return snapshot.maps().stream().map(ResultStreamTest::text).collect(Collectors.joining("; "));
  }

  private static String text(NamedTable map) {
    return map.name() + " {" + map.table().toString().replace("\n", ", ") + "}";
  }

  private static List<String> results(String script, Firing... firings) {
    List<String> results = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace =
            tracer
                .prepare(PlyScript.parse(script))
                .listen(result -> results.add(result.accept(new Text())));
        Session session = trace.start()) {
      for (Firing firing : firings) {
        tracer.fire(firing);
      }
      session.stop();
    }
    return results;
  }

  @Test
  void everyKindOfResultComesInOrder() {
    assertThat(
            results(
                """
                BEGIN { printf("%d\\n", 7); }
                kprobe:vfs_read {
                  print(pid, arg0); @[pid] = count(); print(@); warnf("pid %d\\n", pid);
                }
                END { exit(3); }
                """,
                READ.pid(5).arg(0, 9)))
        .containsExactly(
            "PRINTF \"7\\n\"",
            "attached 3",
            "event [pid=5, arg0=0x9]",
            "PRINTED @ {5: 1}",
            "SCRIPT pid 5",
            "FINAL @ {5: 1}",
            "end Exited[status=3]");
  }

  @Test
  void recordsOfTheFluentApiAreResults() {
    record Read(int pid, long size) {}
    EventProbe<Read> reads = Probe.kprobe("vfs_read").emit(Read.class, pid(), arg(2));
    List<String> results = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace =
            tracer
                .prepare(List.of(reads))
                .listen(result -> results.add(result.accept(new Text())));
        Session session = trace.start()) {
      tracer.fire(READ.pid(5).arg(2, 100));
      session.stop();
    }
    assertThat(results)
        .containsExactly("attached 1", "event [pid=5, size=0x64]", "FINAL ", "end Stopped[]");
  }

  @Test
  void subscribersGetTheEndAndAreCompleted() {
    List<Result> received = new ArrayList<>();
    CompletableFuture<Boolean> completed = new CompletableFuture<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace = tracer.prepare(PlyScript.parse("kprobe:vfs_read { exit(2); }"))) {
      trace
          .results()
          .subscribe(
              new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                  subscription.request(Long.MAX_VALUE);
                }

                @Override
                public void onNext(Result result) {
                  received.add(result);
                }

                @Override
                public void onError(Throwable thrown) {
                  completed.completeExceptionally(thrown);
                }

                @Override
                public void onComplete() {
                  completed.complete(true);
                }
              });
      try (Session session = trace.start()) {
        tracer.fire(READ);
        session.stop();
      }
      assertThat(completed.join()).isTrue();
    }
    assertThat(received).last().isEqualTo(new Result.End(new EndReason.Exited(2)));
  }

  @Test
  void anExceptionOfAListenerStopsTheTrace() {
    RuntimeException thrown = new IllegalStateException("no");
    try (SimulatedTracer tracer = SimulatedTracer.create();
        PreparedTrace trace =
            tracer
                .prepare(PlyScript.parse("kprobe:vfs_read { print(1); }"))
                .listen(
                    result -> {
                      if (result instanceof Result.Event) {
                        throw thrown;
                      }
                    });
        Session session = trace.start()) {
      tracer.fire(READ);
      assertThatThrownBy(session::stop).isInstanceOf(TraceFailedException.class).hasCause(thrown);
      assertThat(session.end()).contains(new EndReason.Failed(thrown));
    }
  }

  @Test
  void whatIsAddedIsToldOnceAlsoIfTheScriptClears() {
    String script =
        """
        kprobe:vfs_read { @n[pid] = count(); @most = max(arg2); @last[pid] = (int64)arg2; }
        kprobe:vfs_write { print(@n); clear(@n); }
        """;
    List<String> added = new ArrayList<>();
    List<String> totals = new ArrayList<>();
    try (SimulatedTracer tracer = SimulatedTracer.create();
        Session session = tracer.start(PlyScript.parse(script))) {
      session.addedEvery(SECOND, snapshot -> added.add(text(snapshot)));
      session.totalsEvery(SECOND, snapshot -> totals.add(text(snapshot)));
      tracer.fire(READ.pid(1).arg(2, 8));
      tracer.fire(READ.pid(1).arg(2, 8));
      tracer.advance(SECOND);
      tracer.fire(READ.pid(1).arg(2, 4));
      tracer.fire(Firing.kprobe("vfs_write"));
      tracer.fire(READ.pid(2).arg(2, 16));
      tracer.advance(SECOND);
      tracer.advance(SECOND);
      tracer.fire(READ.pid(2).arg(2, 1));
      session.stop();
    }
    assertThat(added)
        .containsExactly(
            "@n {1: 2}; @most {8}; @last {1: 8}",
            "@n {1: 1, 2: 1}; @most {16}; @last {1: 4, 2: 16}",
            "@n {}; @most {}; @last {}",
            "@n {2: 1}; @most {}; @last {2: 1}");
    assertThat(totals)
        .containsExactly(
            "@n {1: 2}; @most {8}; @last {1: 8}",
            "@n {2: 1}; @most {16}; @last {1: 4, 2: 16}",
            "@n {2: 1}; @most {16}; @last {1: 4, 2: 16}",
            "@n {2: 2}; @most {16}; @last {2: 1, 1: 4}");
  }

  @Test
  void whatIsAddedHasALimitAndTheRestIsCounted() {
    String script = "kprobe:vfs_read { @n[pid] = count(); } kprobe:vfs_write { clear(@n); }";
    List<Integer> rows = new ArrayList<>();
    try (SimulatedTracer tracer =
            SimulatedTracer.create(
                SimulatedTarget.create(), TraceOptions.DEFAULT.withMapEntries(8));
        Session session = tracer.start(PlyScript.parse(script))) {
      session.addedEvery(
          SECOND, snapshot -> rows.add(snapshot.maps().get(0).table().rows().size()));
      for (int pid = 1; pid <= 20; pid++) {
        tracer.fire(READ.pid(pid));
        if (pid % 4 == 0) {
          tracer.fire(Firing.kprobe("vfs_write"));
          tracer.advance(Duration.ofMillis(1));
        }
      }
      tracer.advance(SECOND);
      assertThat(rows).containsExactly(8);
      assertThat(session.lost(Loss.ADDED_KEYS)).isEqualTo(12);
      assertThat(session.losses().sentences())
          .contains("12 keys left out of what was added: a map was cleared too often in a period");
    }
  }
}
