package dev.ply.bpf.codegen.emit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.diagnostic.CompilationException;
import dev.ply.lang.PlyScript;
import org.junit.jupiter.api.Test;

/** The memory of a program. */
class MemoryTest {
  @Test
  void valuesThatDoNotFitAreAnErrorOfTheScript() {
    String nested = "str(".repeat(20) + "1" + ", 16000)".repeat(20);
    TraceCompiler compiler = new TraceCompiler(SimulatedTarget.create(), CompilerOptions.DEFAULT);
    assertThatExceptionOfType(CompilationException.class)
        .isThrownBy(
            () ->
                compiler.compile(
                    PlyScript.parse("BEGIN { print(" + nested + ", " + nested + "); }")))
        .withMessageContaining("more values at a time than fit a program's memory");
  }
}
