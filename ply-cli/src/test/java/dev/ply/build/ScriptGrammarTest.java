package dev.ply.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.ply.build.TextMateTokens.Token;
import dev.ply.diagnostic.Source;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.token.Tokenizer;
import dev.ply.probe.Provider;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.antlr.v4.runtime.Vocabulary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Editors colour scripts as the language splits them. */
class ScriptGrammarTest {
  private static final Pattern EXAMPLE =
      Pattern.compile("```(?:ply|bpftrace)\n(.*?)```", Pattern.DOTALL);

  private static final Pattern COMMENT =
      Pattern.compile("(?s)(?:#|//)[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);

  /** What types of tokens are coloured as. */
  private static final Map<Integer, String> SCOPES =
      Map.ofEntries(
          Map.entry(PlyLexer.STRING, "string.quoted.double"),
          Map.entry(PlyLexer.CHARACTER, "string.quoted.single"),
          Map.entry(PlyLexer.NUMBER, "constant.numeric"),
          Map.entry(PlyLexer.AGGREGATION, "variable.other.map"),
          Map.entry(PlyLexer.VARIABLE, "variable.other"),
          Map.entry(PlyLexer.DEFINITION, "meta.probe"),
          Map.entry(PlyLexer.BEGIN, "meta.probe"),
          Map.entry(PlyLexer.END, "meta.probe"),
          Map.entry(PlyLexer.IF, "keyword"),
          Map.entry(PlyLexer.ELSE, "keyword"),
          Map.entry(PlyLexer.WHILE, "keyword"),
          Map.entry(PlyLexer.FOR, "keyword"),
          Map.entry(PlyLexer.UNROLL, "keyword"),
          Map.entry(PlyLexer.DELETE, "keyword"),
          Map.entry(PlyLexer.RETURN, "keyword"),
          Map.entry(PlyLexer.LET, "keyword"),
          Map.entry(PlyLexer.MACRO, "keyword"),
          Map.entry(PlyLexer.FN, "keyword"),
          Map.entry(PlyLexer.CONFIG, "keyword"),
          Map.entry(PlyLexer.FUNCTION, "support.function"));

  private final JsonObject grammar = ScriptGrammar.of("source.ply");

  private List<Token> tokens(String script) {
    return new TextMateTokens(grammar).of(script);
  }

  private static Token at(List<Token> tokens, int index) {
    return tokens.stream()
        .filter(token -> token.start() <= index && index < token.end())
        .findFirst()
        .orElse(new Token(index, index, List.of()));
  }

  static Map<String, String> scripts() throws IOException {
    Map<String, String> scripts = new TreeMap<>();
    for (Topic topic : LanguageReference.topics()) {
      scripts.put("topic " + topic.name(), topic.example());
    }
    Path tools = Path.of("src/main/resources/dev/ply/cli/tool");
    try (Stream<Path> files = Files.list(tools)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".ply")).toList()) {
        scripts.put("tool " + file.getFileName(), Files.readString(file));
      }
    }
    for (String page : List.of("LANGUAGE", "BPFTRACE", "TOOLS")) {
      Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../docs", page + ".md")));
      while (example.find()) {
        scripts.put(page + " " + scripts.size(), example.group(1));
      }
    }
    return scripts;
  }

  static Stream<Map.Entry<String, String>> eachScript() throws IOException {
    return scripts().entrySet().stream();
  }

  @ParameterizedTest
  @MethodSource("eachScript")
  void tokensHaveTheScopesOfTheirTypes(Map.Entry<String, String> named) {
    String script = named.getValue();
    List<Token> coloured = tokens(script);
    int end = 0;
    for (org.antlr.v4.runtime.Token token : Tokenizer.plain(new Source("", script))) {
      if (token.getStopIndex() < token.getStartIndex() || token.getType() == PlyLexer.LAST_END) {
        continue;
      }
      Token colour = at(coloured, token.getStartIndex());
      if (colour.is("meta.preprocessor")) {
        // The lexer reads what a directive continues with; the preprocessor takes it out before.
        continue;
      }
      Optional<String> scope = Optional.ofNullable(SCOPES.get(token.getType()));
      if (scope.isPresent() && isUsual(token)) {
        assertThat(colour.scopes())
            .as(token + " of " + script)
            .anySatisfy(one -> assertThat(one).startsWith(scope.get()));
      }
      boolean isQuoted = token.getText().startsWith("\"") || token.getText().startsWith("'");
      assertThat(colour.is("comment")).as(token + " of " + script).isFalse();
      assertThat(colour.is("string") && !isQuoted).as(token + " of " + script).isFalse();
      comments(script, end, token.getStartIndex(), coloured);
      end = token.getStopIndex() + 1;
    }
    comments(script, end, script.length(), coloured);
  }

  /** Names that nobody has declared are functions to the lexer, too, for messages. */
  private static boolean isUsual(org.antlr.v4.runtime.Token token) {
    return token.getType() != PlyLexer.FUNCTION
        || ScriptGrammar.names(Topic.Kind.FUNCTION, Topic.Kind.AGGREGATION)
            .contains(token.getText());
  }

  /** What the lexer skips between two tokens is white space, comments and directives. */
  private static void comments(String script, int from, int to, List<Token> coloured) {
    Matcher comment = COMMENT.matcher(script).region(from, Math.max(from, to));
    while (comment.find()) {
      for (int i = comment.start(); i < comment.end(); i++) {
        if (!Character.isWhitespace(script.charAt(i))) {
          Token colour = at(coloured, i);
          assertThat(colour.is("comment") || colour.is("meta.preprocessor"))
              .as(comment.group() + " of " + script)
              .isTrue();
        }
      }
    }
  }

  private String scope(String script, String word) {
    List<String> scopes = at(tokens(script), script.indexOf(word)).scopes();
    return scopes.isEmpty() ? "" : scopes.get(scopes.size() - 1);
  }

  @Test
  void namesOfTheReferenceAreColoured() {
    for (String name : ScriptGrammar.names(Topic.Kind.FUNCTION, Topic.Kind.AGGREGATION)) {
      assertThat(scope("BEGIN { " + name + "(1); }", name)).isEqualTo("support.function.ply");
      assertThat(scope("BEGIN { x." + name + "; }", name)).isEqualTo("variable.other.member.ply");
      assertThat(scope("BEGIN { " + name + "[1] = 1; }", name)).isEqualTo("meta.block.ply");
    }
    for (String name : ScriptGrammar.names(Topic.Kind.VALUE)) {
      if (!ScriptGrammar.keywords().contains(name)) {
        assertThat(scope("BEGIN { " + name + "; }", name)).isEqualTo("support.variable.ply");
      }
    }
    for (String name : ScriptGrammar.keywords()) {
      assertThat(scope("BEGIN { " + name + " 1; }", name)).isEqualTo("keyword.control.ply");
    }
  }

  /** Every word of the lexer, and every statement of the reference, is one of the grammar. */
  @Test
  void keywordsAreComplete() {
    Vocabulary words = PlyLexer.VOCABULARY;
    List<String> literals =
        IntStream.rangeClosed(0, words.getMaxTokenType())
            .mapToObj(type -> Optional.ofNullable(words.getLiteralName(type)).orElse(""))
            .map(literal -> literal.replace("'", ""))
            .filter(literal -> literal.matches("[a-z]+"))
            .filter(literal -> !literal.equals(Provider.OFFCPU.keyword()))
            .toList();
    assertThat(ScriptGrammar.keywords()).containsAll(literals);
    assertThat(ScriptGrammar.keywords())
        .contains("if", "else", "while", "for", "unroll", "let", "break", "continue", "return")
        .contains("macro", "fn", "import", "typeof", "sizeof", "offsetof", "delete");
  }

  @Test
  void allProvidersAreProbes() {
    for (Provider provider : Provider.values()) {
      String script = provider.keyword() + ":x:y { }";
      if (!provider.keyword().matches("BEGIN|END")) {
        assertThat(scope(script, provider.keyword())).isEqualTo("keyword.other.probe.ply");
        assertThat(scope(script, ":x")).isEqualTo("entity.name.function.probe.ply");
      }
    }
    for (Topic topic : LanguageReference.topics()) {
      if (topic.kind() == Topic.Kind.PROBE) {
        assertThat(at(tokens(topic.example()), 0).is("meta.probe")).as(topic.example()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`uprobe:/a//b:f { }`|`//`|entity.name.function.probe.ply",
        "`uprobe:\"/a b,c\":f { }`|` b`|entity.name.function.probe.ply",
        "`kprobe:f / pid / { }`|`pid`|support.variable.ply",
        "`kprobe:f / pid / { } // x`|`// x`|comment.line.double-slash.ply",
        "`t:a/b/pid/ { }`|`pid`|support.variable.ply",
        "`BEGIN { x = 1 / 2; } # y`|`# y`|comment.line.number-sign.ply",
        "`BEGIN { print($#); }`|`$#`|variable.other.ply",
        "`BEGIN { print('\"'); } END { }`|`END`|keyword.other.probe.ply",
        "`BEGIN { print(\"a\\\"b\", c); }`|`c)`|meta.block.ply",
        "`BEGIN { for $i : 0..count { } }`|`count`|support.function.ply",
        "`BEGIN { if (1) { } } k:f { }`|`k:f`|keyword.other.probe.ply",
        "`BEGIN { $x = a ? b:c; }`|`b:c`|meta.block.ply",
        "`BEGIN { kprobe_count = 5; }`|`count`|meta.block.ply",
        "`BEGIN { 0x1fUL; }`|`0x1`|constant.numeric.ply",
      })
  void hardCases(String script, String word, String scope) {
    assertThat(scope(script, word)).isEqualTo(scope);
  }

  @Test
  void theExtensionNamesFilesThatItHas(@TempDir Path directory) throws IOException {
    EditorExtension.main("src/dist/vscode", directory.toString());
    JsonObject manifest = json(directory.resolve("package.json"));
    assertThat(directory.resolve(manifest.get("main").getAsString())).exists();
    JsonObject contributes = manifest.getAsJsonObject("contributes");
    contributes
        .getAsJsonArray("languages")
        .forEach(
            one ->
                assertThat(
                        directory.resolve(one.getAsJsonObject().get("configuration").getAsString()))
                    .exists());
    contributes
        .getAsJsonArray("grammars")
        .forEach(
            one -> {
              JsonObject entry = one.getAsJsonObject();
              JsonObject written = json(directory.resolve(entry.get("path").getAsString()));
              assertThat(written.get("scopeName")).isEqualTo(entry.get("scopeName"));
              assertThat(new TextMateTokens(written).of("BEGIN { }")).isNotEmpty();
            });
    assertThat(json(directory.resolve("language-configuration.json")).keySet())
        .contains("comments", "brackets");
  }

  private static JsonObject json(Path file) {
    try {
      return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
