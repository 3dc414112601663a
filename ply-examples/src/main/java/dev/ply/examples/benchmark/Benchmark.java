package dev.ply.examples.benchmark;

import dev.ply.examples.benchmark.Report.Subject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures this tracer beside bpftrace and the original ply, where available, and prints one table.
 */
public final class Benchmark {
  private static final String USAGE =
      """
      usage: compare [OPTION...]
        --ours COMMAND      how ply is called (ply-cli/bin/ply)
        --bpftrace COMMAND  how bpftrace is called, several words if need be (bpftrace)
        --ply COMMAND       how the original ply is called (ply)
        --rounds N          how often everything is measured (5)
        --calls N           how many system calls a workload makes (1000000)
        --parts LETTERS     a and b: cost of a probe; c: the same of functions, where the clock
                            counts instructions; d: events; e: start-up; f: starts in a warm
                            process; g: reading maps; h: attaching to many places;
                            i: cost of a probe that the original cannot say;
                            m: system calls of which a share is traced, tar, a build (abdefg)
        --programs WORDS    only programs whose titles have the words (all)
        --json FILE         where all values go as JSON (none)
      """;

  private static final Pattern PEAK = Pattern.compile("peak (\\d+)");

  /** How many times longer events are sent than to see whether a burst is lost. */
  private static final int LONG_RUN = 10;

  /**
   * Milliseconds for the kernel to release the previous tracer's resources, hundreds of programs.
   */
  private static final long SETTLED = 1000;

  private static final int[] KEYS = {1_000, 100_000, 1_000_000};

  /** Without and with keys: creating a hash map takes the kernel some milliseconds. */
  private final List<WarmStart> warm =
      List.of(new WarmStart(Program.COUNT), new WarmStart(Program.COUNT_BY_COMM));

  private final List<Tool> tools = new ArrayList<>();
  private final Report report = new Report();
  private String parts = "abdefg";
  private String programs = "";
  private int rounds = 5;
  private int calls = 1_000_000;
  private Optional<Path> json = Optional.empty();

  /** Whether a program of these parts was asked for, and which were not. */
  private boolean hasProgram;

  private final Set<String> others = new LinkedHashSet<>();

  private Benchmark() {}

  /** Measures and prints. */
  public static void main(String... arguments) throws IOException, InterruptedException {
    Benchmark benchmark = new Benchmark();
    boolean understood;
    try {
      understood = benchmark.options(arguments);
    } catch (NumberFormatException e) {
      System.err.println("compare: no whole number: " + e.getMessage());
      understood = false;
    }
    if (!understood) {
      System.err.print(USAGE);
      System.exit(1);
    }
    benchmark.run();
  }

  private boolean options(String... arguments) {
    String ours = "ply-cli/bin/ply";
    String bpftrace = "bpftrace";
    String ply = "ply";
    if (arguments.length % 2 != 0) {
      return false;
    }
    for (int i = 0; i < arguments.length; i += 2) {
      String value = arguments[i + 1];
      switch (arguments[i]) {
        case "--ours" -> ours = value;
        case "--bpftrace" -> bpftrace = value;
        case "--ply" -> ply = value;
        case "--rounds" -> rounds = Integer.parseInt(value);
        case "--calls" -> calls = Integer.parseInt(value);
        case "--parts" -> parts = value;
        case "--programs" -> programs = value;
        case "--json" -> json = Optional.of(Path.of(value));
        default -> {
          return false;
        }
      }
    }
    if (!parts.matches("[abcdefghim]+") || rounds < 1 || calls < 1) {
      return false;
    }
    add(Tool.Kind.OURS, ours);
    add(Tool.Kind.BPFTRACE, bpftrace);
    add(Tool.Kind.PLY, ply);
    return true;
  }

  private void add(Tool.Kind kind, String command) {
    Tool tool = new Tool(kind, List.of(command.strip().split("\\s+")));
    try {
      new ProcessBuilder(tool.dryRun(Program.NOTHING.text(kind, 0).orElseThrow()))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      tools.add(tool);
    } catch (IOException e) {
      report.note(kind.title() + " is missing: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() throws IOException, InterruptedException {
    ProbeCost cost = new ProbeCost(report, calls);
    boolean countedBefore = BpfStats.isEnabled();
    // However it ends, including Ctrl-C.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(countedBefore), "compare-end"));
    try {
      for (int round = 0; round < rounds; round++) {
        report.begin(round);
        round(cost);
        // Whatever comes, what is measured is kept.
        save();
      }
    } finally {
      report.endRounds();
      finish(cost);
    }
  }

  private void round(ProbeCost cost) throws InterruptedException {
    if (parts.contains("a") || parts.contains("b")) {
      for (Program program : Program.onReads()) {
        eachTool(program, cost::nanos);
      }
      for (Program program : Program.besideOthers()) {
        eachTool(program, cost::nanosOfOthers);
      }
    }
    if (parts.contains("i")) {
      for (Program program : Program.onReadsInNewForms()) {
        eachTool(program, cost::nanos);
      }
    }
    if (parts.contains("c")) {
      for (Program program : Program.onFunctions()) {
        eachTool(program, cost::instructions);
      }
    }
    if (parts.contains("d")) {
      eachTool(Program.PRINTF, (tool, program) -> events(tool, program, calls));
      eachTool(Program.PRINTF, (tool, program) -> events(tool, program, LONG_RUN * calls));
    }
    if (parts.contains("e")) {
      eachTool(Program.NOTHING, this::start);
      eachTool(Program.ONE_LINER, this::start);
      eachTool(Program.EVERY_CALL, this::start);
    }
    if (parts.contains("f")) {
      for (WarmStart start : warm) {
        try {
          report.add(
              new Subject("(f) start in a warm process", start.title(), "ms"),
              Tool.Kind.OURS,
              start.millis());
        } catch (RuntimeException e) {
          missing(Tool.Kind.OURS.title() + ", " + start.title(), e);
        }
      }
    }
    if (parts.contains("g")) {
      for (int keys : KEYS) {
        eachTool(Program.KEYS, (tool, program) -> maps(tool, program, keys));
      }
    }
    if (parts.contains("h")) {
      for (Program program : Program.onManyFunctions()) {
        eachTool(program, this::attach);
      }
      eachTool(Program.EVERY_CALL, this::attach);
      eachTool(Program.EVERY_CALL, cost::millisOfAttaching);
    }
    if (parts.contains("m")) {
      for (Mix mix : Mix.values()) {
        for (Program program : Program.onShares()) {
          eachTool(program, (tool, one) -> cost.nanosOfMix(mix, tool, one));
        }
      }
      eachTool(Program.ALL_CALLS, (tool, one) -> cost.nanosOfMix(Mix.ALL, tool, one));
      for (Chore chore : Chore.values()) {
        for (Program program : Program.onShares()) {
          eachTool(program, (tool, one) -> cost.millisOfChore(chore, tool, one));
        }
      }
    }
  }

  private void finish(ProbeCost cost) throws IOException {
    if (!hasProgram && !others.isEmpty()) {
      System.err.println("compare: no program's title has \"" + programs + "\" in it; there are");
      others.forEach(title -> System.err.println("  " + title));
      System.exit(1);
    }
    cost.report();
    System.out.println(machine());
    System.out.print(report.table());
    save();
  }

  private void save() throws IOException {
    if (json.isPresent()) {
      Files.writeString(json.get(), report.json(machine()));
    }
  }

  /** Stops tracers and workloads, and restores the kernel's statistics setting. */
  private static void leave(boolean countedBefore) {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroy);
    try {
      BpfStats.enable(countedBefore);
    } catch (IOException e) {
      System.err.println("compare: kernel.bpf_stats_enabled is left as it is: " + e.getMessage());
    }
  }

  /** One measurement of one tool. */
  private interface Measurement {
    void measure(Tool tool, Program program) throws IOException, InterruptedException;
  }

  private void eachTool(Program program, Measurement measurement) throws InterruptedException {
    if (!program.title().contains(programs)) {
      others.add(program.title());
      return;
    }
    hasProgram = true;
    for (Tool tool : tools) {
      if (program.text(tool.kind(), 0).isEmpty()) {
        report.note(tool.kind().title() + " cannot say: " + program.title());
        continue;
      }
      try {
        measurement.measure(tool, program);
      } catch (IOException | RuntimeException e) {
        // The others are measured all the same.
        missing(tool.kind().title() + ", " + program.title(), e);
      }
    }
  }

  private void missing(String what, Exception e) {
    String why = Optional.ofNullable(e.getMessage()).orElseGet(() -> e.getClass().getSimpleName());
    report.missing(what, why);
    System.err.println("compare: missing, " + what + ": " + why);
  }

  /** From Ctrl-C until a map of that many keys is printed and the tracer has ended. */
  private void maps(Tool tool, Program program, int keys) throws IOException, InterruptedException {
    try (Workload workload = Workload.reading(keys);
        Traced traced = Traced.start(tool.trace(text(program, tool, workload), 2 * keys))) {
      BpfStats.enable(false);
      workload.run();
      report.add(
          new Subject("(g) a map is printed", keys + " keys", "ms"),
          tool.kind(),
          traced.end().millis());
    }
  }

  private void events(Tool tool, Program program, int sent)
      throws IOException, InterruptedException {
    String part = "(d) " + sent + " events at full tilt";
    try (Workload workload = Workload.reading(sent);
        Traced traced = Traced.start(tool.trace(text(program, tool, workload)))) {
      BpfStats.enable(false);
      double nanos = workload.run();
      Traced.Delivery delivery = traced.finish();
      if (delivery.delivered() + delivery.lost() == 0) {
        throw new IOException("no event came, and none was said to be lost");
      }
      report.add(
          new Subject(part, "delivered", "%"), tool.kind(), 100.0 * delivery.delivered() / sent);
      report.add(
          new Subject(part, "said to be lost", "%"), tool.kind(), 100.0 * delivery.lost() / sent);
      report.add(
          new Subject(part, "delivered while it ran", "1000/s"),
          tool.kind(),
          delivery.delivered() / nanos / sent * 1e6);
      report.add(new Subject(part, "the workload's call", "ns"), tool.kind(), nanos);
    }
  }

  private static String text(Program program, Tool tool, Workload workload) {
    return program.text(tool.kind(), workload.pid()).orElseThrow();
  }

  /** The added cost of attaching to many probe sites and detaching again. */
  private void attach(Tool tool, Program program) throws IOException, InterruptedException {
    String nothing = Program.UNTIL_THE_END.text(tool.kind(), 0).orElseThrow();
    double empty = millis(tool.during("/bin/true", nothing));
    double whole = millis(tool.during("/bin/true", program.text(tool.kind(), 0).orElseThrow()));
    report.add(
        new Subject("(h) attached and detached again", program.title(), "ms"),
        tool.kind(),
        whole - empty);
    report.add(
        new Subject("(h) the same from start to end", program.title(), "ms"), tool.kind(), whole);
  }

  private static double millis(List<String> command) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException("status " + status);
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  private void start(Tool tool, Program program) throws IOException, InterruptedException {
    String text = program.text(tool.kind(), ProcessHandle.current().pid()).orElseThrow();
    List<String> command = new ArrayList<>(List.of("/usr/bin/time", "-f", "peak %M"));
    boolean measuresMemory = Files.isExecutable(Path.of(command.get(0)));
    if (!measuresMemory) {
      report.note("no /usr/bin/time (GNU time): peak memory is not measured");
      command.clear();
    }
    command.addAll(program.equals(Program.ONE_LINER) ? tool.dryRun(text) : tool.trace(text));
    Thread.sleep(SETTLED);
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    double millis = (System.nanoTime() - begin) / 1e6;
    if (status != 0) {
      throw new IOException("status " + status);
    }
    report.add(new Subject("(e) start-up", program.title(), "ms"), tool.kind(), millis);
    Matcher peak = PEAK.matcher(errors);
    if (peak.find()) {
      report.add(
          new Subject("(e) start-up", "peak of " + program.title(), "MiB"),
          tool.kind(),
          Double.parseDouble(peak.group(1)) / 1024);
    }
  }

  private static String machine() throws IOException {
    String model =
        Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse("unknown processor");
    String load = Files.readString(Path.of("/proc/loadavg")).split(" ", -1)[0];
    return String.format(
        Locale.ROOT,
        "%s, %d processors, Linux %s, Java %s, load %s",
        model,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.version"),
        System.getProperty("java.version"),
        load);
  }
}
