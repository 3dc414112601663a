package dev.ply.kernel.procfs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The names of users by ID, from the file {@code /etc/passwd}; other databases are not asked. */
public final class UserNames {
  private static final Path FILE = Path.of("/etc/passwd");

  private UserNames() {}

  /** Reads all names; none if the file cannot be read. Of an ID with several names, the first. */
  public static Map<Long, String> read() {
    try {
      return parse(Files.readString(FILE, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return Map.of();
    }
  }

  static Map<Long, String> parse(String text) {
    Map<Long, String> names = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      String[] fields = line.split(":", -1);
      if (fields.length > 2 && fields[2].matches("[0-9]{1,10}")) {
        names.putIfAbsent(Long.parseLong(fields[2]), fields[0]);
      }
    }
    return Map.copyOf(names);
  }
}
