package dev.ply.cli.events;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.Call;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.Source;
import dev.ply.kernel.Live;
import dev.ply.kernel.RunningKernel;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.EventSyntax;
import dev.ply.lang.events.parse.EventParser;
import dev.ply.type.Escapes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events of the kernel beside the kernel's own: the same definitions, the same hits, the same lines
 * and verdicts.
 */
@Tag("live")
@Timeout(1200)
class KprobeEventsIT {
  /** The name of the traced program, a copy of dd. */
  private static final String PROGRAM = "plyev";

  private static final String BEYOND = EventVerdicts.BEYOND;

  /** Accepted when it is checked, refused when it is attached. */
  private static final String ATTACH = "attach";

  /** So many events are traced at a time. */
  private static final int BATCH = 64;

  /**
   * On another kernel than that of the tables so many rows stand for all, other ones for each
   * {@code -Dply.seed=N}; {@code -Dharness.verdicts=N} makes it more.
   */
  private static final int ELSEWHERE = Integer.getInteger("harness.verdicts", 80);

  /** Of a pointer to characters in a record, Linux 6.1 reads one byte. */
  private static final Pattern BYTE_OF_POINTER = Pattern.compile("^e .*sys_enter_.*\\$filename");

  private static final Pattern LINE =
      Pattern.compile("^ *\\S+-\\d+ +\\[\\d+] \\S+ +\\d+\\.\\d+: (\\w+): \\((.*?)\\)( .*)?$");

  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeKprobes() {
    Live.assumeTracing();
    assumeTrue(KernelEvents.areOffered(EventSpace.KERNEL), "the kernel has no kprobe_events");
  }

  @Test
  @Tag("once")
  void linesAreThoseOfTheKernel() throws Exception {
    String group = "ply_lines_" + ProcessHandle.current().pid();
    Map<String, String> definitions = new LinkedHashMap<>();
    List<String> refused = new ArrayList<>();
    RunningKernel running = new RunningKernel();
    boolean readsPointers = running.version().isAtLeast(6, 12);
    for (String text : EventVerdicts.definitions("kernel-lines.txt")) {
      if (!readsPointers && BYTE_OF_POINTER.matcher(text).find()) {
        continue;
      }
      String event = "l" + definitions.size();
      String definition = text.replaceFirst(" ", ":" + group + "/" + event + " ");
      if (isTaken(EventVerdicts.ours(definition, EventSpace.KERNEL, running))) {
        definitions.put(event, definition);
      } else {
        refused.add(definition);
      }
    }
    List<String> exported = exported(definitions.values());
    assertThat(exported).hasSameSizeAs(definitions.values());
    Map<String, String> ours = new LinkedHashMap<>();
    Map<String, String> kernels = new LinkedHashMap<>();
    try (KernelEvents kernel = new KernelEvents(EventSpace.KERNEL, group)) {
      for (String definition : refused) {
        assertThat(kernel.verdict(definition)).isNotEqualTo(EventVerdicts.OK);
      }
      List<String> accepted = new ArrayList<>();
      int line = 0;
      for (String event : definitions.keySet()) {
        try {
          kernel.define(exported.get(line));
          accepted.add(event);
        } catch (IOException e) {
          assertThat(isBeyond(exported.get(line), running))
              .describedAs(exported.get(line))
              .isTrue();
        }
        line++;
      }
      for (int from = 0; from < accepted.size(); from += BATCH) {
        List<String> batch = accepted.subList(from, Math.min(accepted.size(), from + BATCH));
        for (String event : batch) {
          kernel.enable(event, PROGRAM);
        }
        Call call = traced(batch, definitions);
        assertThat(call.errors()).isEmpty();
        add(ours, call.output().lines().toList(), definitions);
        add(kernels, kernel.stop(), definitions);
      }
      assertThat(kernels).describedAs("all are hit").hasSameSizeAs(accepted);
    }
    assertThat(ours).containsExactlyInAnyOrderEntriesOf(kernels);
  }

  /** What the kernel takes is taken, and what it refuses is refused, or said to go beyond it. */
  @Test
  void verdictsAreThoseOfTheKernel() throws Exception {
    RunningKernel running = new RunningKernel();
    boolean isTabled = isOfTheTables(running);
    Map<String, String> expected = new LinkedHashMap<>();
    Map<String, String> found = new LinkedHashMap<>();
    try (KernelEvents kernel =
        new KernelEvents(EventSpace.KERNEL, "ply_verdicts_" + ProcessHandle.current().pid())) {
      for (EventVerdicts.Row row : isTabled ? verdicts() : some(verdicts())) {
        String kernels = kernel.verdict(row.definition());
        String ours = ours(row.definition(), kernels, running);
        if (isTabled) {
          boolean isRefused = kernels.equals(EventVerdicts.REFUSED);
          expected.put(row.definition(), row.verdict() + "; " + (isRefused ? "" : row.ours()));
          found.put(row.definition(), kernels + "; " + (isRefused && !isTaken(ours) ? "" : ours));
        } else {
          // Messages differ, and so do the verdicts that the table has as ours.
          boolean isDifferent = !row.ours().equals(row.verdict()) || ours.equals(BEYOND);
          expected.put(row.definition(), isTaken(kernels) || isDifferent ? "ok" : "refused");
          found.put(row.definition(), isTaken(ours) || isDifferent ? "ok" : "refused");
        }
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  private static List<EventVerdicts.Row> verdicts() throws IOException {
    return EventVerdicts.of("kernel-verdicts.txt");
  }

  private static List<EventVerdicts.Row> some(List<EventVerdicts.Row> rows) {
    List<EventVerdicts.Row> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(Long.getLong("ply.seed", 1)));
    return shuffled.subList(0, Math.min(ELSEWHERE, shuffled.size()));
  }

  private static boolean isTaken(String verdict) {
    return verdict.equals(EventVerdicts.OK) || verdict.equals(BEYOND);
  }

  private static boolean isOfTheTables(RunningKernel running) {
    return running.version().major() == 6 && running.version().minor() == 12;
  }

  /** Returns our verdict, and for what the kernel alone refuses, what is done about it. */
  private static String ours(String definition, String kernels, RunningKernel running) {
    String ours = EventVerdicts.ours(definition, EventSpace.KERNEL, running);
    if (!ours.equals(EventVerdicts.OK) || kernels.equals(EventVerdicts.OK)) {
      return ours;
    }
    if (isBeyond(definition, running)) {
      return BEYOND;
    }
    return ply(List.of("-q", "-c", "true", definition)).status() == 0 ? ours : ATTACH;
  }

  private static boolean isBeyond(String definition, RunningKernel running) {
    EventParser.Result parsed =
        EventParser.parse(new Source("x", definition), EventSpace.KERNEL, running.architecture());
    List<Diagnostic> notes = new ArrayList<>(parsed.diagnostics());
    notes.addAll(
        new EventSyntax(running.eventSyntax(), running.version()).beyond(parsed.definitions()));
    return notes.stream().anyMatch(note -> note.message().endsWith("this is an extension"));
  }

  /** The part of the table that is the kernel's; what we print is checked without a kernel. */
  @Test
  void errorsAreLoggedAsTheTableHas() throws Exception {
    assumeTrue(isOfTheTables(new RunningKernel()), "the table has the messages of Linux 6.12");
    try (KernelEvents kernel =
        new KernelEvents(EventSpace.KERNEL, "ply_logged_" + ProcessHandle.current().pid())) {
      for (EventVerdicts.Logged wrong : EventVerdicts.logged()) {
        assertThat(kernel.logged(wrong.definition())).isEqualTo(wrong.kernel());
      }
    }
  }

  private Call traced(List<String> batch, Map<String, String> definitions) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-q", "-c", command()));
    for (String name : batch) {
      arguments.addAll(List.of("--filter", name + ":COMM == \"" + PROGRAM + "\""));
    }
    batch.forEach(name -> arguments.add(definitions.get(name)));
    return ply(arguments);
  }

  private static List<String> exported(Collection<String> definitions) {
    List<String> arguments = new ArrayList<>(List.of("--export"));
    arguments.addAll(definitions);
    Call call = ply(arguments);
    assertThat(call.status()).describedAs(call.errors()).isZero();
    return call.output().lines().toList();
  }

  /** Adds lines to those of their definitions, without thread, CPU, flags and time. */
  private static void add(
      Map<String, String> lines, List<String> trace, Map<String, String> definitions) {
    for (String line : trace) {
      Matcher matcher = LINE.matcher(line);
      assertThat(matcher.find()).describedAs(line).isTrue();
      String definition = requireNonNull(definitions.get(matcher.group(1)));
      // Of two kretprobes on one call, the kernel's sees the other's trampoline.
      String site = matcher.group(2).replaceFirst(".* <- ", "… <- ");
      String shown = definition.startsWith("t") ? "the tracepoint's function" : site;
      // Ours are escaped.
      String values = Escapes.escapeLines(Optional.ofNullable(matcher.group(3)).orElse(""));
      lines.merge(definition, "(" + shown + ")" + values + "\n", String::concat);
    }
  }

  /**
   * Writes {@code hello} and a NUL, once. The program and the shell that waits for it share a CPU:
   * the shell ends, and ply detaches, only after the program's last context switch.
   */
  private String command() throws IOException {
    Path program = directory.resolve(PROGRAM);
    Path script = directory.resolve("script");
    if (!Files.exists(program)) {
      Files.copy(Path.of("/bin/dd"), program);
      Path text = Files.writeString(directory.resolve("text"), "hello\0");
      Files.writeString(
          script, program + " if=" + text + " of=/dev/null bs=6 status=none\nexit $?\n");
    }
    return "taskset 1 sh " + script;
  }

  private static Call ply(List<String> arguments) {
    List<String> all = new ArrayList<>(List.of(Events.OF_KERNEL.name()));
    all.addAll(arguments);
    return Call.ply(all.toArray(String[]::new));
  }
}
