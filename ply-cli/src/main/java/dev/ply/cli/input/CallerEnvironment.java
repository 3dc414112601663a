package dev.ply.cli.input;

import dev.ply.type.TextBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The environment of the command's caller. The launcher changes variables that would affect Java:
 * {@code LC_ALL}, {@code JAVA_TOOL_OPTIONS} and others. It saves {@code X} in {@code PLY_CALLER_X}:
 * {@code =VALUE}, or empty if it was unset.
 *
 * @param entries {@code NAME=VALUE} each, decoded by {@link TextBytes}: no byte is lost in any
 *     locale
 */
public record CallerEnvironment(List<String> entries) {
  private static final Path OWN = Path.of("/proc/self/environ");
  private static final String KEPT = "PLY_CALLER_";

  /** Keeps a copy. */
  public CallerEnvironment {
    entries = List.copyOf(entries);
  }

  /** Returns the environment of this process's caller. */
  public static CallerEnvironment read() {
    try {
      return of(List.of(TextBytes.decode(Files.readAllBytes(OWN)).split("\0", 0)));
    } catch (IOException e) {
      // The procfs files of a program with file capabilities belong to other users.
      List<String> own = new ArrayList<>();
      System.getenv().forEach((name, value) -> own.add(name + "=" + value));
      return of(own);
    }
  }

  /** Returns the environment before the launcher changed it to {@code own}. */
  static CallerEnvironment of(List<String> own) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (String entry : own) {
      entries.putIfAbsent(name(entry), entry);
    }
    for (String entry : own) {
      if (entry.startsWith(KEPT)) {
        entries.remove(name(entry));
        String name = name(entry).substring(KEPT.length());
        String kept = value(entry);
        if (kept.isEmpty()) {
          entries.remove(name);
        } else {
          entries.put(name, name + kept);
        }
      }
    }
    entries.remove("");
    return new CallerEnvironment(List.copyOf(entries.values()));
  }

  /** Returns the values by their names. */
  public Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    entries.forEach(entry -> variables.put(name(entry), value(entry)));
    return variables;
  }

  private static String name(String entry) {
    int end = entry.indexOf('=');
    return end < 0 ? entry : entry.substring(0, end);
  }

  private static String value(String entry) {
    return entry.substring(Math.min(entry.length(), name(entry).length() + 1));
  }
}
