package dev.ply.cli.lsp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Ply;
import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.CompletionItem;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;
import org.eclipse.lsp4j.TextEdit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An editor and {@code ply lsp}, each at its end of two pipes. */
@Timeout(300)
class ScriptServerTest {
  private static final String PLY = "file:///tmp/script.ply";
  private static final String BT = "file:///tmp/script.bt";

  @TempDir private Path directory;

  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private CompletableFuture<Integer> status = new CompletableFuture<>();
  private Editor editor;

  @BeforeEach
  void start() throws Exception {
    PipedInputStream input = new PipedInputStream(1 << 16);
    PipedInputStream answers = new PipedInputStream(1 << 16);
    PipedOutputStream questions = new PipedOutputStream(input);
    PipedOutputStream output = new PipedOutputStream(answers);
    status = CompletableFuture.supplyAsync(() -> new Ply(input, output, errors).run("lsp"));
    editor = new Editor(answers, questions);
  }

  @AfterEach
  void end() throws Exception {
    editor.leave();
    assertThat(status.get(60, TimeUnit.SECONDS)).isZero();
    assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void errorsAreAtTheirPositionsWithWhatToWriteInstead() throws Exception {
    assertThat(
            editor.lines(
                PLY, "BEGIN {\r\n  /* \uD83D\uDE00 */ print(cmm);\n  x = ;\n}\n\nkprobez:f { }\n"))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("1:17-1:20 Error unknown-name: \"cmm\"")
                    .endsWith("\ndid you mean \"comm\"?"),
            line -> assertThat(line).startsWith("2:6-2:7 Error syntax: "),
            line -> assertThat(line).startsWith("5:0-5:9 Error unknown-provider: "));
    assertThat(editor.lines(PLY, "BEGIN { exit(); }")).isEmpty();
  }

  /** A return without a newline ends a line in the protocol only. */
  @Test
  void positionsCountLinesAsEditorsDo() throws Exception {
    assertThat(editor.lines(PLY, "BEGIN {\r  print(cmm);\r\n print(pidd); }"))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("1:8-1:11 "),
            line -> assertThat(line).startsWith("2:7-2:11 "));
  }

  @Test
  void aFilesEndingChoosesTheLanguage() throws Exception {
    assertThat(editor.lines(PLY, "interval:1000000 { exit(); }")).isEmpty();
    assertThat(editor.lines(BT, "interval:1000000 { exit(); }")).isEmpty();
    assertThat(editor.lines(PLY, "interval:999999999999 { exit(); }")).isNotEmpty();
    assertThat(editor.lines(BT, "interval:999999999999 { exit(); }")).isEmpty();
    assertThat(editor.lines("untitled:Untitled-1", "BEGIN { exit(); }")).isEmpty();
  }

  /** What a command line gives is no error of the script. */
  @Test
  void argumentsOfACallAreNotMissing() throws Exception {
    assertThat(editor.lines(PLY, "BEGIN { if (pid == $target) { exit(); } }")).isEmpty();
    assertThat(editor.lines(PLY, "kprobe:$1 { }"))
        .singleElement()
        .asString()
        .startsWith("0:0-0:9 Information unset-variable: missing parameter $1");
    assertThat(editor.lines(BT, "BEGIN { system(\"true\"); }"))
        .singleElement()
        .asString()
        .startsWith("0:8-0:22 Warning unsafe: ");
  }

  @Test
  void headersOfToolsAreChecked() throws Exception {
    assertThat(
            editor.lines(
                PLY,
                """
                #!/usr/bin/env -S ply tool
                # script: does things
                #
                # filters: pid tiddle

                BEGIN { exit(); }
                """))
        .singleElement()
        .asString()
        .startsWith("3:0-3:21 Error syntax: unknown filter tiddle; known are pid, ");
    assertThat(editor.lines(PLY, "# note: this is no tool\nBEGIN { exit(); }")).isEmpty();
  }

  @Test
  void toolsOfPlyHaveNoErrors() throws Exception {
    for (String tool : List.of("biolatency", "funccount", "execsnoop")) {
      Path file = Path.of("src/main/resources/dev/ply/cli/tool", tool + ".ply").toAbsolutePath();
      assertThat(editor.lines(file.toUri().toString(), Files.readString(file)))
          .as(tool)
          .noneMatch(line -> line.contains(" Error "));
    }
  }

  @Test
  void errorsOfImportedFilesAreAtTheImport() throws Exception {
    Path main = directory.resolve("main.bt");
    Files.writeString(directory.resolve("other.bt"), "BEGIN {\n  print(cmm);\n}\n");
    editor.open(main.toUri().toString(), "// more\nimport \"other.bt\";\nEND { exit(); }\n");
    assertThat(editor.diagnostics(main.toUri().toString()))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.getRange())
                  .isEqualTo(new Range(new Position(1, 8), new Position(1, 16)));
              assertThat(one.getMessage()).contains("other.bt:2:9: \"cmm\"");
              assertThat(one.getRelatedInformation().get(0).getLocation().getRange().getStart())
                  .isEqualTo(new Position(1, 8));
            });
  }

  @Test
  void theNewestVersionWins() throws Exception {
    editor.open(PLY, "BEGIN { print(cmm); }");
    for (int i = 0; i < 50; i++) {
      editor.change(
          PLY,
          new TextDocumentContentChangeEvent(
              new Range(new Position(0, 14), new Position(0, i == 0 ? 17 : 18)),
              "pi" + i % 10 + "x"));
    }
    editor.change(
        PLY,
        new TextDocumentContentChangeEvent(
            new Range(new Position(0, 14), new Position(0, 18)), "comm"));
    assertThat(editor.diagnostics(PLY)).isEmpty();
    editor.close(PLY);
  }

  @Test
  void closedScriptsHaveNoDiagnostics() throws Exception {
    assertThat(editor.lines(PLY, "BEGIN { print(cmm); }")).hasSize(1);
    editor.close(PLY);
    assertThat(editor.diagnostics(PLY)).isEmpty();
  }

  @Tag("any-java")
  @Test
  void hostileScriptsAreAnswered() throws Exception {
    assertThat(editor.lines(PLY, "BEGIN { print(\0); }"))
        .containsExactly("0:14-0:15 Error syntax: a script is text, which has no NUL");
    assertThat(editor.lines(PLY, "x".repeat((1 << 17) + 1)))
        .singleElement()
        .asString()
        .contains("larger than 128 KiB");
    for (String text :
        List.of(
            "BEGIN { print(" + "(".repeat(100_000) + "1",
            "{".repeat(100_000),
            "/".repeat(100_000),
            "#".repeat(100_000),
            " #\n".repeat(40_000),
            "\"".repeat(99_999),
            "BEGIN { " + "x;".repeat(20_000) + "}",
            "a:b,".repeat(5_000),
            "kprobe:f { }\n".repeat(2_000),
            "#define A(x) x x\n".repeat(3_000),
            "\uD800\uDC00\uD800 \uFEFF",
            "")) {
      assertThat(editor.lines(PLY, text)).isNotEmpty();
      assertThat(editor.hover(PLY, 0, text.length() / 2)).isNotNull();
      assertThat(editor.format(PLY)).isNotNull();
      assertThat(editor.complete(PLY, 0, text.length())).isNotNull();
    }
  }

  private String hover(String text, String at) throws Exception {
    assertThat(editor.lines(PLY, text)).isEmpty();
    int index = text.indexOf(at);
    return editor.hover(PLY, 0, index + 1).getContents().isRight()
        ? editor.hover(PLY, 0, index + 1).getContents().getRight().getValue()
        : "";
  }

  @Test
  void wordsAreExplained() throws Exception {
    String script = "BEGIN { $x = 5 + nsecs; @seen[$x, comm] = count(); @n = 1; exit(); } // pid";
    assertThat(hover(script, "comm")).startsWith("```ply\ncomm\n```").contains("name");
    assertThat(hover(script, "count")).startsWith("```ply\n@name[key, …] = count();");
    assertThat(hover(script, "BEGIN")).startsWith("```ply\nBEGIN");
    assertThat(hover(script, "$x")).isEqualTo("```c\n$x: u64\n```");
    assertThat(hover(script, "@seen")).isEqualTo("```c\n@seen[u64, char[16]]: count\n```");
    assertThat(hover(script, "// pid")).isEmpty();
    assertThat(hover("kprobe:vfs_read { @[comm] = count(); }", "vfs_read"))
        .contains("```ply\nkprobe:");
  }

  private List<String> completed(String text) throws Exception {
    editor.open(PLY, text);
    int line = (int) text.chars().filter(c -> c == '\n').count();
    int character = text.length() - text.lastIndexOf('\n') - 1;
    return editor.complete(PLY, line, character).getItems().stream()
        .map(CompletionItem::getLabel)
        .toList();
  }

  @Test
  void namesAreCompleted() throws Exception {
    assertThat(completed("# a: \"tool\n\nkpr")).containsExactly("kprobe:");
    assertThat(completed("BEGIN {\n  @ = quan")).containsExactly("quantize");
    assertThat(completed("BEGIN { print('\"'); com")).contains("comm");
    assertThat(completed("BEGIN { // com")).isEmpty();
    Path program = Files.writeString(directory.resolve("program"), "");
    assertThat(completed("uprobe:" + program.toString().replaceAll("ram$", "")))
        .containsExactly("uprobe:" + program + ":");
  }

  @Test
  void completionReplacesWhatIsBegun() throws Exception {
    editor.open(PLY, "BEGIN { }\nkpr");
    CompletionItem item = editor.complete(PLY, 1, 3).getItems().get(0);
    assertThat(item.getTextEdit().getLeft())
        .isEqualTo(new TextEdit(new Range(new Position(1, 0), new Position(1, 3)), "kprobe:"));
  }

  @Test
  void scriptsAreLaidOut() throws Exception {
    editor.open(PLY, "# what\nBEGIN{exit( );}");
    TextEdit edit = editor.format(PLY).get(0);
    assertThat(edit.getNewText()).isEqualTo("# what\nBEGIN\n{\n  exit();\n}\n");
    assertThat(edit.getRange()).isEqualTo(new Range(new Position(0, 0), new Position(1, 15)));
    editor.open(PLY, edit.getNewText());
    assertThat(editor.format(PLY)).isEmpty();
    editor.open(PLY, "BEGIN{exit( ;}");
    assertThat(editor.format(PLY)).isEmpty();
  }
}
