package dev.ply.build;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The TextMate grammar of scripts, for editors: comments, strings, probes and the rest as the lexer
 * of the language splits them, names as the language reference has them.
 */
final class ScriptGrammar {
  /** Words of the language that no topic of the reference is called like. */
  private static final List<String> OTHER_KEYWORDS =
      List.of("config", "sizeof", "offsetof", "container_of", "comptime");

  private static final List<String> TYPE_KEYWORDS = List.of("struct", "union", "enum");

  /** Topics of statements that are called like what they are, not like a word of the language. */
  private static final List<String> NO_KEYWORDS = List.of("predicate", "map", "variable");

  private static final String TYPES =
      "(?:__)?u?int(?:8|16|32|64)(?:_t)?|(?:__)?[su](?:8|16|32|64)|__[lb]e(?:16|32|64)|u?intptr_t"
          + "|s?size_t|char|short|int|long|signed|unsigned|bool|_Bool|void|string|float|double";

  private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";

  /** Not the middle of a word, of a variable or of a map. */
  private static final String BEGIN = "(?<![A-Za-z0-9_$@])";

  private static final String END = "(?![A-Za-z0-9_])";

  /** A name before a bracket is a map's. */
  private static final String NO_MAP = END + "(?!\\s*\\[)";

  private static final String DEFINITION = "[^ \\t\\r\\n{},/:;]";
  private static final String QUOTED = "\"(?:[^\"\\\\\\r\\n]|\\\\[^\\r\\n])*\"";

  private ScriptGrammar() {}

  /** Returns the words of the language. */
  static List<String> keywords() {
    return Stream.concat(
            names(Topic.Kind.STATEMENT).stream().filter(name -> !NO_KEYWORDS.contains(name)),
            OTHER_KEYWORDS.stream())
        .sorted()
        .toList();
  }

  /** Returns the names of topics that are words, the longest first, as alternatives are tried. */
  static List<String> names(Topic.Kind... kinds) {
    List<Topic.Kind> wanted = List.of(kinds);
    return LanguageReference.topics().stream()
        .filter(topic -> wanted.contains(topic.kind()))
        .flatMap(topic -> topic.names().stream())
        .filter(name -> name.matches(NAME))
        .distinct()
        .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(name -> name))
        .toList();
  }

  /**
   * Returns the grammar.
   *
   * @param scope the scope of whole scripts, {@code source.ply}
   */
  static JsonObject of(String scope) {
    JsonObject repository = new JsonObject();
    repository.add("comments", patterns(comments()));
    repository.add("probes", patterns(probes()));
    repository.add("values", patterns(values()));
    JsonObject block = span("\\{", "\\}", "meta.block.ply", include("#values"));
    repository.add("block", block);
    JsonObject grammar = new JsonObject();
    grammar.addProperty("name", "ply");
    grammar.addProperty("scopeName", scope);
    List<JsonObject> top = new ArrayList<>();
    top.add(include("#comments"));
    top.add(match(BEGIN + "(?:macro|fn|config|import)" + END, "keyword.control.ply"));
    top.add(match(BEGIN + alternatives(TYPE_KEYWORDS) + END, "storage.type.ply"));
    top.add(include("#probes"));
    top.add(include("#block"));
    top.add(span("\\(", "\\)", "meta.parameters.ply", include("#values")));
    top.add(
        span(
            "/(?![/*])", "/(?=\\s*(?:\\{|$|#|//|/\\*))", "meta.predicate.ply", include("#values")));
    top.add(include("#values"));
    grammar.add("patterns", array(top));
    grammar.add("repository", repository);
    return grammar;
  }

  private static List<JsonObject> comments() {
    return List.of(
        span(
            "^\\s*(#\\s*(?:define|undef|include|ifn?def|if|elif(?:n?def)?|else|endif|error|warning"
                + "|pragma)\\b)",
            "(?<!\\\\)$",
            "meta.preprocessor.ply",
            "keyword.control.directive.ply",
            include("#strings")),
        match("(?<!\\$)#.*$", "comment.line.number-sign.ply"),
        match("//.*$", "comment.line.double-slash.ply"),
        span("/\\*", "\\*/", "comment.block.ply"));
  }

  /** In the order in which the lexer prefers them. */
  private static List<JsonObject> probes() {
    String user = abbreviated("uretprobe", "ur") + "|" + abbreviated("uprobe", "u") + "|usdt?|us|U";
    return List.of(
        captured(
            BEGIN
                + "("
                + user
                + ")(:(?:"
                + QUOTED
                + "|[^ \\t\\r\\n{},:;\"]+)?(?::(?:"
                + QUOTED
                + "|[^ \\t\\r\\n{},/;\"])*)?)"),
        captured(
            BEGIN
                + "("
                + abbreviated("tracepoint", "t")
                + ")(:"
                + DEFINITION
                + "+(?:[:/]"
                + DEFINITION
                + "+)?)"),
        // The kind of probe may be a pattern, before a path that of probes of programs.
        captured(
            BEGIN
                + "([A-Za-z_]*\\*[A-Za-z_*]*)(:/[^ \\t\\r\\n{},:;\"]+:(?:"
                + QUOTED
                + "|[^ \\t\\r\\n{},/;\"])*)"),
        captured(BEGIN + "([A-Za-z_]*\\*[A-Za-z_*]*)(:(?:" + DEFINITION + "|:)*)"),
        captured(BEGIN + "(" + NAME + ")(:(?:" + DEFINITION + "|:)*)"),
        captured(
            "(?<![A-Za-z0-9_@])([A-Za-z0-9_]*\\$[1-9]|^\\$[A-Za-z_][A-Za-z0-9_]*)((?:"
                + DEFINITION
                + "|:)*)"),
        captured(BEGIN + "(BEGIN|END|begin|end|offcpu)()" + END));
  }

  private static List<JsonObject> values() {
    String functions = alternatives(names(Topic.Kind.FUNCTION, Topic.Kind.AGGREGATION)) + NO_MAP;
    String values =
        "(?:" + String.join("|", names(Topic.Kind.VALUE)) + "|s?arg[0-9]{1,2})" + NO_MAP;
    return List.of(
        include("#comments"),
        include("#strings"),
        match("'(?:[^'\\\\]|\\\\.)*'?", "string.quoted.single.ply"),
        include("#block"),
        match("\\$(?:#|[A-Za-z0-9_]+)?", "variable.other.ply"),
        match("@[A-Za-z0-9_]*", "variable.other.map.ply"),
        match("\\.\\.", "keyword.operator.range.ply"),
        member(),
        match(
            BEGIN
                + "(?:0[xX][_0-9a-fA-F]+|0b[_01]+|[0-9][_0-9]*[eE][0-9][_0-9]*|[0-9][_0-9]*)"
                + "(?:[uU](?:ll|LL|l|L)?|(?:ll|LL|l|L)[uU]?|ns|us|ms|s|m|h|d)?"
                + END,
            "constant.numeric.ply"),
        match(BEGIN + "(?:true|false)" + END, "constant.language.ply"),
        match(BEGIN + alternatives(TYPE_KEYWORDS) + END, "storage.type.ply"),
        match(BEGIN + alternatives(keywords()) + NO_MAP, "keyword.control.ply"),
        match(BEGIN + functions, "support.function.ply"),
        match(BEGIN + values, "support.variable.ply"),
        match(BEGIN + "(?:" + TYPES + ")" + NO_MAP, "storage.type.ply"),
        match(BEGIN + "[A-Z_][A-Z0-9_]+" + END, "constant.other.ply"),
        match(
            "->|\\+\\+|--|<<=?|>>=?|[=!<>]=|&&|\\|\\||\\^\\^|[-+*/%&|^]=|[-+*/%&|^~!<>=?:]",
            "keyword.operator.ply"));
  }

  /** Returns a keyword that can be abbreviated, down to its shortest form. */
  private static String abbreviated(String keyword, String shortest) {
    StringBuilder pattern = new StringBuilder();
    for (int i = keyword.length(); i > shortest.length(); i--) {
      pattern.append(pattern.isEmpty() ? "" : "|").append(keyword, 0, i);
    }
    return pattern.append('|').append(shortest).toString();
  }

  private static String alternatives(List<String> words) {
    return words.stream()
        .sorted(Comparator.comparingInt(String::length).reversed().thenComparing(word -> word))
        .collect(Collectors.joining("|", "(?:", ")"));
  }

  private static JsonObject include(String name) {
    if (name.equals("#strings")) {
      return span(
          "\"",
          "\"",
          "string.quoted.double.ply",
          match("\\\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", "constant.character.escape.ply"),
          match(
              "%[-+ #0]*[0-9]*(?:\\.[0-9]+)?(?:hh|h|ll|l|z|j|t)?[a-zA-Z%]",
              "constant.other.placeholder.ply"));
    }
    JsonObject rule = new JsonObject();
    rule.addProperty("include", name);
    return rule;
  }

  private static JsonObject match(String regex, String scope) {
    JsonObject rule = new JsonObject();
    rule.addProperty("match", regex);
    rule.addProperty("name", scope);
    return rule;
  }

  /** A probe: its kind, and what follows. */
  private static JsonObject captured(String regex) {
    JsonObject rule = match(regex, "meta.probe.ply");
    JsonObject captures = new JsonObject();
    captures.add("1", named("keyword.other.probe.ply"));
    captures.add("2", named("entity.name.function.probe.ply"));
    rule.add("captures", captures);
    return rule;
  }

  private static JsonObject member() {
    JsonObject rule = new JsonObject();
    rule.addProperty("match", "(\\.|->)\\s*(" + NAME + ")");
    JsonObject captures = new JsonObject();
    captures.add("1", named("keyword.operator.ply"));
    captures.add("2", named("variable.other.member.ply"));
    rule.add("captures", captures);
    return rule;
  }

  private static JsonObject span(String begin, String end, String scope, JsonObject... patterns) {
    JsonObject rule = new JsonObject();
    rule.addProperty("begin", begin);
    rule.addProperty("end", end);
    rule.addProperty("name", scope);
    if (patterns.length > 0) {
      rule.add("patterns", array(List.of(patterns)));
    }
    return rule;
  }

  private static JsonObject span(
      String begin, String end, String scope, String first, JsonObject... patterns) {
    JsonObject rule = span(begin, end, scope, patterns);
    JsonObject captures = new JsonObject();
    captures.add("1", named(first));
    rule.add("beginCaptures", captures);
    return rule;
  }

  private static JsonObject named(String scope) {
    JsonObject named = new JsonObject();
    named.addProperty("name", scope);
    return named;
  }

  private static JsonObject patterns(List<JsonObject> rules) {
    JsonObject group = new JsonObject();
    group.add("patterns", array(rules));
    return group;
  }

  private static JsonArray array(List<JsonObject> rules) {
    JsonArray array = new JsonArray();
    rules.forEach(array::add);
    return array;
  }
}
