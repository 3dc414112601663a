package dev.ply.build;

import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** Writes the extension of Visual Studio Code: its files, and a grammar for each language. */
public final class EditorExtension {
  private static final List<String> LANGUAGES = List.of("ply", "bpftrace");

  private EditorExtension() {}

  /**
   * Writes the extension.
   *
   * @param arguments the directory of its files, and the one to write
   * @throws IOException if a file cannot be read or written
   */
  public static void main(String... arguments) throws IOException {
    Path from = Path.of(arguments[0]);
    Path to = Path.of(arguments[1]);
    Path grammars = Files.createDirectories(to.resolve("syntaxes"));
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    for (String language : LANGUAGES) {
      Files.writeString(
          grammars.resolve(language + ".tmLanguage.json"),
          new GsonBuilder()
                  .setPrettyPrinting()
                  .disableHtmlEscaping()
                  .create()
                  .toJson(ScriptGrammar.of("source." + language))
              + "\n");
    }
  }
}
