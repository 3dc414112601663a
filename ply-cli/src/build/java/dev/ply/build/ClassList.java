package dev.ply.build;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.ClassReader;

/**
 * What goes into the class archive of a package: the classes that typical traces load, with what
 * their code refers to. The runtime loads the whole archive at each start, so that a class which is
 * never used costs about a tenth of one that is used and not in it.
 *
 * <p>A list recorded by the build would differ from run to run and from machine to machine, and so
 * would the package: what typical traces load is a file of the source, which a test compares with
 * what they load.
 */
final class ClassList {
  private static final String LAMBDA = "@lambda-proxy ";

  /** Constants that can be resolved beforehand (JVM specification, table 4.4-A). */
  private static final Set<Integer> RESOLVED = Set.of(7, 9, 10, 11);

  private static final int INVOKE_DYNAMIC = 18;

  private final FileSystem runtime;
  private final Map<String, byte[]> classes;

  private ClassList(FileSystem runtime, Map<String, byte[]> classes) {
    this.runtime = runtime;
    this.classes = classes;
  }

  /**
   * Returns the lines of the list, which are those of the file whose classes there are, and the
   * constants of these classes.
   *
   * @param runtime the Java runtime
   * @param classes the files of the command's classes by their internal names
   * @param startup the file, in the form of {@code -XX:DumpLoadedClassList}
   */
  static List<String> of(Path runtime, Map<String, byte[]> classes, Path startup)
      throws IOException {
    Map<String, String> home = Map.of("java.home", runtime.toString());
    try (FileSystem image = FileSystems.newFileSystem(URI.create("jrt:/"), home)) {
      return new ClassList(image, classes).lines(Files.readAllLines(startup));
    }
  }

  private List<String> lines(List<String> startup) throws IOException {
    Set<String> lambdas = new HashSet<>();
    for (String line : startup) {
      if (line.startsWith(LAMBDA)) {
        lambdas.add(String.join(" ", List.of(line.split(" ", 5)).subList(1, 4)));
      }
    }
    List<String> lines = new ArrayList<>();
    List<String> constants = new ArrayList<>();
    for (String line : startup) {
      if (line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("@")) {
        lines.add(line);
        continue;
      }
      Optional<byte[]> file = file(line);
      if (file.isPresent()) {
        lines.add(line);
        constants.add(constants(line, file.get(), lambdas));
      }
    }
    lines.addAll(constants);
    return lines;
  }

  private Optional<byte[]> file(String name) throws IOException {
    byte[] own = classes.get(name);
    if (own != null) {
      return Optional.of(own);
    }
    for (String module : PackageImage.MODULES) {
      Path file = runtime.getPath("modules", module, name + ".class");
      if (Files.exists(file)) {
        return Optional.of(Files.readAllBytes(file));
      }
    }
    return Optional.empty();
  }

  /** The line with the numbers of all constants that are resolved when the archive is made. */
  private static String constants(String name, byte[] file, Set<String> lambdas) {
    StringBuilder line = new StringBuilder("@cp ").append(name);
    ClassReader reader = new ClassReader(file);
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int item = 1; item < reader.getItemCount(); item++) {
      int offset = reader.getItem(item);
      // The second half of a long has none.
      int tag = offset == 0 ? 0 : reader.readByte(offset - 1);
      if (RESOLVED.contains(tag)
          || (tag == INVOKE_DYNAMIC && lambdas.contains(lambda(name, reader, offset, buffer)))) {
        line.append(' ').append(item);
      }
    }
    return line.toString();
  }

  /** The beginning of the line of a lambda that this call makes: owner, method and type. */
  private static String lambda(String owner, ClassReader reader, int call, char[] buffer) {
    int nameAndType = reader.getItem(reader.readUnsignedShort(call + 2));
    return owner
        + ' '
        + reader.readUTF8(nameAndType, buffer)
        + ' '
        + reader.readUTF8(nameAndType + 2, buffer);
  }
}
