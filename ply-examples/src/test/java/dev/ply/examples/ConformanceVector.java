package dev.ply.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A file of the bpf_conformance suite: sections headed {@code -- name}, comments from {@code #} on.
 *
 * @param assembly the program as mnemonics
 * @param memory what r1 points to, in hexadecimal
 * @param result what r0 should be in the end
 */
record ConformanceVector(String assembly, String memory, long result) {
  static ConformanceVector read(Path file) throws IOException {
    Map<String, StringBuilder> sections = sections(file);
    return new ConformanceVector(
        text(sections, "asm"),
        text(sections, "mem").replaceAll("\\s", ""),
        number(text(sections, "result").strip()));
  }

  /**
   * A file of what machines must refuse: a program, of which running with the expected result would
   * be wrong.
   *
   * @param bytes the program in hexadecimal where it is not given as mnemonics
   * @param result what r0 must not be in the end, if that is what is wrong
   */
  record Negative(String assembly, String bytes, String memory, Optional<Long> result) {
    static Negative read(Path file) throws IOException {
      Map<String, StringBuilder> sections = sections(file);
      String result = text(sections, "result").strip();
      return new Negative(
          text(sections, "asm"),
          text(sections, "raw").replaceAll("\\s", ""),
          text(sections, "mem").replaceAll("\\s", ""),
          result.isEmpty() ? Optional.empty() : Optional.of(number(result)));
    }
  }

  private static Map<String, StringBuilder> sections(Path file) throws IOException {
    Map<String, StringBuilder> sections = new HashMap<>();
    StringBuilder section = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      String code = line.replaceAll("#.*", "").strip();
      if (code.startsWith("-- ")) {
        section = sections.computeIfAbsent(code.substring(3), name -> new StringBuilder());
      } else {
        section.append(code).append('\n');
      }
    }
    return sections;
  }

  private static long number(String text) {
    return text.startsWith("0x")
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : Long.parseUnsignedLong(text);
  }

  private static String text(Map<String, StringBuilder> sections, String name) {
    return sections.getOrDefault(name, new StringBuilder()).toString();
  }
}
