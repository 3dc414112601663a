package dev.ply.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.diagnostic.Source;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.print.ScriptPrinter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportedFilesTest {
  @TempDir Path directory = Path.of("");

  private Path write(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private Source main(String text) throws IOException {
    return ImportedFiles.of(new Source(write("main.bt", text).toString(), text));
  }

  private Optional<String> problem(String text) throws IOException {
    return main(text).imports().get(0).problem();
  }

  @Test
  void pathsAreRelativeToTheScriptThatNamesThem() throws IOException {
    write("lib/a.bt", "import \"../b.bt\";");
    Path b = write("b.bt", "BEGIN { }");
    Source main = main("import \"lib/a.bt\"; BEGIN { }");
    assertThat(main.named(b.toString())).contains(new Source(b.toString(), "BEGIN { }"));
  }

  @Test
  void aFileIsImportedOnce() throws IOException {
    write("a.bt", "import \"main.bt\"; import \"b.bt\";");
    write("b.bt", "import \"a.bt\";");
    Source main = main("import \"a.bt\"; import \"./b.bt\"; BEGIN { }");
    Source a = main.imports().get(0).files().get(0);
    assertThat(a.imports().get(0).files()).isEmpty();
    assertThat(a.imports().get(1).files()).hasSize(1);
    assertThat(main.imports().get(1).files()).isEmpty();
  }

  @Test
  void ofADirectoryScriptsAndHeadersAreImported() throws IOException {
    write("lib/b.bt", "");
    write("lib/a.h", "");
    write("lib/notes.txt", "");
    write("lib/sub/c.bt", "");
    assertThat(main("import \"lib\";").imports().get(0).files())
        .extracting(file -> Path.of(file.name()).getFileName().toString())
        .containsExactly("a.h", "b.bt");
  }

  @Test
  void headersBesideTheScriptAreIncluded() throws IOException {
    Path own = write("own.h", "#define SIZE 3");
    Source main = main("#include <linux/sched.h>\n#include \"own.h\"\nBEGIN { print(SIZE); }");
    assertThat(main.imports())
        .containsExactly(
            new Source.Import(
                "own.h", List.of(new Source(own.toString(), "#define SIZE 3")), Optional.empty()));
    assertThat(problem("#include \"none.h\"\nBEGIN { }").orElseThrow())
        .startsWith("no such file: ");
  }

  private Source including(String text, String... headers) throws IOException {
    write("include/sub/in.h", "#define SUB 1");
    write("include/own.h", "#define OWN 2");
    return ImportedFiles.of(
        new Source(write("main.bt", text).toString(), text),
        new Includes(List.of(directory.resolve("include")), List.of(headers)));
  }

  @Test
  void headersAreLookedForInDirectories() throws IOException {
    Source main = including("#include <sub/in.h>\n#include \"own.h\"\nimport \"own.bt\";");
    assertThat(main.imports())
        .extracting(one -> one.path() + " " + one.problem().isPresent())
        .containsExactly("own.bt true", "<sub/in.h> false", "own.h false");
    write("own.h", "#define OWN 3");
    write("beside.h", "");
    Source both = including("#include \"own.h\"\n#include <own.h>\n#include <beside.h>");
    assertThat(both.imports().get(0).files().get(0).text()).isEqualTo("#define OWN 3");
    assertThat(both.imports().get(1).files().get(0).text()).isEqualTo("#define OWN 2");
    assertThat(both.imports().get(2).problem()).contains("header <beside.h> not found");
  }

  @Test
  void headersOfTheCommandLineComeFirst() throws IOException {
    Source main = including("BEGIN { print(SUB + OWN); }", "sub/in.h", "own.h");
    assertThat(ScriptParser.parse(main).diagnostics()).isEmpty();
    assertThat(ScriptPrinter.print(ScriptParser.parse(main).script())).contains("print(1 + 2)");
  }

  @Test
  void theLibraryIsBuiltIn() throws IOException {
    assertThat(problem("import \"stdlib\";")).isEmpty();
    assertThat(problem("import \"stdlib/strings\";")).isEmpty();
  }

  @Test
  void whatCannotBeImportedIsAProblem() throws IOException {
    write("x.txt", "");
    write("x.bpf.c", "");
    write("zero.bt", "\0");
    assertThat(problem("import \"none.bt\";").orElse("")).startsWith("no such file: ");
    assertThat(problem("import \"x.txt\";").orElse("")).endsWith("neither a script nor a header");
    assertThat(problem("import \"x.bpf.c\";").orElse("")).contains("no C compiler");
    assertThat(problem("import \"zero.bt\";").orElse("")).contains("bytes that are not text");
  }

  @Test
  void whatEveryUserCanWriteIsNotRead() throws IOException {
    Path file = write("shared/a.bt", "");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThat(problem("import \"shared/a.bt\";").orElse("")).contains("every user can write");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(problem("import \"shared/a.bt\";")).isEmpty();
    Files.setPosixFilePermissions(
        directory.resolve("shared"), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(problem("import \"shared/a.bt\";").orElse("")).contains("every user can write");
    assertThat(problem("import \"shared\";").orElse("")).contains("every user can write");
  }

  /** Whoever can rename a directory above a file decides what is read. */
  @Test
  void noDirectoryAboveIsWritableByAll() throws Exception {
    Path file = write("open/lib/deep/a.bt", "");
    Path open = directory.resolve("open");
    assertThat(problem("import \"open/lib/deep/a.bt\";")).isEmpty();
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    String refusal = "every user can write " + open + ", a directory above it";
    assertThat(problem("import \"open/lib/deep/a.bt\";").orElse("")).endsWith(refusal);
    assertThat(problem("import \"open/lib/deep\";").orElse("")).endsWith(refusal);
    Files.createSymbolicLink(directory.resolve("link.bt"), file);
    assertThat(problem("import \"link.bt\";").orElse("")).contains("a directory above it");
    new ProcessBuilder("chmod", "1777", open.toString()).start().waitFor();
    assertThat(problem("import \"open/lib/deep/a.bt\";")).isEmpty();
  }

  @Test
  void onlyRegularFilesAreRead() throws IOException {
    Files.createSymbolicLink(directory.resolve("null.bt"), Path.of("/dev/null"));
    assertThat(problem("import \"null.bt\";").orElse("")).contains("no regular file");
  }

  @Test
  void filesHaveABudget() throws IOException {
    StringBuilder imports = new StringBuilder();
    for (int i = 0; i < 65; i++) {
      write("lib/" + i + ".bt", "");
      imports.append("import \"lib/").append(i).append(".bt\"; ");
    }
    assertThat(main(imports.toString()).imports().get(64).problem().orElse(""))
        .isEqualTo("a script can import up to 64 files");
    write("long.bt", " ".repeat((1 << 20) + 1));
    assertThat(problem("import \"long.bt\";").orElse("")).contains("larger than 1 MiB");
  }
}
