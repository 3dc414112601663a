package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the Java code of pages. */
final class SourceCompiler {
  private SourceCompiler() {}

  static boolean isAvailable() {
    return ToolProvider.getSystemJavaCompiler() != null;
  }

  /** Compiles a class against all that the tests see; fails with the compiler's messages. */
  static void compile(String className, String text, Path output) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-proc:none", "-d", output.toString(), "-cp", System.getProperty("java.class.path"));
    boolean compiled =
        compiler
            .getTask(messages, null, null, options, null, List.of(source(className, text)))
            .call();
    assertThat(compiled).as("%s\n%s", messages, text).isTrue();
  }

  private static JavaFileObject source(String className, String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///" + className + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }
}
