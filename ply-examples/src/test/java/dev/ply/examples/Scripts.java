package dev.ply.examples;

import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.lang.PlyScript;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The scripts beside the examples. */
final class Scripts {
  private Scripts() {}

  /** Returns the script of that name in the directory {@code scripts}. */
  static Script parse(String name) {
    try (InputStream in = Scripts.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no script " + name);
      }
      return PlyScript.parse(
          new Source(name, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
