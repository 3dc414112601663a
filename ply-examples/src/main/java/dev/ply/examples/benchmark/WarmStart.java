package dev.ply.examples.benchmark;

import dev.ply.PreparedTrace;
import dev.ply.Session;
import dev.ply.kernel.KernelTracer;
import dev.ply.lang.PlyScript;
import java.util.ArrayList;
import java.util.List;

/** What starting a trace takes in a process that has started some before. */
final class WarmStart {
  /** Until then starts get quicker, since the compiler still has something to do. */
  private static final int WARM_UP = 2000;

  private static final int MEASURED = 51;

  private final String title;
  private final String text;
  private boolean warm;

  /** Starts of a program, which traces no other process than this one. */
  WarmStart(Program program) {
    title = program.title();
    text = program.text(Tool.Kind.OURS, ProcessHandle.current().pid()).orElseThrow();
  }

  String title() {
    return title;
  }

  /** Returns the milliseconds from the text until its programs run, the median of some starts. */
  double millis() {
    try (KernelTracer tracer = KernelTracer.open()) {
      if (!warm) {
        for (int i = 0; i < WARM_UP; i++) {
          start(tracer);
        }
        warm = true;
      }
      List<Double> times = new ArrayList<>();
      for (int i = 0; i < MEASURED; i++) {
        times.add(start(tracer));
      }
      return Report.quantile(times, 0.5);
    }
  }

  private double start(KernelTracer tracer) {
    long begin = System.nanoTime();
    try (PreparedTrace prepared = tracer.prepare(PlyScript.parse(text));
        Session session = prepared.start()) {
      double millis = (System.nanoTime() - begin) / 1e6;
      session.stop();
      return millis;
    }
  }
}
