package dev.ply.build;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes the directory that all packages contain, which runs without anything else: a Java runtime
 * of the modules that are used, one jar of the classes that are used, JNA's library and a class
 * archive. The same jars and the same JDK give the same bytes.
 */
public final class PackageImage {
  private static final String CLASS = ".class";
  private static final String NONE = "none";
  private static final int OLDEST = 25;
  private static final Pattern PAGE = Pattern.compile("[^/]+\\.([1-8])\\.gz");

  /** What the jars need; JNA's support of windows, which nothing calls, would need java.desktop. */
  static final List<String> MODULES =
      List.of("java.base", "java.logging", "java.net.http", "jdk.httpserver", "jdk.unsupported");

  /** Architectures as Debian names them, and as JNA does. */
  private static final Map<String, String> ARCHITECTURES =
      Map.of("amd64", "x86-64", "arm64", "aarch64");

  /** Of these libraries all classes are kept: native code finds some by name. */
  private static final List<String> WHOLE = List.of("ply-", "jna-");

  private final Path jdk;
  private final Path image;
  private final FileTime time;

  private PackageImage(Path jdk, Path image, FileTime time) {
    this.jdk = jdk;
    this.image = image;
    this.time = time;
  }

  /**
   * Makes the image.
   *
   * @param arguments the JDK to link from, the directory of the module files of another
   *     architecture (or "none"), the architecture, the directory of prepared jars, the image to
   *     make, the time of all files, the list of what typical traces load, and what else there is
   *     to copy, each as FROM=TO
   * @throws IOException if a file cannot be read or written, or a tool of the JDK fails
   */
  public static void main(String... arguments) throws IOException, InterruptedException {
    Path image = Path.of(arguments[4]);
    FileTime time = FileTime.from(OffsetDateTime.parse(arguments[5]).toInstant());
    Path lib = Path.of(arguments[3]);
    PackageImage made = new PackageImage(Path.of(arguments[0]), image, time);
    String architecture = arguments[2];
    String nativeName = ARCHITECTURES.get(architecture);
    if (nativeName == null) {
      throw new IOException(
          "dist.arch is one of "
              + String.join(", ", new TreeSet<>(ARCHITECTURES.keySet()))
              + ", not "
              + architecture);
    }
    made.checkVersion();
    delete(image);
    Files.createDirectories(image.resolve("lib"));
    made.link(arguments[1]);
    for (String files : List.of(arguments).subList(7, arguments.length)) {
      int equals = files.indexOf('=');
      copy(Path.of(files.substring(0, equals)), image.resolve(files.substring(equals + 1)));
    }
    Path library = lib.resolve("com/sun/jna/linux-" + nativeName + "/libjnidispatch.so");
    Files.copy(library, image.resolve("lib/libjnidispatch.so"));
    Map<String, byte[]> classes = made.jar(lib);
    made.setTimes();
    boolean foreign = !arguments[1].equals(NONE);
    if (!foreign) {
      made.archive(ClassList.of(made.runtime(), classes, Path.of(arguments[6])));
    }
  }

  /** The runtime is the one that the archive and its options were tried with, or later. */
  private void checkVersion() throws IOException {
    Properties release = new Properties();
    Path file = jdk.resolve("release");
    if (Files.exists(file)) {
      try (Reader in = Files.newBufferedReader(file)) {
        release.load(in);
      }
    }
    String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
    if (version.isEmpty() || Runtime.Version.parse(version).feature() < OLDEST) {
      throw new IOException(
          "packages are made with JDK "
              + OLDEST
              + " or later, and "
              + jdk
              + (version.isEmpty() ? " is none" : " is " + version)
              + ": -Ddist.jdk=DIRECTORY names another");
    }
  }

  private void link(String modulePath) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(jdk.resolve("bin/jlink").toString()));
    if (!modulePath.equals(NONE)) {
      command.addAll(List.of("--module-path", modulePath));
    }
    command.addAll(
        List.of(
            "--add-modules",
            String.join(",", MODULES),
            "--strip-java-debug-attributes",
            "--no-header-files",
            "--no-man-pages",
            // Some JDKs come with them: far more than all the rest.
            "--exclude-files",
            "**.debuginfo",
            // An uncompressed image makes smaller packages, and starts faster.
            "--compress",
            "zip-0",
            "--vm",
            "server",
            "--output",
            runtime().toString()));
    run(command);
    Files.delete(runtime().resolve("bin/keytool"));
  }

  private Path runtime() {
    return image.resolve("runtime");
  }

  /** Packs what is used of all jars into one, and returns its classes by internal names. */
  private Map<String, byte[]> jar(Path lib) throws IOException {
    Map<String, byte[]> classes = new TreeMap<>();
    Map<String, byte[]> resources = new TreeMap<>();
    List<String> roots = new ArrayList<>();
    for (Path jar : jars(lib)) {
      String file = jar.getFileName().toString();
      boolean whole = WHOLE.stream().anyMatch(file::startsWith);
      for (Map.Entry<String, byte[]> entry : read(jar).entrySet()) {
        String path = entry.getKey();
        if (path.startsWith("META-INF/") || path.endsWith("-info.class")) {
          continue;
        }
        if (path.endsWith(CLASS)) {
          String name = path.replace(CLASS, "");
          classes.put(name, entry.getValue());
          if (whole) {
            roots.add(name);
          }
        } else if (file.startsWith("ply-")) {
          resources.put(path, entry.getValue());
        }
      }
    }
    classes.keySet().retainAll(UsedClasses.of(classes, roots));
    Map<String, byte[]> packed = new TreeMap<>(resources);
    classes.forEach((name, file) -> packed.put(name + CLASS, file));
    try (OutputStream out = Files.newOutputStream(jarFile());
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> file : packed.entrySet()) {
        store(zip, file.getKey(), file.getValue());
      }
    }
    return classes;
  }

  private Path jarFile() {
    return image.resolve("lib/ply.jar");
  }

  private static List<Path> jars(Path lib) throws IOException {
    try (Stream<Path> files = Files.list(lib)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .filter(file -> !file.toString().endsWith("-rehearsal.jar"))
          .sorted()
          .toList();
    }
  }

  private static Map<String, byte[]> read(Path jar) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().filter(entry -> !entry.isDirectory()).toList()) {
        try (InputStream in = zip.getInputStream(entry)) {
          files.put(entry.getName(), in.readAllBytes());
        }
      }
    }
    return files;
  }

  /** Not compressed: the whole packs better, and starts faster. */
  private void store(ZipOutputStream zip, String name, byte[] content) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    entry.setCrc(crc.getValue());
    entry.setTimeLocal(time.toInstant().atOffset(ZoneOffset.UTC).toLocalDateTime());
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }

  /** The runtime takes an archive only for a jar of the same time and size. */
  private void setTimes() throws IOException {
    try (Stream<Path> files = Files.walk(image)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.setLastModifiedTime(file, time);
      }
    }
  }

  /** Makes the archive that the runtime uses unless an option names another. */
  private void archive(List<String> classes) throws IOException, InterruptedException {
    Path list = image.resolveSibling("classes.list");
    Files.write(list, classes);
    Path archive = runtime().resolve("lib/server/classes.jsa");
    long since = System.nanoTime();
    run(
        List.of(
            runtime().resolve("bin/java").toString(),
            "-Xshare:dump",
            // JEP 483: loads and links all that is in the archive before the program begins.
            "-XX:+AOTClassLinking",
            // Compiled code and a heap sized by the machine would make archives differ.
            "-Xint",
            "-Xms256m",
            "-Xmx256m",
            // Only this collector puts objects into an archive, and each can take them out.
            "-XX:+UseG1GC",
            // What the launcher's options change in modules must have been so when it was made.
            "--enable-native-access=ALL-UNNAMED",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-XX:SharedClassListFile=" + list,
            // The names are in the archive: they are the same wherever it is made.
            "-XX:SharedArchiveFile=" + image.relativize(archive),
            "-cp",
            image.relativize(jarFile()).toString()));
    ArchiveTimes.clear(archive, since);
    Files.delete(runtime().resolve("lib/classlist"));
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(image.toFile()).inheritIO();
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    int status = builder.start().waitFor();
    if (status != 0) {
      throw new IOException(command.get(0) + " ended with status " + status);
    }
  }

  /** Copies a file, or all files of a directory, if there is one. */
  private static void copy(Path from, Path to) throws IOException {
    if (!Files.exists(from)) {
      return;
    }
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(place(from.relativize(file).toString()));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, COPY_ATTRIBUTES);
      }
    }
  }

  /** Pages of the manual are in directories by section: {@code man7/ply-language.7.gz}. */
  private static String place(String file) {
    Matcher page = PAGE.matcher(file);
    return page.matches() ? "man" + page.group(1) + "/" + file : file;
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
