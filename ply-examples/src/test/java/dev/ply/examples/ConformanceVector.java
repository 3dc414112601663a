package dev.ply.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A file of the bpf_conformance suite: sections headed {@code -- name}, comments from {@code #} on.
 *
 * @param assembly the program as mnemonics
 * @param memory what r1 points to, in hexadecimal
 * @param result what r0 should be in the end
 */
record ConformanceVector(String assembly, String memory, long result) {
  static ConformanceVector read(Path file) throws IOException {
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
    String memory = text(sections, "mem").replaceAll("\\s", "");
    String result = text(sections, "result").strip();
    return new ConformanceVector(
        text(sections, "asm"),
        memory,
        result.startsWith("0x")
            ? Long.parseUnsignedLong(result.substring(2), 16)
            : Long.parseUnsignedLong(result));
  }

  private static String text(Map<String, StringBuilder> sections, String name) {
    return sections.getOrDefault(name, new StringBuilder()).toString();
  }
}
