package dev.ply.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassVisitor;

/**
 * Rewrites the jars of the command so that a start does less. Their lambdas become inner classes: a
 * runtime before Java 24 links each lambda when it comes by for the first time, in code of its own
 * that has to be interpreted then; a class is in the archive that the launcher makes, ready for
 * use. Their records compare by plain code, for the same reason, and their loggers become the one
 * that needs no configuration. The build runs it, on jars that only the launcher uses.
 */
public final class PrepareJars {
  private static final String CLASS = ".class";

  private static final List<Function<ClassVisitor, ClassRewriting>> WAYS =
      List.of(GlobalLogger::new, RecordLowering::new);

  private PrepareJars() {}

  /**
   * Rewrites all jars in a directory; those that have none of these stay as they are. In the end it
   * leaves a file {@code prepared} there, by which the launcher knows that the build is complete.
   *
   * @param arguments the directory
   * @throws IOException if a jar cannot be read or replaced
   */
  public static void main(String... arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    List<Path> jars;
    try (Stream<Path> files = Files.list(directory)) {
      jars = files.filter(file -> file.getFileName().toString().endsWith(".jar")).toList();
    }
    for (Path jar : jars) {
      rewrite(jar);
    }
    Files.write(directory.resolve("prepared"), new byte[0]);
  }

  private static void rewrite(Path jar) throws IOException {
    Map<ZipEntry, byte[]> entries = read(jar);
    Map<String, byte[]> classes = new LinkedHashMap<>();
    entries.forEach(
        (entry, content) -> {
          if (entry.getName().endsWith(CLASS)) {
            classes.put(entry.getName().replace(CLASS, ""), content);
          }
        });
    Map<String, byte[]> rewritten = classes;
    for (Function<ClassVisitor, ClassRewriting> way : WAYS) {
      rewritten = ClassRewriting.apply(way, rewritten);
    }
    Map<String, byte[]> prepared = new LambdaLowering().lower(rewritten);
    if (isSame(classes, prepared)) {
      return;
    }
    Path copy = jar.resolveSibling(jar.getFileName() + ".prepared");
    try (OutputStream out = Files.newOutputStream(copy);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<ZipEntry, byte[]> entry : entries.entrySet()) {
        String name = entry.getKey().getName().replace(CLASS, "");
        write(zip, entry.getKey(), prepared.getOrDefault(name, entry.getValue()));
        prepared.remove(name);
      }
      ZipEntry last = entries.keySet().stream().reduce((first, second) -> second).orElseThrow();
      for (Map.Entry<String, byte[]> made : prepared.entrySet()) {
        write(zip, like(last, made.getKey() + CLASS), made.getValue());
      }
    }
    Files.move(copy, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean isSame(Map<String, byte[]> before, Map<String, byte[]> after) {
    return after.size() == before.size()
        && before.entrySet().stream()
            .allMatch(entry -> after.get(entry.getKey()) == entry.getValue());
  }

  private static Map<ZipEntry, byte[]> read(Path jar) throws IOException {
    Map<ZipEntry, byte[]> entries = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        try (InputStream in = zip.getInputStream(entry)) {
          entries.put(entry, in.readAllBytes());
        }
      }
    }
    return entries;
  }

  private static void write(ZipOutputStream zip, ZipEntry entry, byte[] content)
      throws IOException {
    zip.putNextEntry(like(entry, entry.getName()));
    zip.write(content);
    zip.closeEntry();
  }

  /** As old as another. */
  private static ZipEntry like(ZipEntry other, String name) {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(other.getTime());
    return entry;
  }
}
