package dev.ply.kernel;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.Session;
import dev.ply.kernel.unwind.KnownStacks;
import dev.ply.kernel.unwind.KnownStacks.Verdict;
import dev.ply.lang.PlyScript;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import dev.ply.table.Row;
import dev.ply.target.UserSymbols;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stacks of 20 functions of programs that compilers make with many options: {@code
 * -Dharness.hits=N} calls of each way, of all programs.
 */
@Tag("live")
@Tag("any-kernel")
class DeepStackIT {
  private static final int HITS = Integer.getInteger("harness.hits", 0);
  private static final int USUALLY = 20;
  private static final boolean DEBUG = Boolean.getBoolean("harness.debug");

  private static final List<String> BUILDS =
      List.of(
          "deep.c gcc -O2 -Wl,-z,now",
          "deep.c gcc -O2",
          "deep.c gcc -O3 -fomit-frame-pointer -static",
          "deep.c gcc -O0",
          "deep.c gcc -Os",
          "deep.c gcc -O3 -fomit-frame-pointer -march=x86-64-v3",
          "deep.c gcc -O2 -fno-omit-frame-pointer",
          "deep.c gcc -O2 -static-pie",
          "deep.c gcc -O2 -s -rdynamic",
          "deep.c gcc -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -g -Wl,-z,now",
          "deep.c gcc -O2 -fcf-protection=full -fstack-protector-all -fstack-clash-protection",
          "deep.c gcc -O2 -mno-red-zone",
          "deep.c gcc -O2 -mstackrealign",
          "deep.c gcc -O2 -Wl,-z,now -fno-plt",
          "deep.c gcc -O2 -flto",
          "deep.c clang -O2",
          "deep.c clang -O3 -fomit-frame-pointer -march=x86-64-v3",
          "deep.c clang -O0",
          "deep.c musl-gcc -O2",
          "deep.c musl-gcc -O2 -static",
          "deep.cc g++ -O2",
          "deep.cc g++ -O0",
          "deep.cc g++ -O3 -static",
          "deep.cc clang++ -O2",
          "deep.rs rustc -O",
          "deep.rs rustc -Copt-level=0",
          "deep.go go build");

  @TempDir private Path directory;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
  }

  static Stream<String> builds() {
    return BUILDS.stream().limit(HITS > 0 ? BUILDS.size() : 1);
  }

  @ParameterizedTest
  @MethodSource("builds")
  void stacksAreWhole(String build) throws IOException, InterruptedException {
    List<String> words = List.of(build.split(" "));
    Optional<Path> program =
        CompiledC.compile(
            directory, words.get(0), words.get(1), new ArrayList<>(words.subList(2, words.size())));
    assumeThat(program).as(words.get(1)).isPresent();
    Path library =
        CompiledC.compile(directory, "down.c", "gcc", List.of("-O2", "-fPIC", "-shared"))
            .orElse(directory);
    Traced traced = traced(program.orElseThrow(), library);
    if (HITS > 0) {
      System.out.println("| " + build + " | " + traced);
    }
    boolean isMusl = build.contains("musl");
    traced
        .verdicts()
        .forEach(
            (way, counts) -> {
              String name = requireNonNull(traced.known().ways().get(way));
              assertThat(counts.keySet()).as(name).doesNotContain(Verdict.WRONG);
              if (!isMusl && !(name.equals("step") && isLazy(build))) {
                assertThat(counts.keySet()).as(name).containsExactly(Verdict.WHOLE);
              }
            });
  }

  /** Whether functions are found in libraries when they are called: that code has no frame. */
  private static boolean isLazy(String build) {
    return !build.contains("-z,now") && !build.contains("static");
  }

  /** How often stacks were what, by the way in which the function was called. */
  private record Traced(KnownStacks known, Map<Long, Map<Verdict, Long>> verdicts) {
    static Traced of(KnownStacks known, List<Row<Datum>> rows) {
      Map<Long, Map<Verdict, Long>> verdicts = new TreeMap<>();
      for (Row<Datum> row : rows) {
        long way = ((Datum.Int) row.key().parts().get(0)).value();
        List<UserSymbols.Frame> frames = ((Datum.UserStack) row.key().parts().get(1)).frames();
        int last = frames.size() - 1;
        boolean isCut = frames.get(last).toString().startsWith("[");
        List<Long> addresses =
            frames.subList(2, isCut ? last : last + 1).stream()
                .map(UserSymbols.Frame::address)
                .toList();
        Verdict verdict = known.verdict(way, addresses, isCut);
        if (DEBUG && verdict != Verdict.WHOLE) {
          System.out.println(verdict + " " + known.ways().get(way) + " " + frames);
        }
        verdicts
            .computeIfAbsent(way, first -> new EnumMap<>(Verdict.class))
            .merge(verdict, ((Datum.Int) row.value()).value(), Long::sum);
      }
      return new Traced(known, verdicts);
    }

    private long count(Verdict verdict) {
      return verdicts.values().stream().mapToLong(counts -> counts.getOrDefault(verdict, 0L)).sum();
    }

    @Override
    public String toString() {
      long all = Stream.of(Verdict.values()).mapToLong(this::count).sum();
      long called = known.calls().values().stream().mapToLong(Long::longValue).sum();
      return "%d of %d | %.3f %% | %d cut | %d wrong | %s"
          .formatted(
              all,
              called,
              100.0 * count(Verdict.WHOLE) / all,
              count(Verdict.CUT),
              count(Verdict.WRONG),
              verdicts.entrySet().stream()
                  .filter(
                      entry ->
                          entry.getValue().size() > 1
                              || !entry.getValue().containsKey(Verdict.WHOLE))
                  .map(entry -> known.ways().get(entry.getKey()) + " " + entry.getValue())
                  .toList());
    }
  }

  private static Traced traced(Path program, Path library) throws IOException {
    boolean isGo = program.resolveSibling("deep.go").toFile().exists();
    Process process =
        new ProcessBuilder(
                program.toString(), String.valueOf(HITS > 0 ? HITS : USUALLY), library.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        KernelTracer tracer = KernelTracer.open()) {
      assertThat(lines.readLine()).isEqualTo("ready");
      // By the PID: its tables are there before the first hit.
      String script =
          "config = { max_map_keys = 100000 } uprobe:%s:%s / pid == %d / { @[%s, ustack] = count(); }"
              .formatted(
                  program,
                  isGo ? "main.leaf" : "leaf",
                  process.pid(),
                  isGo ? "reg(\"ax\")" : "arg0");
      try (Session session = tracer.start(PlyScript.parse(script))) {
        process.getOutputStream().close();
        KnownStacks known = KnownStacks.of(lines.lines().toList());
        session.stop();
        assertThat(session.lost(Loss.STACKS) + session.lost(Loss.UPDATES)).isZero();
        return Traced.of(known, session.table("@").rows());
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
