package dev.ply.json;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.render.TextResults;
import dev.ply.result.Loss;
import dev.ply.result.OwnRun;
import dev.ply.result.ProbeCost;
import dev.ply.result.Result;
import dev.ply.result.RuntimeError;
import dev.ply.result.TraceCost;
import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;

/** Writes each result as a JSON object, with bpftrace's names where bpftrace has it. */
final class JsonResults extends TextResults {
  private final TextBuffer out;

  JsonResults(TextBuffer out, JsonFormat layout) {
    super(out, layout);
    this.out = out;
  }

  @Override
  public Boolean visit(Result.Attached attached) {
    appendCount("attached_probes", "probes", attached.probes());
    return true;
  }

  @Override
  public Boolean visit(Result.Report report) {
    if (report.reporter() == Result.Reporter.TRACER) {
      return false;
    }
    Diagnostic diagnostic = report.diagnostic();
    String type = diagnostic.severity() == Severity.ERROR ? "errorf" : "warnf";
    out.append("{\"type\": \"").append(type).append("\", \"msg\": ");
    JsonString.append(out, diagnostic.message());
    appendPosition(diagnostic.span());
    out.append("}\n");
    return true;
  }

  @Override
  public Boolean visit(Result.Failure failure) {
    RuntimeError error = failure.error();
    String type = error.helper().isPresent() ? "helper_error" : "runtime_error";
    out.append("{\"type\": \"").append(type).append("\", \"msg\": ");
    JsonString.append(out, error.message());
    if (error.helper().isPresent()) {
      out.append(", \"helper\": ");
      JsonString.append(out, error.helper().get().name());
      out.append(", \"retcode\": ").append(error.helper().get().code());
    }
    appendPosition(error.span());
    out.append(", \"count\": ").append(error.count()).append("}\n");
    return true;
  }

  private void appendPosition(SourceSpan span) {
    out.append(", \"filename\": ");
    JsonString.append(out, span.source());
    out.append(", \"line\": ").append(span.line());
    out.append(", \"col\": ").append(span.column());
  }

  @Override
  public Boolean visit(Result.Lost lost) {
    if (lost.loss() != Loss.EVENTS) {
      return false;
    }
    appendCount("lost_events", "events", lost.count());
    return true;
  }

  @Override
  public Boolean visit(Result.Cost result) {
    TraceCost cost = result.cost();
    out.append("{\"type\": \"cost\", \"data\": {\"elapsed_ns\": ");
    out.append(cost.elapsed().toNanos()).append(", \"tracer_ns\": ");
    out.append(cost.tracer().toNanos()).append(", \"measuring_ns\": ");
    out.append(cost.measuring().toNanos()).append(", \"probes\": [");
    String separator = "";
    for (ProbeCost probe : cost.probes()) {
      out.append(separator).append("{\"probe\": ");
      JsonString.append(out, probe.name());
      out.append(", \"mechanism\": ");
      JsonString.append(out, probe.mechanism().toString());
      out.append(", \"hits\": ").append(probe.hits());
      out.append(", \"time_ns\": ").append(probe.time().toNanos()).append('}');
      separator = ", ";
    }
    out.append("]}}\n");
    return true;
  }

  @Override
  public Boolean visit(Result.Sampled sampled) {
    out.append("{\"type\": \"sampled\", \"data\": {\"one_of\": ").append(sampled.oneOf());
    out.append("}}\n");
    return true;
  }

  @Override
  public Boolean visit(OwnRun run) {
    return run.accept(new Run());
  }

  /** Writes what tests and benchmarks gave, and nothing of their progress. */
  private final class Run implements OwnRun.Visitor<Boolean> {
    @Override
    public Boolean visit(OwnRun.TestsBegin run) {
      return true;
    }

    @Override
    public Boolean visit(OwnRun.TestBegins run) {
      return true;
    }

    @Override
    public Boolean visit(OwnRun.Test test) {
      beginNamed("test_result", test.name());
      out.append("\"duration\": ").append(test.nanos());
      out.append(", \"passed\": ").append(String.valueOf(test.hasPassed()));
      out.append(", \"output\": ");
      JsonString.append(out, test.output());
      out.append("}}}\n");
      return true;
    }

    @Override
    public Boolean visit(OwnRun.TestsEnd run) {
      return true;
    }

    @Override
    public Boolean visit(OwnRun.Benchmarks all) {
      for (OwnRun.Benchmark one : all.benchmarks()) {
        beginNamed("benchmark_result", one.name());
        out.append("\"average\": ").append(one.nanos());
        out.append(", \"iters\": ").append(one.runs()).append("}}}\n");
      }
      return true;
    }
  }

  private void beginNamed(String type, String name) {
    out.append("{\"type\": \"").append(type).append("\", \"data\": {");
    JsonString.append(out, name);
    out.append(": {");
  }

  /** Writes a number twice, where readers of different versions of bpftrace expect it. */
  private void appendCount(String type, String what, long count) {
    out.append("{\"type\": \"").append(type).append("\", \"count\": ").append(count);
    out.append(", \"data\": {\"").append(what).append("\": ").append(count).append("}}\n");
  }
}
