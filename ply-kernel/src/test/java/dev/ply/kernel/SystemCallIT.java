package dev.ply.kernel;

import static dev.ply.Values.comm;
import static dev.ply.Values.field;
import static dev.ply.Values.probe;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.AggregateProbe;
import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.TraceOptions;
import dev.ply.Tracer;
import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.session.MachineTracer;
import dev.ply.kernel.attach.Attacher;
import dev.ply.kernel.tracefs.Tracefs;
import dev.ply.result.AttachedSite;
import dev.ply.result.Loss;
import dev.ply.selector.KernelSelector;
import dev.ply.target.AttachFeatures;
import dev.ply.target.KernelTypes;
import dev.ply.target.Mechanism;
import dev.ply.target.Target;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All ways to the entry of a system call count exactly the calls that a process makes. */
@Tag("live")
class SystemCallIT {
  /** A dd whose name no other process has, so that what others do is not counted with it. */
  private static final String DD = "dd-" + ProcessHandle.current().pid();

  private static final String PLACE = "tracepoint:syscalls:sys_enter_read";

  private static final AggregateProbe<Long> READS =
      Probe.tracepoint("syscalls:sys_enter_read")
          .where(comm().eq(DD).and(field("count").eq(7)))
          .by(field("fd"), field("__syscall_nr"), probe())
          .count();

  @TempDir private static Path directory = Path.of("");

  @BeforeAll
  static void nameDd() throws IOException {
    Path real =
        Stream.of("/usr/bin/dd", "/bin/dd")
            .map(Path::of)
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    Files.createSymbolicLink(directory.resolve(DD), real);
  }

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  @ParameterizedTest
  @EnumSource(names = {"FENTRY_SYSCALL", "RAW_SYSCALLS", "TRACEPOINT"})
  void countsExactly(Mechanism how) throws Exception {
    Optional<String> reason = new RunningKernel().attachFeatures().reasonAgainst(how);
    assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
    try (Tracer tracer = KernelTracer.open(CompilerOptions.DEFAULT.attachedBy(how))) {
      assertCounts(tracer, how, "it was asked for");
    }
  }

  @Test
  void whatIsChosenCostsTheLeast() throws Exception {
    AttachFeatures features = new RunningKernel().attachFeatures();
    assumeTrue(
        features.reasonAgainst(Mechanism.FENTRY_SYSCALL).isEmpty(), "there are no trampolines");
    try (Tracer tracer = KernelTracer.open()) {
      assertCounts(tracer, Mechanism.FENTRY_SYSCALL, "it costs the least");
    }
  }

  /** A function of number 0 is none, and refused by every kernel. */
  @Test
  void whereTheKernelRefusesATrampolineTheCallHasARecord() throws Exception {
    RunningKernel kernel = new RunningKernel();
    assumeTrue(
        kernel.types().function(new KernelSelector.Function("__x64_sys_read")).isPresent(),
        "there are no types");
    KernelTypes wrong =
        altered(KernelTypes.class, kernel.types(), "typedFunction", SystemCallIT::withoutNumber);
    AttachFeatures offered =
        altered(
            AttachFeatures.class, kernel.attachFeatures(), "reasonAgainst", r -> Optional.empty());
    Target target =
        altered(
            Target.class,
            altered(Target.class, kernel, "types", types -> wrong),
            "attachFeatures",
            features -> offered);
    Attacher attacher = new Attacher(Tracefs::open);
    try (Tracer tracer =
        new MachineTracer(
            target,
            CompilerOptions.DEFAULT,
            object -> KernelMachine.load(object, target, attacher, TraceOptions.DEFAULT),
            MachineTracer.Reading.BY_THREAD)) {
      assertCounts(tracer, Mechanism.TRACEPOINT, "the kernel refused fentry-syscall");
    }
  }

  private static Object withoutNumber(Object found) {
    return ((Optional<?>) found)
        .map(TypedFunction.class::cast)
        .map(
            function ->
                new TypedFunction(
                    new KernelTypes.Function(
                        0,
                        function.signature().parameters(),
                        function.signature().result(),
                        function.signature().isVariadic()),
                    function.words()));
  }

  /** Returns the same, but that one method answers otherwise. */
  private static <T> T altered(
      Class<T> type, T original, String method, UnaryOperator<Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            original.getClass().getInterfaces(),
            (proxy, called, arguments) -> {
              Object result = called.invoke(original, arguments);
              if (result == original) {
                return proxy;
              }
              return called.getName().equals(method) ? answer.apply(result) : result;
            }));
  }

  private static void assertCounts(Tracer tracer, Mechanism how, String why) throws Exception {
    try (Session session = tracer.start(READS)) {
      dd();
      session.stop();
      assertThat(session.attachments()).containsExactly(new AttachedSite(PLACE, how, why));
      assertThat(session.read(READS).get(0L, 0L, PLACE)).contains(1000L);
      assertThat(session.read(READS).size()).isEqualTo(1);
      assertThat(session.lost(Loss.MISSED_RUNS)).isZero();
    }
  }

  private static void dd() throws IOException, InterruptedException {
    Process dd =
        new ProcessBuilder(
                directory.resolve(DD).toString(),
                "if=/dev/zero",
                "of=/dev/null",
                "bs=7",
                "count=1000",
                "status=none")
            .inheritIO()
            .start();
    assertThat(dd.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(dd.exitValue()).isZero();
  }
}
