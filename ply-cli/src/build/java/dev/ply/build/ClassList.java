package dev.ply.build;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What goes into the class archive of a package. A list recorded from calls would differ from run
 * to run and from machine to machine, and so would the package. So it is read off the files: all
 * classes of the command, those with which any Java program starts, and those packages of the
 * runtime that the command uses, with their lambdas. What is never used costs space in the archive,
 * but no time.
 */
final class ClassList {
  private static final String CLASS = ".class";

  private static final List<String> PACKAGES =
      List.of(
          "java/io",
          "java/lang",
          "java/lang/invoke",
          "java/lang/ref",
          "java/lang/reflect",
          "java/math",
          "java/nio",
          "java/nio/channels",
          "java/nio/charset",
          "java/nio/file",
          "java/nio/file/attribute",
          "java/util",
          "java/util/concurrent",
          "java/util/concurrent/atomic",
          "java/util/concurrent/locks",
          "java/util/function",
          "java/util/regex",
          "java/util/stream",
          "jdk/internal/misc",
          "jdk/internal/ref",
          "jdk/internal/reflect",
          "jdk/internal/util",
          "sun/misc",
          "sun/nio/ch",
          "sun/nio/fs");

  private ClassList() {}

  /**
   * Returns the lines of the list: class names, then the lambdas.
   *
   * @param runtime the Java runtime, for its own list and its classes
   * @param classes internal names of the command's classes
   */
  static List<String> of(Path runtime, Collection<String> classes) throws IOException {
    Set<String> names = new LinkedHashSet<>();
    Set<String> lambdas = new LinkedHashSet<>();
    for (String line : Files.readAllLines(runtime.resolve("lib/classlist"))) {
      if (line.startsWith("@")) {
        lambdas.add(line);
      } else if (!line.startsWith("#")) {
        names.add(line.split(" ", 2)[0]);
      }
    }
    names.addAll(classes);
    Map<String, String> home = Map.of("java.home", runtime.toString());
    try (FileSystem image = FileSystems.newFileSystem(URI.create("jrt:/"), home)) {
      for (String module : List.of("java.base", "jdk.unsupported")) {
        for (String packageName : PACKAGES) {
          Path directory = image.getPath("modules", module, packageName);
          for (Path file : classFiles(directory)) {
            new Lambdas(lambdas).read(Files.readAllBytes(file));
            names.add(packageName + "/" + file.getFileName().toString().replace(CLASS, ""));
          }
        }
      }
    }
    List<String> lines = new ArrayList<>(names);
    lines.addAll(lambdas);
    return lines;
  }

  private static List<Path> classFiles(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(CLASS)).sorted().toList();
    }
  }

  /** Collects the lambdas of a class, each in the form that the archive's maker reads. */
  private static final class Lambdas extends ClassVisitor {
    private final Set<String> lines;
    private String owner = "";

    Lambdas(Set<String> lines) {
      super(Opcodes.ASM9);
      this.lines = lines;
    }

    void read(byte[] file) {
      ClassReader reader = new ClassReader(file);
      owner = reader.getClassName();
      reader.accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitInvokeDynamicInsn(
            String name, String descriptor, Handle bootstrap, Object... arguments) {
          if (bootstrap.getName().equals("metafactory")) {
            lines.add(line(name, descriptor, arguments));
          }
        }
      };
    }

    private String line(String name, String descriptor, Object... arguments) {
      Handle body = (Handle) arguments[1];
      return String.join(
          " ",
          "@lambda-proxy",
          owner,
          name,
          descriptor,
          ((Type) arguments[0]).getDescriptor(),
          kind(body.getTag()),
          body.getOwner(),
          body.getName(),
          body.getDesc(),
          ((Type) arguments[2]).getDescriptor());
    }

    private static String kind(int tag) {
      return switch (tag) {
        case Opcodes.H_INVOKEVIRTUAL -> "REF_invokeVirtual";
        case Opcodes.H_INVOKESTATIC -> "REF_invokeStatic";
        case Opcodes.H_INVOKESPECIAL -> "REF_invokeSpecial";
        case Opcodes.H_NEWINVOKESPECIAL -> "REF_newInvokeSpecial";
        case Opcodes.H_INVOKEINTERFACE -> "REF_invokeInterface";
        default -> throw new IllegalArgumentException("lambda by a handle of kind " + tag);
      };
    }
  }
}
