package dev.ply.cli.run;

import dev.ply.probe.AttachPoint;
import dev.ply.probe.TracerProbe;

/** The purpose of running a script. */
public enum Purpose {
  /** To trace. */
  TRACE,
  /** To run its tests. */
  TEST,
  /** To run its benchmarks. */
  MEASURE;

  /** Returns whether a probe runs then: tests and benchmarks only for their own purpose. */
  boolean includes(AttachPoint point) {
    if (point instanceof TracerProbe.Test) {
      return this == TEST;
    }
    return !(point instanceof TracerProbe.Bench) || this == MEASURE;
  }
}
