package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.TraceOptions;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Extent;
import dev.ply.bpf.generate.Scenarios;
import dev.ply.bpf.generate.Search;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.generate.Surroundings;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.golden.GoldenFile;
import dev.ply.ir.Script;
import dev.ply.kernel.attach.Attacher;
import dev.ply.kernel.error.VerifierRejection;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.lang.PlyScript;
import dev.ply.machine.Architecture;
import dev.ply.target.Target;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The running kernel accepts what the compiler makes; nothing is attached. */
@Tag("live")
@Tag("oldest")
class CompiledScriptIT {
  /** An emulated machine takes up to half a minute for each. */
  private static final int RANDOM_SCRIPTS = System.getProperty("ply.guest") == null ? 100 : 5;

  /**
   * What an emulated machine takes a minute for: only the kernel of the machine that builds is
   * asked, unless {@code -Dharness.long=true} has guests do it, too.
   */
  private static final Set<String> LONG = Set.of("many-paths.golden", "stack-shapes.golden");

  private static final boolean HAS_TIME =
      System.getProperty("ply.guest") == null || Boolean.getBoolean("harness.long");

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
        .map(file -> DynamicTest.dynamicTest(String.valueOf(file.getFileName()), () -> load(file)));
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

  /** {@code -Dharness.loaded=N} scripts on probes of all kinds. */
  @Test
  void randomScriptsAreAccepted() {
    AtomicInteger all = new AtomicInteger();
    AtomicInteger tooComplex = new AtomicInteger();
    Search.of("harness.loaded", RANDOM_SCRIPTS)
        .check(
            CompiledScriptIT::scripts,
            script -> {
              all.incrementAndGet();
              try {
                load(script);
              } catch (CompilationException e) {
                // What nobody would write may be too much for the kernel, which must be said so.
                assertThat(e.diagnostics())
                    .extracting(Diagnostic::code)
                    .containsOnly(DiagnosticCode.TOO_COMPLEX);
                tooComplex.incrementAndGet();
              } catch (VerifierRejection e) {
                throw new AssertionError(e.log(), e);
              }
            });
    assertThat(tooComplex).hasValueLessThanOrEqualTo(all.get() / 50 + 1);
  }

  private static Arbitrary<Script> scripts() {
    return Arbitraries.oneOf(
        Scenarios.scripts(Surroundings.UNSEEN),
        Scenarios.scripts(Surroundings.UNSEEN, Extent.LARGE));
  }

  private static void load(Path file) throws IOException {
    assumeTrue(
        HAS_TIME || !LONG.contains(String.valueOf(file.getFileName())),
        "it takes an emulated machine long");
    load(PlyScript.parse(GoldenFile.parse(Files.readString(file)).text("source")));
  }

  private static void load(Script script) {
    OptionalInt name = new RunningKernel().threadNameOffset();
    SimulatedTarget stage = Stage.target(Architecture.X86_64);
    Target target = name.isPresent() ? stage.withThreadNameAt(name.getAsInt()) : stage;
    var object = new TraceCompiler(target, CompilerOptions.DEFAULT).compile(script);
    try (KernelMachine machine =
        KernelMachine.load(object, target, new Attacher(Tracefs::open), TraceOptions.DEFAULT)) {
      assertThat(machine).isNotNull();
    }
  }
}
