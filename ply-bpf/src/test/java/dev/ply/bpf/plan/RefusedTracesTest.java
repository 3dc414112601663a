package dev.ply.bpf.plan;

import static dev.ply.Values.field;
import static dev.ply.Values.pid;
import static dev.ply.value.MemoryValues.socketCookie;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Probe;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.session.MachineTracer;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.diagnostic.CompilationException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Traces that the kernel refuses when it loads them. */
class RefusedTracesTest {
  /** What a kernel says of a program. */
  private static final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static MachineTracer tracer() {
    return new MachineTracer(
        TraceCompiler.ofKernel(
            SimulatedTarget.create().withTypes(KernelObjectsTest.types()), CompilerOptions.DEFAULT),
        object -> {
          throw new Refusal();
        },
        MachineTracer.Reading.BY_CALLER);
  }

  @Test
  void theScriptIsBlamedIfItIsTheReason() {
    List<Probe> untrusted =
        List.of(Probe.rawTracepoint("consume").print(socketCookie(field("skb").member("sk"))));
    try (MachineTracer tracer = tracer()) {
      assertThatExceptionOfType(CompilationException.class)
          .isThrownBy(() -> tracer.prepare(untrusted))
          .withMessageContaining("the kernel does not accept a structure that is reached this way");
    }
  }

  @Test
  void elseTheKernelHasTheLastWord() {
    try (MachineTracer tracer = tracer()) {
      assertThatThrownBy(() -> tracer.prepare(List.of(Probe.begin().print(pid()))))
          .isInstanceOf(Refusal.class);
    }
  }
}
