package dev.ply.build;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A jar before and after. */
class PrepareJarsTest {
  private static final String TEXT = "META-INF/text";

  @TempDir Path directory = Path.of("");
  private Path jar = Path.of("");

  @BeforeEach
  void pack() throws Exception {
    jar = directory.resolve("ply-test.jar");
    Path root = Path.of(Lambdas.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path classes = root.resolve(Lambdas.class.getPackageName().replace('.', '/'));
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out);
        DirectoryStream<Path> files = Files.newDirectoryStream(classes, "Lambdas*.class")) {
      put(zip, TEXT, "as it is".getBytes(UTF_8));
      for (Path file : files) {
        put(zip, root.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
  }

  private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }

  @Test
  void classesDoWhatTheyDid() throws Exception {
    PrepareJars.main(directory.toString());
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      Method results = loader.loadClass(Lambdas.class.getName()).getDeclaredMethod("results");
      results.setAccessible(true);
      assertThat(results.invoke(null)).isEqualTo(Lambdas.results());
    }
  }

  @Test
  void onlyWhatIsSerializableAndWhatIsShownIsStillLinked() throws Exception {
    assertThat(linked())
        .contains("metafactory", "altMetafactory", "equals", "hashCode", "toString");
    PrepareJars.main(directory.toString());
    assertThat(linked()).containsOnly("altMetafactory", "toString");
  }

  @Test
  void loggersNeedNoConfiguration() throws Exception {
    PrepareJars.main(directory.toString());
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      Method logger = loader.loadClass(Lambdas.class.getName()).getDeclaredMethod("logger");
      logger.setAccessible(true);
      assertThat(logger.invoke(null)).isSameAs(Logger.getGlobal());
    }
  }

  @Test
  void otherFilesStayAndAJarIsRewrittenOnce() throws Exception {
    PrepareJars.main(directory.toString());
    try (ZipFile zip = new ZipFile(jar.toFile());
        InputStream in = zip.getInputStream(zip.getEntry(TEXT))) {
      assertThat(in).hasContent("as it is");
    }
    byte[] once = Files.readAllBytes(jar);
    PrepareJars.main(directory.toString());
    assertThat(jar).hasBinaryContent(once);
  }

  /** Returns the methods of LambdaMetafactory and of records that the classes of the jar link. */
  private List<String> linked() throws IOException {
    List<String> called = new ArrayList<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().filter(file -> !file.getName().equals(TEXT)).toList()) {
        try (InputStream in = zip.getInputStream(entry)) {
          new ClassReader(in).accept(new Linked(called), ClassReader.SKIP_DEBUG);
        }
      }
    }
    return called;
  }

  private static final class Linked extends ClassVisitor {
    private final List<String> called;

    Linked(List<String> called) {
      super(Opcodes.ASM9);
      this.called = called;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitInvokeDynamicInsn(
            String method, String type, Handle bootstrap, Object... arguments) {
          if (bootstrap.getOwner().endsWith("/LambdaMetafactory")) {
            called.add(bootstrap.getName());
          } else if (bootstrap.getOwner().endsWith("/ObjectMethods")) {
            called.add(method);
          }
        }
      };
    }
  }
}
