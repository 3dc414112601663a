package dev.ply.examples.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** All measurements, as a table and as JSON. */
final class Report {
  /** What was measured: of which part, in which unit. */
  record Subject(String part, String title, String unit) {}

  private final Map<Subject, Map<Tool.Kind, List<Double>>> values = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  /** How often each measurement failed, by what it was and why. */
  private final Map<String, Integer> failures = new LinkedHashMap<>();

  /** The current round, from 0; negative outside of rounds, where values are only in order. */
  private int round = -1;

  /** Says which round values belong to from now on: values of one round are compared. */
  void begin(int round) {
    this.round = round;
  }

  /** Says that values from now on belong to no round. */
  void endRounds() {
    round = -1;
  }

  /** Adds a value; one that is not a number, as of what never ran, is missing. */
  void add(Subject subject, Tool.Kind kind, double value) {
    if (!Double.isFinite(value)) {
      missing(kind.title() + ", " + subject.title(), "nothing was counted for " + subject.part());
      return;
    }
    List<Double> all =
        values
            .computeIfAbsent(subject, unused -> new LinkedHashMap<>())
            .computeIfAbsent(kind, unused -> new ArrayList<>());
    while (all.size() < round) {
      all.add(Double.NaN);
    }
    all.add(value);
  }

  /** Notes that a measurement failed: its value is missing, which is not a zero. */
  void missing(String what, String why) {
    failures.merge(what + ": " + why, 1, Integer::sum);
  }

  private List<String> allNotes() {
    List<String> all = new ArrayList<>(notes);
    failures.forEach(
        (what, times) -> all.add("missing" + (times > 1 ? " " + times + " times, " : ", ") + what));
    return all;
  }

  /** Notes something that was not measured, and why; each once. */
  void note(String text) {
    if (!notes.contains(text)) {
      notes.add(text);
    }
  }

  /** Returns a row for each subject: the medians, and the ratios round by round. */
  String table() {
    StringBuilder out = new StringBuilder();
    row(out, "", "unit", "ours", "bpftrace", "ply", "ours/bpftrace", "ours/ply");
    values.keySet().stream().map(Subject::part).distinct().sorted().forEach(part -> add(out, part));
    allNotes().forEach(note -> out.append("note: ").append(note).append('\n'));
    return out.toString();
  }

  /** Adds the rows of a part, and the geometric means of their ratios if these are alike. */
  private void add(StringBuilder out, String part) {
    out.append(part).append('\n');
    List<Map<Tool.Kind, List<Double>>> rows = new ArrayList<>();
    Set<String> units = new HashSet<>();
    values.forEach(
        (subject, tools) -> {
          if (subject.part().equals(part)) {
            rows.add(tools);
            units.add(subject.unit());
            row(
                out,
                "  " + subject.title(),
                subject.unit(),
                median(tools, Tool.Kind.OURS),
                median(tools, Tool.Kind.BPFTRACE),
                median(tools, Tool.Kind.PLY),
                ratio(tools, Tool.Kind.BPFTRACE),
                ratio(tools, Tool.Kind.PLY));
          }
        });
    if (rows.size() > 1 && units.size() == 1) {
      String ofBpftrace = mean(rows, Tool.Kind.BPFTRACE);
      row(out, "  geometric mean (highest)", "", "", "", "", ofBpftrace, mean(rows, Tool.Kind.PLY));
    }
  }

  private static String mean(List<Map<Tool.Kind, List<Double>>> rows, Tool.Kind peer) {
    double[] ratios =
        rows.stream()
            .map(row -> ratios(row, peer))
            .filter(list -> !list.isEmpty())
            .mapToDouble(list -> quantile(list, 0.5))
            .toArray();
    if (ratios.length < 2) {
      return "-";
    }
    double logarithms = Arrays.stream(ratios).map(Math::log).average().orElseThrow();
    double highest = Arrays.stream(ratios).max().orElseThrow();
    return String.format(Locale.ROOT, "%.2f (%.2f)", Math.exp(logarithms), highest);
  }

  private static void row(StringBuilder out, String title, String... cells) {
    out.append(String.format(Locale.ROOT, "%-32s %-8s", title, cells[0]));
    for (int i = 1; i < cells.length; i++) {
      out.append(String.format(Locale.ROOT, i < 4 ? " %10s" : " %18s", cells[i]));
    }
    out.append('\n');
  }

  private static String median(Map<Tool.Kind, List<Double>> tools, Tool.Kind kind) {
    return Optional.ofNullable(tools.get(kind))
        .map(list -> list.stream().filter(Double::isFinite).toList())
        .map(list -> number(quantile(list, 0.5)))
        .orElse("-");
  }

  /** The median of the rounds' ratios, and where their middle half lies. */
  private static String ratio(Map<Tool.Kind, List<Double>> tools, Tool.Kind peer) {
    List<Double> ratios = ratios(tools, peer);
    return ratios.isEmpty()
        ? "-"
        : String.format(
            Locale.ROOT,
            "%.2f (%.2f-%.2f)",
            quantile(ratios, 0.5),
            quantile(ratios, 0.25),
            quantile(ratios, 0.75));
  }

  private static List<Double> ratios(Map<Tool.Kind, List<Double>> tools, Tool.Kind peer) {
    List<Double> ours = tools.getOrDefault(Tool.Kind.OURS, List.of());
    List<Double> theirs = tools.getOrDefault(peer, List.of());
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
      if (theirs.get(i) > 0 && Double.isFinite(ours.get(i))) {
        ratios.add(ours.get(i) / theirs.get(i));
      }
    }
    return ratios;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.2f" : "%.0f", value);
  }

  /** Returns a quantile, between two values their weighted mean. */
  static double quantile(List<Double> list, double which) {
    double[] sorted = list.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    double place = which * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
  }

  /** Returns all values, round by round, those that are missing as null. */
  String json(String machine) {
    StringBuilder out = new StringBuilder("{\"machine\": ").append(quoted(machine));
    out.append(", \"notes\": [");
    out.append(allNotes().stream().map(Report::quoted).collect(Collectors.joining(", ")));
    out.append("], \"values\": [");
    String separator = "\n";
    for (Map.Entry<Subject, Map<Tool.Kind, List<Double>>> entry : values.entrySet()) {
      for (Map.Entry<Tool.Kind, List<Double>> tool : entry.getValue().entrySet()) {
        out.append(separator).append("  {\"part\": ").append(quoted(entry.getKey().part()));
        out.append(", \"title\": ").append(quoted(entry.getKey().title()));
        out.append(", \"unit\": ").append(quoted(entry.getKey().unit()));
        out.append(", \"tool\": ").append(quoted(tool.getKey().title()));
        out.append(", \"values\": ").append(list(tool.getValue())).append('}');
        separator = ",\n";
      }
    }
    return out.append("\n]}\n").toString();
  }

  private static String list(List<Double> all) {
    return all.stream()
        .map(value -> Double.isFinite(value) ? value.toString() : "null")
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == '"' || character == '\\') {
        out.append('\\').append(character);
      } else if (character < ' ') {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
      } else {
        out.append(character);
      }
    }
    return out.append('"').toString();
  }
}
