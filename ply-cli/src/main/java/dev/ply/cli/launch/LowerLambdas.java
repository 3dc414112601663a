package dev.ply.cli.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Rewrites the jars of the command so that their lambdas are inner classes. A runtime before Java
 * 24 links each lambda when it comes by for the first time, in code of its own that has to be
 * interpreted then; a class is in the archive that the launcher makes, ready for use. The build
 * runs it, on jars that only the launcher uses.
 */
public final class LowerLambdas {
  private static final String CLASS = ".class";

  private LowerLambdas() {}

  /**
   * Rewrites all jars in a directory. Jars without lambdas stay as they are. In the end it leaves a
   * file {@code lowered} there, by which the launcher knows that the build is complete.
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
    Files.write(directory.resolve("lowered"), new byte[0]);
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
    int before = classes.size();
    Map<String, byte[]> lowered = new LambdaLowering().lower(classes);
    if (lowered.size() == before) {
      return;
    }
    Path rewritten = jar.resolveSibling(jar.getFileName() + ".lowered");
    try (OutputStream out = Files.newOutputStream(rewritten);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<ZipEntry, byte[]> entry : entries.entrySet()) {
        String name = entry.getKey().getName().replace(CLASS, "");
        write(zip, entry.getKey(), lowered.getOrDefault(name, entry.getValue()));
        lowered.remove(name);
      }
      ZipEntry last = entries.keySet().stream().reduce((first, second) -> second).orElseThrow();
      for (Map.Entry<String, byte[]> made : lowered.entrySet()) {
        write(zip, like(last, made.getKey() + CLASS), made.getValue());
      }
    }
    Files.move(rewritten, jar, StandardCopyOption.REPLACE_EXISTING);
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
