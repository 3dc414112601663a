package dev.ply.bpf.fuzz;

import java.util.List;
import java.util.Random;

/** Random inputs of a front end: words in any order, and valid inputs with a few changes. */
final class Mutants {
  private static final List<String> GAPS = List.of(" ", " ", "", "", "\n", "\t", ":", ",");

  private final List<String> seeds;
  private final List<String> words;
  private final Random random;

  /**
   * Creates a source of inputs.
   *
   * @param seeds valid inputs
   * @param words tokens of the front end's language
   */
  Mutants(List<String> seeds, List<String> words, Random random) {
    this.seeds = List.copyOf(seeds);
    this.words = List.copyOf(words);
    this.random = random;
  }

  /** Returns another input. */
  String next() {
    int kind = random.nextInt(100);
    if (kind < 15) {
      return soup();
    } else if (kind < 18) {
      return nested();
    } else if (kind < 30) {
      return mutant(seed() + GAPS.get(random.nextInt(GAPS.size())) + seed());
    } else if (kind < 40) {
      return spliced();
    }
    return mutant(seed());
  }

  private String seed() {
    return seeds.get(random.nextInt(seeds.size()));
  }

  private String word() {
    return words.get(random.nextInt(words.size()));
  }

  private String soup() {
    StringBuilder out = new StringBuilder();
    for (int i = random.nextInt(15); i > 0; i--) {
      out.append(word()).append(GAPS.get(random.nextInt(GAPS.size())));
    }
    return out.toString();
  }

  private String nested() {
    String seed = seed();
    int at = random.nextInt(seed.length() + 1);
    String repeated = word().repeat(1 + random.nextInt(random.nextInt(10) == 0 ? 2000 : 40));
    return seed.substring(0, at) + repeated + seed.substring(at);
  }

  /** The start of one input and the end of another. */
  private String spliced() {
    String first = seed();
    String second = seed();
    return first.substring(0, random.nextInt(first.length() + 1))
        + second.substring(random.nextInt(second.length() + 1));
  }

  private String mutant(String input) {
    String text = input;
    for (int i = random.nextInt(4); i >= 0; i--) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(6));
      String before = text.substring(0, from);
      String after = text.substring(to);
      text =
          switch (random.nextInt(8)) {
            case 0 -> before + after;
            case 1 -> before + text.substring(from, to) + text.substring(from);
            case 2 -> before + (char) random.nextInt(0x80) + after;
            case 3 -> before + (char) random.nextInt(0x10000) + text.substring(from);
            case 4 -> before + "9".repeat(random.nextInt(40)) + text.substring(from);
            case 5 -> withAnotherWord(text);
            case 6 -> before + word() + text.substring(from);
            default -> before + " " + word() + " " + after;
          };
    }
    return text;
  }

  private String withAnotherWord(String text) {
    String[] parts = text.split("(?<=\\W)|(?=\\W)");
    if (parts.length > 0) {
      int at = random.nextInt(parts.length);
      parts[at] = random.nextBoolean() ? parts[random.nextInt(parts.length)] : word();
    }
    return String.join("", parts);
  }
}
