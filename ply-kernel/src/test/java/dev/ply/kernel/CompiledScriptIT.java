package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Scene;
import dev.ply.bpf.generate.Scripts;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.golden.GoldenFile;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.kernel.attach.Attacher;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.lang.PlyScript;
import dev.ply.target.Architecture;
import dev.ply.target.Target;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The running kernel accepts what the compiler makes; nothing is attached. */
@Tag("live")
class CompiledScriptIT {
  /** An emulated machine takes a second or two for each. */
  private static final int RANDOM_SCRIPTS = System.getProperty("ply.guest") == null ? 200 : 10;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
    assumeTrue(
        new RunningKernel().architecture() == Architecture.X86_64,
        "the simulated target is an x86-64 machine");
  }

  @TestFactory
  Stream<DynamicTest> goldenScriptsAreAccepted() throws IOException {
    Optional<Path> folder = goldenScripts();
    assumeTrue(folder.isPresent(), "the golden files are not on this machine");
    List<Path> files;
    try (Stream<Path> entries = Files.list(folder.orElseThrow())) {
      files = entries.sorted().toList();
    }
    return files.stream()
        .map(
            file ->
                DynamicTest.dynamicTest(
                    String.valueOf(file.getFileName()),
                    () ->
                        load(
                            PlyScript.parse(
                                GoldenFile.parse(Files.readString(file)).text("source")))));
  }

  /** Returns the folder in the source tree, or where a guest has the compiled tests. */
  private static Optional<Path> goldenScripts() {
    Path sources =
        Path.of(System.getProperty("basedir", ""))
            .resolve("../ply-bpf/src/test/resources/golden/compile");
    Stream<Path> compiled =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry, "golden", "compile"));
    return Stream.concat(Stream.of(sources), compiled).filter(Files::isDirectory).findFirst();
  }

  @Test
  void randomScriptsAreAccepted() {
    long seed = Long.getLong("ply.seed", System.nanoTime());
    System.out.println("random scripts of -Dply.seed=" + seed);
    Random random = new Random(seed);
    int tooComplex = 0;
    for (int i = 0; i < RANDOM_SCRIPTS; i++) {
      Script script = new Scripts(random, 1 + random.nextInt(12)).script();
      try {
        load(script);
      } catch (CompilationException e) {
        // What nobody would write may be too much for the kernel, which must be said so.
        assertThat(e.diagnostics())
            .extracting(Diagnostic::code)
            .containsOnly(DiagnosticCode.TOO_COMPLEX);
        tooComplex++;
      } catch (VerifierRejection e) {
        throw new AssertionError(
            "script " + i + " of seed " + seed + ":\n" + IrPrinter.print(script) + e.log(), e);
      }
    }
    assertThat(tooComplex).isLessThanOrEqualTo(RANDOM_SCRIPTS / 50 + 1);
  }

  private static void load(Script script) {
    OptionalInt name = new RunningKernel().threadNameOffset();
    SimulatedTarget scene = Scene.target();
    Target target = name.isPresent() ? scene.withThreadNameAt(name.getAsInt()) : scene;
    var object = new TraceCompiler(target, CompilerOptions.DEFAULT).compile(script);
    try (KernelMachine machine = KernelMachine.load(object, target, new Attacher(Tracefs::open))) {
      assertThat(machine).isNotNull();
    }
  }
}
