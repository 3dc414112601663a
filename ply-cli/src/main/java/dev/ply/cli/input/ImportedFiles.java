package dev.ply.cli.input;

import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Source;
import dev.ply.lang.ScriptParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads the files that a script imports, and those that they import, each once. A path is relative
 * to the file that names it; headers can also be in directories of the command line. Other users
 * must not be able to change what a tracer runs as root: files that everyone can write, and those
 * with a directory above them that everyone can write, are not read.
 */
public final class ImportedFiles {
  private static final int STICKY = 01000;

  /** The maximum number of imported files. */
  private static final int MOST_FILES = 64;

  /** The maximum number of headers: those of a library include many others. */
  private static final int MOST_HEADERS = 1024;

  /** The maximum size in characters of all of them. */
  private static final int LONGEST = 4 << 20;

  private final Set<Path> read = new HashSet<>();

  /** Headers can be included again, by files that do not include each other. */
  private final Map<Path, List<Source>> headers = new HashMap<>();

  private final List<Path> directories;
  private int files;
  private int characters;

  /** Thrown with what the import's diagnostic says. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    Refusal(String message) {
      super(message);
    }
  }

  private ImportedFiles(List<Path> directories) {
    this.directories = directories;
  }

  /** Returns a script with the files that it imports. */
  public static Source of(Source script) {
    return of(script, Includes.NONE);
  }

  /** Returns a script with the files that it imports, after the headers of the command line. */
  public static Source of(Source script, Includes includes) {
    if (ScriptParser.imports(script).isEmpty() && includes.headers().isEmpty()) {
      return script;
    }
    Path file;
    try {
      file = Path.of(script.name());
    } catch (InvalidPathException e) {
      file = Path.of("");
    }
    ImportedFiles files = new ImportedFiles(includes.directories());
    try {
      files.read.add(file.toRealPath());
    } catch (IOException e) {
      // A script without a file imports what is in the working directory.
    }
    return files.withImports(script, directory(file), files.before(includes));
  }

  /** Returns what is included before the script. */
  private List<Source.Import> before(Includes includes) {
    if (includes.headers().isEmpty()) {
      return List.of();
    }
    Source headers =
        withImports(new Source("<command line>", includes.text()), Path.of(""), List.of());
    return List.of(new Source.Import(Source.Import.BEFORE, List.of(headers), Optional.empty()));
  }

  private static Path directory(Path file) {
    return file.getParent() == null ? Path.of("") : file.getParent();
  }

  private Source withImports(Source script, Path directory, List<Source.Import> before) {
    List<Source.Import> imports = new ArrayList<>(before);
    for (String path : ScriptParser.imports(script)) {
      try {
        imports.add(new Source.Import(path, read(path, directory), Optional.empty()));
      } catch (Refusal e) {
        if (ScriptParser.isBuiltIn(path)) {
          continue;
        }
        imports.add(
            new Source.Import(path, List.of(), Optional.of(String.valueOf(e.getMessage()))));
      }
    }
    return script.withImports(imports);
  }

  /** Reads what a path selects; one in {@code <>} is that of a header. */
  private List<Source> read(String named, Path directory) throws Refusal {
    boolean isInBrackets = named.startsWith("<");
    String path = isInBrackets ? named.substring(1, named.length() - 1) : named;
    Path own = resolved(directory, path);
    boolean isOwn = !isInBrackets && !path.isEmpty() && Files.exists(own);
    Optional<Path> file = isOwn ? Optional.of(own) : inDirectories(path);
    if (file.isEmpty() && Source.Import.isLibrary(path)) {
      return List.of();
    }
    Path found =
        file.orElseThrow(
            () ->
                new Refusal(
                    isInBrackets ? "header " + named + " not found" : "no such file: " + own));
    if (!Files.isDirectory(found)) {
      return file(found);
    }
    requireSafe(found);
    List<Source> all = new ArrayList<>();
    for (Path member : members(found)) {
      all.addAll(file(member));
    }
    return all;
  }

  private static Path resolved(Path directory, String path) throws Refusal {
    try {
      return directory.resolve(path).normalize();
    } catch (InvalidPathException e) {
      throw new Refusal("\"" + path + "\" cannot be a file's name");
    }
  }

  /** Returns the first header of this path in a directory of the command line. */
  private Optional<Path> inDirectories(String path) {
    return directories.stream()
        .map(directory -> directory.resolve(path).normalize())
        .filter(file -> path.endsWith(".h") && Files.exists(file))
        .findFirst();
  }

  /** Returns what can be imported from a directory, in the order of the names. */
  private static List<Path> members(Path directory) throws Refusal {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(entry -> !Files.isDirectory(entry) && isImportable(entry))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new Refusal(directory + " cannot be read");
    }
  }

  private static boolean isImportable(Path file) {
    String name = file.getFileName().toString();
    return isScript(name) || isCompiled(name);
  }

  private static boolean isScript(String name) {
    return name.endsWith(".bt") || name.endsWith(".ply") || name.endsWith(".h");
  }

  private static boolean isCompiled(String name) {
    return name.endsWith(".bpf.c") || name.endsWith(".bpf.o");
  }

  private List<Source> file(Path file) throws Refusal {
    String name = file.getFileName().toString();
    if (isCompiled(name)) {
      throw new Refusal(
          file + " is BPF in C: ply has no C compiler and no linker; write it as a macro");
    }
    if (!isScript(name)) {
      throw new Refusal(file + " is neither a script nor a header");
    }
    if (!Files.isRegularFile(file)) {
      throw new Refusal(file + " is no regular file");
    }
    requireSafe(file);
    try {
      Path target = file.toRealPath();
      requireSafe(target);
      if (!read.add(target)) {
        return headers.getOrDefault(target, List.of());
      }
      boolean isHeader = name.endsWith(".h");
      List<Source> found = read(file, isHeader ? MOST_HEADERS : MOST_FILES);
      if (isHeader) {
        headers.put(target, found);
      }
      return found;
    } catch (IOException e) {
      throw new Refusal(file + " cannot be read");
    }
  }

  private List<Source> read(Path file, int most) throws Refusal {
    if (++files > most) {
      throw new Refusal("a script can import up to " + most + " files");
    }
    Source source;
    try {
      source = ProgramText.content(file.toString(), file);
    } catch (UsageException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
    characters += source.text().length();
    if (characters > LONGEST) {
      throw new Refusal("the imported files exceed 4 MiB");
    }
    return List.of(withImports(source, directory(file), List.of()));
  }

  private static void requireSafe(Path file) throws Refusal {
    Path directory = file.toAbsolutePath().getParent();
    if (isWritableByAll(file) || (directory != null && isWritableByAll(directory))) {
      throw new Refusal(file + " is not read: every user can write it or its directory");
    }
    Path above = directory;
    while (above != null) {
      // Where entries are their owners' alone, as in /tmp, nobody else can put others in place.
      if (isWritableByAll(above) && !isSticky(above)) {
        throw new Refusal(
            file + " is not read: every user can write " + above + ", a directory above it");
      }
      above = above.getParent();
    }
  }

  private static boolean isSticky(Path directory) throws Refusal {
    try {
      return ((int) Files.getAttribute(directory, "unix:mode") & STICKY) != 0;
    } catch (IOException e) {
      throw new Refusal(directory + " cannot be read");
    }
  }

  private static boolean isWritableByAll(Path file) throws Refusal {
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE);
    } catch (IOException e) {
      throw new Refusal(file + " cannot be read");
    }
  }
}
