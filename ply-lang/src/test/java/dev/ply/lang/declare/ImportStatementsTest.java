package dev.ply.lang.declare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.Parsing;
import dev.ply.lang.PlyScript;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.print.ScriptPrinter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImportStatementsTest {
  private static Source script(String text, Source... files) {
    return new Source("main.bt", text)
        .withImports(
            Arrays.stream(files)
                .map(file -> new Source.Import(file.name(), List.of(file), Optional.empty()))
                .toList());
  }

  private static String printed(Source source) {
    return ScriptPrinter.print(ScriptParser.parse(source).orThrow());
  }

  @Test
  void probesOfAnImportComeFirst() {
    Source library = new Source("lib.bt", "BEGIN { print(1); } END { print(2); }");
    assertThat(printed(script("import \"lib.bt\"; BEGIN { print(3); }", library)))
        .isEqualTo(
            ScriptPrinter.print(
                PlyScript.parse("BEGIN { print(1); } END { print(2); } BEGIN { print(3); }")));
  }

  @Test
  void theLibraryIsBuiltIn() {
    assertThat(printed(new Source("main.bt", "import \"stdlib\"; BEGIN { print(3); }")))
        .isEqualTo(ScriptPrinter.print(PlyScript.parse("BEGIN { print(3); }")));
  }

  @Test
  void macrosConstantsTypesAndMapsOfAnImportAreKnown() {
    Source header =
        new Source("sub.h", "#define SIX 6\nstruct pair { int a; };\nenum colour { RED, BLUE };");
    Source library =
        new Source("lib.bt", "import \"sub.h\";\nlet @m = hash(10);\nmacro six() { SIX }")
            .withImports(List.of(new Source.Import("sub.h", List.of(header), Optional.empty())));
    assertThat(
            printed(
                script(
                    "import \"lib.bt\"; BEGIN { @m[six(), BLUE] = sizeof(struct pair); }",
                    library)))
        .isEqualTo(
            ScriptPrinter.print(
                PlyScript.parse(
                    "struct pair { int a; }; enum colour { RED, BLUE }; let @m = hash(10);"
                        + " BEGIN { @m[6, BLUE] = sizeof(struct pair); }")));
  }

  @Test
  void errorsHaveThePlaceInTheirFile() {
    Source library = new Source("lib.bt", "\nmacro add(x) { x + nothing }");
    Source main = script("import \"lib.bt\"; BEGIN { print(add(1)); }", library);
    assertThat(ScriptParser.parse(main).diagnostics())
        .singleElement()
        .satisfies(
            error -> assertThat(error.span()).isEqualTo(new SourceSpan("lib.bt", 2, 20, 2, 27)));
    assertThat(Parsing.rendered(main)).contains("lib.bt:2:20", "| macro add(x) { x + nothing }");
  }

  @Test
  void anUnclosedBlockEndsWithItsFile() {
    Source library = new Source("lib.bt", "BEGIN { print(1);");
    assertThat(ScriptParser.parse(script("import \"lib.bt\"; BEGIN { }", library)).diagnostics())
        .singleElement()
        .satisfies(error -> assertThat(error.span().source()).isEqualTo("lib.bt"));
  }

  @Test
  void anImportHasNoSettings() {
    Source library = new Source("lib.bt", "config = { max_strlen = 64 }");
    assertThat(Parsing.rendered(script("import \"lib.bt\"; BEGIN { }", library)))
        .contains("an imported script has no settings");
  }

  @Test
  void importsComeFirst() {
    Source library = new Source("lib.bt", "macro one() { 1 }");
    assertThat(Parsing.rendered(script("BEGIN { }\nimport \"lib.bt\";", library)))
        .contains("an import comes before probes");
    assertThat(printed(script("config = { } import \"lib.bt\"; BEGIN { @ = one(); }", library)))
        .contains("@ = 1");
  }

  @Test
  void withoutItsSemicolonAnImportIsReported() {
    Source library = new Source("lib.bt", "macro one() { 1 }");
    assertThat(Parsing.rendered(script("import \"lib.bt\" BEGIN { }", library)))
        .contains("expected \";\" after this import");
  }

  @Test
  void parsingReadsNoFiles() {
    assertThat(Parsing.errors("import \"/etc/passwd\"; BEGIN { }"))
        .containsExactly("imported files are not read here");
  }

  @Test
  void pathsAreFoundInOrder() {
    assertThat(
            ScriptParser.imports(
                new Source(
                    "main.bt",
                    "#!ply\nimport \"b/c.bt\"; import /* \"x\" */ \"a\"; import \"a\";"
                        + " BEGIN { print(\"import\"); }")))
        .containsExactly("b/c.bt", "a");
  }
}
