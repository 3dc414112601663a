package dev.ply.kernel.oracle;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How the verdicts of two verifiers compare, and the reasons where they differ. */
final class Tally {
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final Map<String, String> examples = new LinkedHashMap<>();
  private int accepted;
  private int refused;
  private int stricter;
  private int looser;

  void bothAccept() {
    accepted++;
  }

  void bothRefuse() {
    refused++;
  }

  /** Ours refuses what the kernel accepts. */
  void oursRefuses(String message, String example) {
    stricter++;
    count("ours refuses: " + message, example);
  }

  /** Ours accepts what the kernel refuses. */
  void kernelRefuses(String message, String example) {
    looser++;
    count("the kernel refuses: " + message, example);
  }

  private void count(String message, String example) {
    // What tells two cases of one reason apart: numbers, registers.
    String reason = message.replaceAll("0x[0-9a-f]+|-?\\d+", "N");
    counts.merge(reason, 1, Integer::sum);
    examples.putIfAbsent(reason, example);
  }

  int looser() {
    return looser;
  }

  @Override
  public String toString() {
    int all = accepted + refused + stricter + looser;
    String head =
        String.format(
            "%d programs: both accept %d, both refuse %d, only ours refuses %d, only the kernel"
                + " refuses %d; equal verdicts %.2f %%, of those the kernel accepts ours refuses"
                + " %.2f %%%n",
            all,
            accepted,
            refused,
            stricter,
            looser,
            100.0 * (accepted + refused) / Math.max(1, all),
            100.0 * stricter / Math.max(1, accepted + stricter));
    return counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
        .map(
            entry ->
                String.format("%6d %s%n", entry.getValue(), entry.getKey())
                    + (Boolean.getBoolean("harness.examples")
                        ? examples.get(entry.getKey()) + "\n"
                        : ""))
        .collect(Collectors.joining("", head, ""));
  }
}
