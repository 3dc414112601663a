package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.bcc.Argdist;
import dev.ply.cli.bcc.ArgdistOptions;
import dev.ply.cli.bcc.Trace;
import dev.ply.cli.bcc.TraceOptions;
import dev.ply.cli.bpftrace.Bpftrace;
import dev.ply.cli.bpftrace.BpftraceOptions;
import dev.ply.cli.events.Events;
import dev.ply.cli.events.EventsOptions;
import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.lang.ParseResult;
import dev.ply.lang.bcc.ArgdistScript;
import dev.ply.lang.bcc.TraceScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever options a command gets, the answer is a request or an error in words. Each command gets
 * {@code -Dfuzz.inputs=N} command lines, 300 if not set, of the sequence that {@code -Dfuzz.seed=N}
 * starts.
 */
class OptionsFuzzTest {
  private static final int INPUTS = Integer.getInteger("fuzz.inputs", 300);
  private static final long SEED = Long.getLong("fuzz.seed", 1);
  private static final int MOST_WORDS = 8;

  private static final List<String> VALUES =
      List.of(
          "",
          " ",
          "0",
          "1",
          "-1",
          "7",
          "80",
          "511",
          "512",
          "4096",
          "64K",
          "1M",
          "0x10",
          "1.5",
          "1e9",
          "500ms",
          "7h",
          "2147483647",
          "2147483648",
          "9223372036854775807",
          "99999999999999999999",
          "abc",
          "a b",
          "é",
          "\0",
          "\n",
          "-",
          "--",
          "---",
          "-x",
          "--x",
          "=",
          "--=",
          "/nonexistent",
          "/dev/null",
          "p:c:write(int fd):int:fd",
          "r:c:read()",
          "p:c:write(int fd)",
          "x",
          ":",
          "p::f():int:1:",
          "BEGIN { }",
          "p vfs_read",
          "e:a == 3",
          "json",
          "text",
          "ast",
          "c:malloc",
          "*:*",
          "self");

  private static final List<String> TRACE =
      List.of(
          "-p",
          "-L",
          "--uid",
          "-v",
          "-Z",
          "-S",
          "-M",
          "-t",
          "-u",
          "-T",
          "-C",
          "-c",
          "-n",
          "-f",
          "-B",
          "-s",
          "-K",
          "-U",
          "-a",
          "-A",
          "-I",
          "-b",
          "-o",
          "-q",
          "-d",
          "--command",
          "--script",
          "c:malloc",
          "sys_read (arg3 > 1) \"%d\", arg3",
          "r::f \"%s\", retval");

  private static final List<String> ARGDIST =
      List.of(
          "-C",
          "-H",
          "-i",
          "-n",
          "-d",
          "-c",
          "-T",
          "-p",
          "-t",
          "-z",
          "-I",
          "-v",
          "-S",
          "-h",
          "--pid",
          "--tid",
          "--string-size",
          "--interval",
          "--duration",
          "--number",
          "--verbose",
          "--cumulative",
          "--top",
          "--histogram",
          "--count",
          "--include",
          "--script",
          "--map-entries",
          "--buffer");

  private static final List<String> PLY =
      List.of(
          "-c",
          "-d",
          "-d5",
          "--duration",
          "--verbose",
          "-e",
          "-h",
          "-k",
          "-l",
          "-S",
          "-T",
          "-u",
          "-v",
          "-q",
          "-p",
          "-o",
          "-f",
          "--info",
          "--raw",
          "--attach",
          "--attach=kprobe",
          "--map-entries",
          "--map-entries=1",
          "--buffer",
          "--stack-depth",
          "--stack-depth=127",
          "--no-perf-maps",
          "--symbol-memory=4M",
          "--unsafe",
          "--compat",
          "-cx");

  private static final List<String> BPFTRACE =
      List.of(
          "-e",
          "-d5",
          "--duration",
          "--cmd",
          "-c",
          "-p",
          "-l",
          "-v",
          "-d",
          "-q",
          "-f",
          "-o",
          "-I",
          "-B",
          "-k",
          "-V",
          "-h",
          "--unsafe",
          "--info",
          "--dry-run",
          "--fmt",
          "--test",
          "--bench",
          "--include",
          "--no-warnings",
          "--warnings",
          "--usdt-file-activation",
          "--attach",
          "--map-entries");

  private static final List<String> EVENTS =
      List.of(
          "-c",
          "-p",
          "--filter",
          "-f",
          "-S",
          "--export",
          "--duration",
          "--dump",
          "-e",
          "-o",
          "-q",
          "-k",
          "-d",
          "-h",
          "--filter=a:b",
          "-fjson");

  /** Parses a command line. */
  interface Parser {
    void parse(String... arguments) throws UsageException;
  }

  /** A command with its options. */
  record CommandLine(String name, List<String> options, Parser parser) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<CommandLine> commands() {
    return Stream.of(
        new CommandLine("ply", PLY, words -> ScriptOptions.parse(new Scripts(), words)),
        new CommandLine("ply bt", BPFTRACE, words -> BpftraceOptions.parse(new Bpftrace(), words)),
        new CommandLine("ply argdist", ARGDIST, OptionsFuzzTest::argdist),
        new CommandLine("ply trace", TRACE, OptionsFuzzTest::trace),
        new CommandLine(
            "ply kprobe-events", EVENTS, words -> EventsOptions.parse(Events.OF_KERNEL, words)),
        new CommandLine(
            "ply uprobe-events", EVENTS, words -> EventsOptions.parse(Events.OF_PROGRAMS, words)));
  }

  /** The settings are what the script is made of. */
  private static void argdist(String... arguments) throws UsageException {
    ArgdistOptions options = ArgdistOptions.parse(new Argdist(), arguments);
    ArgdistScript script = ArgdistScript.translate(options.requests(), options.settings());
    ParseResult result = script.result();
    assertThat(result.script().clauses()).isNotNull();
    assertThat(DiagnosticRenderer.render(result.diagnostics(), script.source())).isNotNull();
  }

  private static void trace(String... arguments) throws UsageException {
    TraceOptions options = TraceOptions.parse(new Trace(), arguments);
    TraceScript script = TraceScript.translate(options.specifiers(), options.settings());
    assertThat(DiagnosticRenderer.render(script.result().diagnostics(), script.source()))
        .isNotNull();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void anyOptionsAreARequestOrAnError(CommandLine command) {
    Random random = new Random(SEED);
    Map<String, String> failures = new TreeMap<>();
    for (int i = 0; i < INPUTS; i++) {
      String[] words = words(command, random);
      failure(command, words)
          .ifPresent(one -> failures.putIfAbsent(one, String.join("\" \"", words)));
    }
    assertThat(failures).as("command lines of failures").isEmpty();
  }

  private static String[] words(CommandLine command, Random random) {
    List<String> words = new ArrayList<>();
    for (int i = random.nextInt(MOST_WORDS + 1); i > 0; i--) {
      List<String> from = random.nextBoolean() ? command.options() : VALUES;
      String word = from.get(random.nextInt(from.size()));
      boolean isJoined = !words.isEmpty() && random.nextInt(8) == 0;
      if (isJoined) {
        String separator = random.nextBoolean() ? "=" : "";
        words.add(words.remove(words.size() - 1) + separator + word);
      } else {
        words.add(word);
      }
    }
    return words.toArray(String[]::new);
  }

  /** Returns the exception of a command line and where it is thrown, if any. */
  private static Optional<String> failure(CommandLine command, String... words) {
    try {
      command.parser().parse(words);
      return Optional.empty();
    } catch (UsageException e) {
      return String.valueOf(e.getMessage()).isBlank() ? Optional.of("no words") : Optional.empty();
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      return Optional.of(
          e
              + Stream.of(e.getStackTrace())
                  .filter(frame -> frame.getClassName().startsWith("dev.ply."))
                  .limit(3)
                  .toList()
                  .toString());
    }
  }
}
