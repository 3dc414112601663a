package dev.ply.bpf.session;

import dev.ply.bpf.object.ProbeProgram;
import dev.ply.probe.TracerProbe;
import java.util.List;

/**
 * The programs of a trace: those of probes, which are attached or iterate, and the tracer's own.
 */
record TracePrograms(List<ProbeProgram> all) {
  /** Returns the programs of probes. */
  List<ProbeProgram> ofProbes() {
    return all.stream().filter(program -> program.own().isEmpty()).toList();
  }

  /** Returns the programs that are attached. */
  List<ProbeProgram> attached() {
    return ofProbes().stream().filter(program -> !program.iterates()).toList();
  }

  /** Returns the programs of iterators. */
  List<ProbeProgram> iterators() {
    return all.stream().filter(ProbeProgram::iterates).toList();
  }

  /** Returns the programs of an event of the tracer's own. */
  List<ProbeProgram> of(TracerProbe point) {
    return all.stream().filter(program -> program.own().filter(point::equals).isPresent()).toList();
  }

  /** Returns the program that a Java program runs by its probe's definition. */
  ProbeProgram own(String probe) {
    return all.stream()
        .filter(
            program ->
                program
                    .own()
                    .filter(own -> !own.isOfEveryTrace() && own.definition().equals(probe))
                    .isPresent())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the trace has no probe " + probe));
  }
}
