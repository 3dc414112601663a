package dev.ply.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.lang.events.EventSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Events of the kernel's own kprobe_events, uprobe_events and dynamic_events in a group of their
 * own, traced in a tracefs instance of their own.
 */
public final class KernelEvents implements AutoCloseable {
  private static final Path TRACEFS = Path.of("/sys/kernel/tracing");
  private static final Path DYNAMIC = TRACEFS.resolve("dynamic_events");
  private static final Path ERRORS = TRACEFS.resolve("error_log");
  private static final Pattern ERROR =
      Pattern.compile("error: (.*)\n {2}Command: (.*)\n( *)\\^", Pattern.MULTILINE);
  private static final int INDENT = "  Command: ".length();

  private final Path definitions;
  private final Path instance;
  private final String group;
  private final List<String> defined = new ArrayList<>();

  public KernelEvents(EventSpace space, String group) throws IOException {
    this.definitions = TRACEFS.resolve(space.file());
    this.group = group;
    this.instance = Files.createDirectory(TRACEFS.resolve("instances").resolve(group));
  }

  public static boolean areOffered(EventSpace space) {
    return Files.isWritable(TRACEFS.resolve(space.file()));
  }

  /** Defines an event of the group, {@code p:GROUP/EVENT …}. */
  public void define(String definition) throws IOException {
    write(file(definition), definition);
    defined.add(removal(definition));
  }

  /** Starts tracing the hits of threads with a name. */
  public void enable(String comm) throws IOException {
    try (var events = Files.newDirectoryStream(instance.resolve("events").resolve(group))) {
      for (Path event : events) {
        if (Files.isDirectory(event)) {
          enable(event.getFileName().toString(), comm);
        }
      }
    }
  }

  /** Starts tracing the hits of one event by threads with a name. */
  public void enable(String event, String comm) throws IOException {
    enableFiltered(event, "COMM == \"" + comm + "\"");
  }

  /** Starts tracing the hits of one event for which a filter is true. */
  public void enableFiltered(String event, String filter) throws IOException {
    Path files = instance.resolve("events").resolve(group).resolve(event);
    write(files.resolve("filter"), filter);
    write(files.resolve("enable"), "1");
  }

  /** Stops tracing all events, and returns the lines of the trace, which is empty then. */
  List<String> stop() throws IOException {
    write(instance.resolve("events").resolve(group).resolve("enable"), "0");
    List<String> lines = trace();
    Files.writeString(instance.resolve("trace"), "");
    return lines;
  }

  /** Returns the lines of the trace. */
  public List<String> trace() throws IOException {
    return Files.readAllLines(instance.resolve("trace"), StandardCharsets.ISO_8859_1).stream()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  /** Returns the kernel's verdict on a definition, as {@link EventVerdicts} has it. */
  public String verdict(String definition) throws IOException {
    // Opened to be truncated, it is cleared.
    Files.writeString(ERRORS, "\n", StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    Path file = file(definition);
    Set<String> before = Set.copyOf(Files.readAllLines(file));
    try {
      write(file, definition);
    } catch (IOException e) {
      Matcher error = ERROR.matcher(Files.readString(ERRORS));
      return error.find()
          ? error.group(1) + "@" + (error.group(3).length() - INDENT + 1)
          : EventVerdicts.REFUSED;
    }
    List<String> added =
        Files.readAllLines(file).stream().filter(line -> !before.contains(line)).toList();
    for (String line : added) {
      write(file, removal(line));
    }
    return added.isEmpty() ? EventVerdicts.REFUSED : EventVerdicts.OK;
  }

  /** Returns what error_log has of a wrong definition, without its time. */
  String logged(String definition) throws IOException {
    assertThat(verdict(definition)).isNotEqualTo(EventVerdicts.OK);
    return Files.readString(ERRORS).replaceAll("(?m)^\\[ *[0-9.]+] ", "");
  }

  private static String removal(String definition) {
    return definition.replaceFirst("^[a-z]\\d*:(\\S+).*", "-:$1");
  }

  /** Only dynamic_events takes other events than probes. */
  private Path file(String definition) {
    return definition.matches("[fte].*") ? DYNAMIC : definitions;
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
        write(DYNAMIC, removal);
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
