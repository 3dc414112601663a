package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ply.Session;
import dev.ply.lang.PlyScript;
import dev.ply.result.Loss;
import dev.ply.table.Datum;
import dev.ply.table.Row;
import dev.ply.target.JavaCode;
import dev.ply.target.UserSymbols.Frame;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stacks of Java methods, of runtimes with many options: {@code -Dharness.hits=N} calls of each
 * way, of all options and of the runtimes in {@code /usr/lib/jvm}.
 */
@Tag("live")
@Tag("any-kernel")
@EnabledIfSystemProperty(named = "harness.hits", matches = "[1-9].*")
class DeepJavaIT {
  private static final int HITS = Integer.getInteger("harness.hits", 0);
  private static final boolean DEBUG = Boolean.getBoolean("harness.debug");

  private static final Path RUNTIMES = Path.of("/usr/lib/jvm");

  private static final List<String> OPTIONS =
      List.of(
          "",
          "-Xint",
          "-XX:TieredStopAtLevel=1",
          "-XX:TieredStopAtLevel=3",
          "-XX:-TieredCompilation",
          "-Xcomp",
          "-XX:+UseSerialGC",
          "-XX:+UseParallelGC",
          "-XX:+UseZGC",
          "-XX:+UseShenandoahGC",
          "-XX:-UseCompressedOops",
          "-XX:-UseCompressedClassPointers",
          "-XX:+UseCompactObjectHeaders",
          "-Xshare:off",
          "-XX:-Inline",
          "-XX:+PreserveFramePointer",
          "-XX:-SegmentedCodeCache",
          "-XX:+UnlockDiagnosticVMOptions -XX:+DeoptimizeALot",
          "-Xss64m");

  @TempDir private Path directory;

  @BeforeEach
  void tracing() {
    Live.assumeTracing();
    Live.assumeSharedLibraries();
  }

  static Stream<String> runtimes() throws IOException {
    try (Stream<Path> all = Files.list(RUNTIMES)) {
      return all
          .filter(home -> !Files.isSymbolicLink(home) && Files.exists(home.resolve("bin/java")))
          .sorted()
          .toList()
          .stream()
          .flatMap(home -> OPTIONS.stream().map(options -> home + " " + options));
    }
  }

  @ParameterizedTest
  @MethodSource("runtimes")
  void stacksAreWhole(String runtime) throws IOException, InterruptedException {
    List<String> words = List.of(runtime.strip().split(" "));
    String include = words.get(0) + "/include";
    Optional<Path> library =
        CompiledC.compile(
            directory,
            "deepjava.c",
            "gcc",
            List.of("-O2", "-fPIC", "-shared", "-I" + include, "-I" + include + "/linux"));
    assumeThat(library).as("gcc and jni.h").isPresent();
    List<String> command = new ArrayList<>(List.of(words.get(0) + "/bin/java"));
    command.addAll(words.subList(1, words.size()));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            DeepJava.class.getName(),
            library.orElseThrow().toString(),
            String.valueOf(HITS)));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assumeThat(lines.readLine()).as(runtime).isEqualTo("ready");
      traced(runtime, process, lines, library.orElseThrow());
    } finally {
      process.destroyForcibly();
    }
  }

  private static void traced(String runtime, Process process, BufferedReader lines, Path library)
      throws IOException {
    String script =
        "config = { max_map_keys = 100000 } uprobe:%s:leaf / pid == %d / { @[arg0, ustack] = count(); }"
            .formatted(library, process.pid());
    try (KernelTracer tracer = KernelTracer.open();
        Session session = tracer.start(PlyScript.parse(script))) {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      Map<Long, String> ways = new HashMap<>();
      Map<Long, Set<List<String>>> truths = new HashMap<>();
      for (String line = lines.readLine();
          line != null && !line.startsWith("done");
          line = lines.readLine()) {
        List<String> words = List.of(line.split(" "));
        if (words.get(0).equals("way")) {
          ways.put(Long.valueOf(words.get(1)), words.get(2));
        } else {
          truths
              .computeIfAbsent(Long.valueOf(words.get(1)), first -> new HashSet<>())
              .add(words.subList(2, words.size()));
        }
      }
      session.stop();
      assertThat(session.lost(Loss.STACKS) + session.lost(Loss.UPDATES)).isZero();
      Map<String, Long> verdicts = new TreeMap<>();
      for (Row<Datum> row : session.table("@").rows()) {
        long way = ((Datum.Int) row.key().parts().get(0)).value();
        List<Frame> frames = ((Datum.UserStack) row.key().parts().get(1)).frames();
        String verdict = verdict(frames, truths.getOrDefault(way, Set.of()));
        if (DEBUG && !verdict.equals("whole")) {
          System.out.println(verdict + " " + ways.get(way) + " " + frames + " " + truths.get(way));
        }
        verdicts.merge(
            verdict.equals("whole") ? verdict : verdict + " " + ways.get(way),
            ((Datum.Int) row.value()).value(),
            Long::sum);
      }
      long all = verdicts.values().stream().mapToLong(Long::longValue).sum();
      System.out.println(
          "| %s | %d | %.3f %% | %s"
              .formatted(runtime, all, 100.0 * verdicts.getOrDefault("whole", 0L) / all, verdicts));
      assertThat(verdicts).containsOnlyKeys("whole");
    }
  }

  private static String verdict(List<Frame> frames, Set<List<String>> truths) {
    Frame last = frames.get(frames.size() - 1);
    List<String> methods =
        frames.stream()
            .flatMap(frame -> frame.java().flatMap(JavaCode::method).stream())
            .filter(method -> method.type().startsWith(DeepJava.class.getName()))
            .filter(method -> !method.type().contains("$$") && !method.name().equals("leaf"))
            .map(method -> method.type() + "." + method.name())
            .toList();
    if (last.toString().startsWith("[")) {
      return "cut";
    }
    if (!last.binary().orElse("").startsWith("libc")) {
      return "short";
    }
    return truths.contains(methods) ? "whole" : "wrong";
  }
}
