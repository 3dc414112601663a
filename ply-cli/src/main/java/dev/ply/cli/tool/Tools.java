package dev.ply.cli.tool;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.OptionParser;
import dev.ply.diagnostic.Source;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The tools: those of ply, and users' own in {@code ~/.config/ply/tools} and {@code
 * /etc/ply/tools}, which replace ply's of the same name.
 */
final class Tools {
  private static final String ENDING = ".ply";
  private static final String INDEX = "index";
  private static final long LONGEST = 1 << 20;

  private final List<Path> directories;

  /** Creates a catalog with users' tools, the first directory of a name first. */
  Tools(List<Path> directories) {
    this.directories = List.copyOf(directories);
  }

  /** Returns the catalog of this user. */
  static Tools ofUser() {
    List<Path> directories = new ArrayList<>();
    String home = System.getProperty("user.home", "");
    if (home.startsWith("/")) {
      directories.add(Path.of(home, ".config", "ply", "tools"));
    }
    directories.add(Path.of("/etc/ply/tools"));
    return new Tools(directories);
  }

  /** Returns the names of all tools, sorted. */
  List<String> names() {
    Set<String> names = new TreeSet<>(ownNames());
    directories.forEach(directory -> names.addAll(namesIn(directory)));
    return List.copyOf(names);
  }

  private static List<String> namesIn(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(ENDING))
          .map(file -> file.substring(0, file.length() - ENDING.length()))
          .filter(Tools::isName)
          .toList();
    } catch (IOException e) {
      // There need not be one.
      return List.of();
    }
  }

  private static boolean isName(String name) {
    return name.matches("[a-z][a-z0-9-]{0,30}");
  }

  /** Returns the names of ply's own tools. */
  static List<String> ownNames() {
    return resource(INDEX).orElse("").lines().toList();
  }

  /** Returns a tool, by name or by the path of its script; empty if there is none. */
  Optional<Tool> find(String name) throws UsageException {
    if (name.contains("/")) {
      Path file = OptionParser.path("tool", name);
      if (!Files.exists(file)) {
        throw new UsageException("no such file: " + name);
      }
      String last = file.getFileName().toString();
      return Optional.of(tool(last.replaceFirst("[.]ply$", ""), name, read(file)));
    }
    if (!isName(name)) {
      return Optional.empty();
    }
    for (Path directory : directories) {
      Path file = directory.resolve(name + ENDING);
      if (Files.exists(file)) {
        requireTrusted(directory);
        requireTrusted(file);
        return Optional.of(tool(name, file.toString(), read(file)));
      }
    }
    Optional<String> own = resource(name + ENDING);
    return own.isPresent() ? Optional.of(tool(name, name + ENDING, own.get())) : Optional.empty();
  }

  private static Tool tool(String name, String file, String script) throws UsageException {
    try {
      return new Tool(name, HeaderReader.read(name, script), new Source(file, script));
    } catch (HeaderException e) {
      throw new UsageException(file + ": " + e.getMessage());
    }
  }

  private static String read(Path file) throws UsageException {
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > LONGEST) {
        throw new UsageException(file + " is no script: a file of up to 1 MiB");
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new UsageException(file + " cannot be read as UTF-8");
    }
  }

  /** Root runs no script that somebody else can write. */
  private static void requireTrusted(Path file) throws UsageException {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      int owner = (Integer) Files.getAttribute(file, "unix:uid");
      int self = (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      if (owner != 0 && owner != self) {
        throw new UsageException(file + " is not run: it belongs to another user");
      }
      if (permissions.contains(PosixFilePermission.OTHERS_WRITE)
          || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
        throw new UsageException(
            file + " is not run: others can write it; chmod go-w " + file + " if it is yours");
      }
    } catch (IOException e) {
      throw new UsageException(file + " cannot be read");
    }
  }

  private static Optional<String> resource(String name) {
    try (InputStream script = Tools.class.getResourceAsStream(name)) {
      return script == null
          ? Optional.empty()
          : Optional.of(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
