package dev.ply.lang.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ply.diagnostic.Source;
import dev.ply.ir.IrPrinter;
import dev.ply.ir.Script;
import dev.ply.ir.generate.Scripts;
import dev.ply.lang.PlyScript;
import dev.ply.lang.ScriptParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ScriptFormatterTest {
  private static String formatted(String text) {
    return ScriptFormatter.format(new Source("<input>", text));
  }

  @Test
  void eachStatementHasALine() {
    assertThat(
            formatted(
                """
                #!/usr/bin/env bpftrace
                // counts


                  # more
                BEGIN{@a=1;printf( "%d\\n" ,1+pid+2 ) ;} k:a,kr:b/pid==1&&uid == 0/ { // here
                if(comm=="x"){@[comm,pid]=count();}else if $1 { return }

                  /* long
                     comment */
                  print({ $x = 1; $x } * 2);
                  printf("%d %d",
                  1,2); }
                struct pair { int a; int b; };
                enum e {
                A,
                 B = 3
                }
                """))
        .isEqualTo(
            """
            #!/usr/bin/env bpftrace
            // counts

            # more
            BEGIN
            {
              @a = 1;
              printf("%d\\n", 1 + pid + 2);
            }

            k:a,
            kr:b
            / pid == 1 && uid == 0 /
            { // here
              if (comm == "x") {
                @[comm, pid] = count();
              } else if $1 {
                return
              }

              /* long
                 comment */
              print({ $x = 1; $x } * 2);
              printf("%d %d",
                  1, 2);
            }

            struct pair { int a; int b; };
            enum e {
              A,
              B = 3
            }
            """);
  }

  @Test
  void directivesStayLines() {
    assertThat(
            formatted(
                "#define A 1 + \\\n  2\n  #ifdef B\nBEGIN { x = 1;\n #else\n }\n#endif\nEND { }"))
        .isEqualTo(
            "#define A 1 + \\\n  2\n#ifdef B\nBEGIN\n{\n  x = 1;\n#else\n}\n\n#endif\nEND\n{\n}\n");
  }

  @Provide
  Arbitrary<Script> scripts() {
    return Scripts.any();
  }

  @Property(tries = 200)
  void anyScriptStaysTheSame(@ForAll("scripts") Script script) {
    check(ScriptPrinter.print(script));
  }

  @TestFactory
  Stream<DynamicTest> examplesStayTheSame() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("..", "docs", "BPFTRACE.md"));
    int start = lines.indexOf("```bpftrace");
    return lines.subList(start, lines.size()).stream()
        .filter(
            line -> line.matches(".*\\{.*\\}.*") && !line.startsWith("|") && !line.startsWith("-"))
        .filter(line -> ScriptParser.parse(new Source("<input>", line)).diagnostics().isEmpty())
        .map(line -> dynamicTest(line, () -> check(line)));
  }

  /** Scripts with comments: those of the tools. */
  @TestFactory
  Stream<DynamicTest> toolsStayTheSame() throws IOException {
    Path tools = Path.of("..", "ply-cli", "src", "main", "resources", "dev", "ply", "cli", "tool");
    try (Stream<Path> files = Files.list(tools)) {
      return files.filter(file -> file.toString().endsWith(".ply")).sorted().toList().stream()
          .map(file -> dynamicTest(file.getFileName().toString(), () -> checkText(file)));
    }
  }

  private static void checkText(Path file) throws IOException {
    String script = Files.readString(file);
    String formatted = formatted(script);
    assertThat(formatted(formatted)).isEqualTo(formatted);
    assertThat(pieces(formatted)).isEqualTo(pieces(script));
  }

  /** Returns tokens and comments, of any number of lines. */
  private static List<String> pieces(String script) {
    return FormatPiece.of(new Source("<input>", script)).stream()
        .map(piece -> piece.type() + " " + piece.text().replaceAll("\\s+", " "))
        .toList();
  }

  private static void check(String script) {
    String formatted = formatted(script);
    assertThat(pieces(formatted)).isEqualTo(pieces(script));
    assertThat(formatted(formatted)).isEqualTo(formatted);
    assertThat(IrPrinter.print(PlyScript.parse(formatted)))
        .as(formatted)
        .isEqualTo(IrPrinter.print(PlyScript.parse(script)));
  }
}
