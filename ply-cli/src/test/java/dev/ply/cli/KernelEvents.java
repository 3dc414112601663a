package dev.ply.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Events of the kernel's own uprobe_events in a group of their own, traced in a tracefs instance of
 * their own.
 */
final class KernelEvents implements AutoCloseable {
  private static final Path TRACEFS = Path.of("/sys/kernel/tracing");
  private static final Path DEFINITIONS = TRACEFS.resolve("uprobe_events");
  private static final Path ERRORS = TRACEFS.resolve("error_log");
  private static final Pattern ERROR =
      Pattern.compile("error: (.*)\n {2}Command: (.*)\n( *)\\^", Pattern.MULTILINE);
  private static final int INDENT = "  Command: ".length();

  private final Path instance;
  private final String group;
  private final List<String> defined = new ArrayList<>();

  KernelEvents(String group) throws IOException {
    this.group = group;
    this.instance = Files.createDirectory(TRACEFS.resolve("instances").resolve(group));
  }

  static boolean areOffered() {
    return Files.isWritable(DEFINITIONS);
  }

  /** Defines an event of the group, {@code p:GROUP/EVENT …}. */
  void define(String definition) throws IOException {
    write(DEFINITIONS, definition);
    defined.add(definition.replaceFirst("^[pr]\\d*:(\\S+).*", "-:$1"));
  }

  /** Starts tracing the hits of threads with a name. */
  void enable(String comm) throws IOException {
    try (var events = Files.newDirectoryStream(instance.resolve("events").resolve(group))) {
      for (Path event : events) {
        if (Files.isDirectory(event)) {
          write(event.resolve("filter"), "COMM == \"" + comm + "\"");
          write(event.resolve("enable"), "1");
        }
      }
    }
  }

  /** Returns the lines of the trace. */
  List<String> trace() throws IOException {
    return Files.readAllLines(instance.resolve("trace"), StandardCharsets.ISO_8859_1).stream()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  /** Returns the kernel's verdict on a definition, as {@link EventVerdicts} has it. */
  String verdict(String definition) throws IOException {
    // Opened to be truncated, it is cleared.
    Files.writeString(ERRORS, "\n", StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    try {
      write(DEFINITIONS, definition);
    } catch (IOException e) {
      Matcher error = ERROR.matcher(Files.readString(ERRORS));
      return error.find()
          ? error.group(1) + "@" + (error.group(3).length() - INDENT + 1)
          : EventVerdicts.REFUSED;
    }
    String name = definition.split("\\s", 2)[0];
    for (String line : Files.readAllLines(DEFINITIONS)) {
      if (line.contains(definition.split("\\s", 3)[1].replaceFirst(":.*", ""))) {
        write(DEFINITIONS, line.replaceFirst("^[pr]\\d*:(\\S+).*", "-:$1"));
      }
    }
    return name.isEmpty() ? EventVerdicts.REFUSED : EventVerdicts.OK;
  }

  private static void write(Path file, String line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
  }

  @Override
  public void close() throws IOException {
    try {
      Path own = instance.resolve("events").resolve(group).resolve("enable");
      if (Files.exists(own)) {
        write(own, "0");
      }
      for (String removal : defined) {
        write(DEFINITIONS, removal);
      }
    } finally {
      try {
        Files.delete(instance);
      } catch (NoSuchFileException e) {
        // It was not created.
      }
    }
  }
}
