package dev.ply.kernel.user;

import dev.ply.kernel.untrusted.UntrustedPath;
import dev.ply.kernel.untrusted.UntrustedPath.Links;
import dev.ply.selector.Glob;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A pattern of paths as a shell has it: it matches name by name, hidden ones only by their dot. */
final class PathPattern {
  private final int mostEntries;
  private int entries;

  /**
   * Creates a search.
   *
   * @param mostEntries how many entries of directories are looked at
   */
  PathPattern(int mostEntries) {
    this.mostEntries = mostEntries;
  }

  /** Returns whether the search ended before all directories were read. */
  boolean isExhausted() {
    return entries > mostEntries;
  }

  /**
   * Returns the paths that match, in alphabetical order.
   *
   * @param root what an absolute pattern begins at
   */
  List<String> paths(String pattern, Path root) {
    boolean isAbsolute = pattern.startsWith("/");
    List<String> found = List.of(isAbsolute ? "/" : "");
    for (String name : pattern.split("/+", -1)) {
      if (!name.isEmpty()) {
        found = found.stream().flatMap(path -> below(path, name, root).stream()).toList();
      }
    }
    return found;
  }

  private List<String> below(String directory, String name, Path root) {
    String start = directory.isEmpty() || directory.endsWith("/") ? directory : directory + "/";
    if (!Glob.isGlob(name)) {
      return List.of(start + name);
    }
    List<String> found = new ArrayList<>();
    try (UntrustedPath opened = UntrustedPath.open(seen(start, root), Links.FOLLOWED)) {
      // Reading a pipe would wait for its writer.
      if (Files.isDirectory(opened.path())) {
        add(opened.path(), start, name, found);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // A pattern's other directories are searched all the same.
      return found;
    }
    found.sort(null);
    return found;
  }

  /** Adds the entries of a directory that match. */
  private void add(Path directory, String start, String name, List<String> found)
      throws IOException {
    Glob glob = new Glob(name);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path entry : all) {
        String one = entry.getFileName().toString();
        if (++entries > mostEntries) {
          break;
        }
        if (glob.matches(one) && (!one.startsWith(".") || name.startsWith("."))) {
          found.add(start + one);
        }
      }
    }
  }

  private static Path seen(String directory, Path root) {
    return directory.startsWith("/")
        ? root.resolve(directory.substring(1))
        : Path.of(directory.isEmpty() ? "." : directory);
  }
}
