package dev.ply.kernel.tracefs;

import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.target.TracepointCatalog;
import dev.ply.target.TracepointFormat;
import dev.ply.target.TracepointFormatParser;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The running kernel's tracepoints, read on demand. */
public final class TracefsCatalog implements TracepointCatalog {
  private final Supplier<Tracefs> tracefs;

  /** Creates the catalog; {@code tracefs} is called for each query. */
  public TracefsCatalog(Supplier<Tracefs> tracefs) {
    this.tracefs = tracefs;
  }

  @Override
  public Optional<TracepointFormat> find(String category, String event) {
    return format(category, event).map(text -> TracepointFormatParser.parse(category, text));
  }

  @Override
  public List<String> declarations(String category, String event) {
    return format(category, event).map(TracepointFormatParser::declarations).orElse(List.of());
  }

  private Optional<String> format(String category, String event) {
    if (!isName(category) || !isName(event)) {
      return Optional.empty();
    }
    Path format = tracefs.get().file("events", category, event, "format");
    try {
      return Optional.of(Files.readString(format));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unreadable(format);
    }
  }

  /** Returns whether a name is a valid directory name, without separators. */
  private static boolean isName(String name) {
    return !name.isEmpty() && name.indexOf('/') < 0 && name.charAt(0) != '.';
  }

  @Override
  public OptionalInt id(String category, String event) {
    if (!isName(category) || !isName(event)) {
      return OptionalInt.empty();
    }
    Path id = tracefs.get().file("events", category, event, "id");
    try {
      return OptionalInt.of(Integer.parseInt(Files.readString(id).strip()));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return OptionalInt.empty();
    } catch (IOException | NumberFormatException e) {
      throw unreadable(id);
    }
  }

  /** Returns the names of attachable tracepoints, in alphabetical order. */
  @Override
  public Stream<String> names() {
    Path list = tracefs.get().file("available_events");
    try {
      return Files.readAllLines(list).stream().filter(name -> name.indexOf(':') > 0).sorted();
    } catch (IOException e) {
      throw unreadable(list);
    }
  }

  private static UnreadableTargetException unreadable(Path file) {
    return new UnreadableTargetException(
        file
            + " cannot be read: "
            + CapabilitySet.ofThisProcess().remedy(List.of(Capability.CAP_DAC_READ_SEARCH)));
  }
}
