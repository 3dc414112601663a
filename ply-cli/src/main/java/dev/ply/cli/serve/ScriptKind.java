package dev.ply.cli.serve;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What a script of a configuration is, by the key that names it. */
enum ScriptKind {
  /** A file in the ply language. */
  FILE("file"),
  /** A script in the configuration itself. */
  TEXT("text"),
  /** A tool, by name. */
  TOOL("tool"),
  /** A file in bpftrace's language. */
  BPFTRACE("bpftrace");

  private final String key;

  ScriptKind(String key) {
    this.key = key;
  }

  /** Returns the key. */
  String key() {
    return key;
  }

  /** Returns whether the value is the path of a file. */
  boolean isPath() {
    return this == FILE || this == BPFTRACE;
  }

  /** Returns all keys, for messages. */
  static String keys() {
    List<String> keys = Arrays.stream(values()).map(ScriptKind::key).toList();
    return keys.stream().limit(keys.size() - 1).collect(Collectors.joining(", "))
        + " or "
        + keys.get(keys.size() - 1);
  }
}
