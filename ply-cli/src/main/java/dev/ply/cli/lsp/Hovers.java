package dev.ply.cli.lsp;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.typing.MapSymbol;
import dev.ply.cli.completion.LiveNames;
import dev.ply.cli.completion.Position;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import dev.ply.machine.KernelVersion;
import dev.ply.probe.Provider;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import dev.ply.type.Escapes;
import dev.ply.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.MarkupContent;
import org.eclipse.lsp4j.MarkupKind;

/** What an editor shows of the word that its pointer is at. */
final class Hovers {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  /** More would not be read. */
  private static final int MOST_FIELDS = 60;

  private final Document document;
  private final Optional<ScriptCheck> check;
  private final LiveNames names;

  /**
   * Creates what is shown of a document.
   *
   * @param check of this version, if it has ended
   */
  Hovers(Document document, Optional<ScriptCheck> check, LiveNames names) {
    this.document = document;
    this.check = check;
    this.names = names;
  }

  /** Returns what is shown at an index; empty if nothing is known of it. */
  Optional<Hover> at(int index) {
    String text = document.text();
    int start = index;
    while (start > 0 && isOfWord(text.charAt(start - 1))) {
      start--;
    }
    int end = index;
    while (end < text.length() && isOfWord(text.charAt(end))) {
      end++;
    }
    if (start == end) {
      return Optional.empty();
    }
    Position position = Position.of(text.substring(0, end));
    if (position instanceof Position.Probe probe) {
      return probe(probe.start(), end);
    }
    String word = text.substring(start, end);
    List<String> parts = new ArrayList<>();
    if (position instanceof Position.Field field) {
      names
          .declarations(field.probe())
          .filter(line -> LiveNames.declared(line).filter(word::equals).isPresent())
          .findFirst()
          .ifPresent(line -> parts.add(code(line)));
    } else if (position instanceof Position.Word && !isMap(end)) {
      LanguageReference.topic(word).ifPresent(topic -> parts.add(markdown(topic)));
    }
    if (parts.isEmpty()) {
      type(start, word).ifPresent(type -> parts.add(code(type)));
    }
    return hover(parts, start, end);
  }

  private static boolean isOfWord(char c) {
    return c == '_' || c == '@' || c == '$' || (c < 0x80 && Character.isLetterOrDigit(c));
  }

  /** A name before a bracket is a map. */
  private boolean isMap(int end) {
    return end < document.text().length() && document.text().charAt(end) == '[';
  }

  private Optional<Hover> hover(List<String> parts, int start, int end) {
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    String value = String.join("\n\n", parts);
    return Optional.of(
        new Hover(
            new MarkupContent(MarkupKind.MARKDOWN, value), document.lines().range(start, end)));
  }

  /** The word may be in the middle of a definition. */
  private Optional<Hover> probe(String begun, int end) {
    String text = document.text();
    int last = end;
    while (last < text.length() && isOfDefinition(text.charAt(last))) {
      last++;
    }
    String definition = begun + text.substring(end, last);
    String keyword = definition.split(":", 2)[0];
    List<String> parts = new ArrayList<>();
    if (definition.contains(":")) {
      String fields =
          names
              .declarations(definition)
              .limit(MOST_FIELDS)
              .map(line -> line + ";")
              .collect(Collectors.joining("\n"));
      if (!fields.isEmpty()) {
        parts.add(code(fields));
      }
    }
    Optional<Topic> topic = LanguageReference.topic(keyword);
    if (topic.isEmpty() && !keyword.isEmpty()) {
      topic = Provider.named(keyword).flatMap(known -> LanguageReference.topic(known.keyword()));
    }
    topic.ifPresent(known -> parts.add(markdown(known)));
    return hover(parts, end - begun.length(), last);
  }

  private static boolean isOfDefinition(char c) {
    return !Character.isWhitespace(c) && ",{}/;\"".indexOf(c) < 0;
  }

  private static String code(String lines) {
    return "```c\n" + Escapes.escapeLines(lines).replace("```", "") + "\n```";
  }

  /** Returns a topic of the language reference in Markdown. */
  static String markdown(Topic topic) {
    StringBuilder text = new StringBuilder("```ply\n");
    topic.forms().forEach(form -> text.append(form).append('\n'));
    text.append("```\n");
    if (!topic.gives().isEmpty()) {
      text.append('\n').append(topic.gives()).append(".\n");
    }
    text.append('\n').append(topic.summary()).append('\n');
    if (topic.since().compareTo(OLDEST) > 0) {
      text.append("\nSince Linux ")
          .append(topic.since().major())
          .append('.')
          .append(topic.since().minor())
          .append(".\n");
    }
    return text.append("\n```ply\n").append(topic.example()).append("```").toString();
  }

  /** Returns the declaration of the expression whose text a word is. */
  private Optional<String> type(int start, String word) {
    return check
        .flatMap(ScriptCheck::analyzed)
        .flatMap(
            script ->
                (word.startsWith("@") ? map(script, word) : Optional.<String>empty())
                    .or(() -> expression(script, start, word)));
  }

  private static Optional<String> map(AnalyzedScript script, String name) {
    return script.maps().stream()
        .filter(map -> map.name().equals(name))
        .findFirst()
        .map(Hovers::map);
  }

  private static String map(MapSymbol map) {
    String keys =
        map.keys().isEmpty()
            ? ""
            : map.keys().stream().map(Type::name).collect(Collectors.joining(", ", "[", "]"));
    Optional<String> aggregation = map.schema().aggregation();
    return map.name() + keys + ": " + aggregation.orElseGet(() -> map.content().type().name());
  }

  private Optional<String> expression(AnalyzedScript script, int start, String word) {
    SourceSpan at = document.lines().span(document.path(), start);
    List<AnalyzedClause> clauses =
        script.programs().stream().flatMap(program -> program.clauses().stream()).toList();
    return clauses.stream()
        .flatMap(clause -> typed(clause, one -> isNamed(one, word, at)))
        // Where a variable is assigned it is no expression.
        .findFirst()
        .or(
            () ->
                clauses.stream()
                    .filter(clause -> clause.clause().body().span().contains(at))
                    .flatMap(clause -> typed(clause, one -> isVariable(one, word)))
                    .findFirst())
        .map(type -> word + ": " + type);
  }

  private static Stream<String> typed(AnalyzedClause clause, Predicate<Expr> isMeant) {
    return clause.expressions().stream()
        .filter(isMeant)
        .map(expression -> clause.typeOf(expression).name());
  }

  private static boolean isVariable(Expr expression, String name) {
    return expression instanceof Expr.VariableRead variable && variable.name().equals(name);
  }

  private static boolean isNamed(Expr expression, String name, SourceSpan at) {
    if (expression instanceof Expr.Member member) {
      return member.name().equals(name) && member.nameSpan().contains(at);
    } else if (expression instanceof Expr.MapRead read) {
      return read.map().name().equals(name) && read.span().contains(at);
    }
    return isVariable(expression, name) && expression.span().contains(at);
  }
}
