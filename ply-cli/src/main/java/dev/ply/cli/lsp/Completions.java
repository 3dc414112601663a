package dev.ply.cli.lsp;

import dev.ply.cli.completion.LiveNames;
import dev.ply.cli.completion.Position;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.lsp4j.CompletionItem;
import org.eclipse.lsp4j.CompletionItemKind;
import org.eclipse.lsp4j.CompletionList;
import org.eclipse.lsp4j.MarkupContent;
import org.eclipse.lsp4j.MarkupKind;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.jsonrpc.messages.Either;

/** The names that continue what is being written. */
final class Completions {
  /** A library of many functions; what is written further selects among them. */
  private static final int MOST = 1000;

  private Completions() {}

  /** Returns the names for an index of a document. */
  static CompletionList at(Document document, int index, LiveNames names) {
    Position position = Position.of(document.text().substring(0, index));
    Range range = document.lines().range(index - position.start().length(), index);
    List<String> found = names.at(position);
    Function<String, CompletionItem> item = items(position, names, range);
    // Beginnings of names are among them: what is written next changes the list.
    boolean isIncomplete = position instanceof Position.Probe || found.size() > MOST;
    return new CompletionList(isIncomplete, found.stream().limit(MOST).map(item).toList());
  }

  private static Function<String, CompletionItem> items(
      Position position, LiveNames names, Range range) {
    if (position instanceof Position.Field field) {
      Map<String, String> declarations =
          names
              .declarations(field.probe())
              .filter(line -> LiveNames.declared(line).isPresent())
              .collect(
                  Collectors.toMap(
                      line -> LiveNames.declared(line).orElseThrow(),
                      line -> line,
                      (first, second) -> first));
      return name -> {
        CompletionItem item = item(name, CompletionItemKind.Field, range);
        item.setDetail(declarations.getOrDefault(name, ""));
        return item;
      };
    }
    if (position instanceof Position.Word) {
      return name -> word(name, range);
    }
    return name -> item(name, CompletionItemKind.Event, range);
  }

  private static CompletionItem item(String name, CompletionItemKind kind, Range range) {
    CompletionItem item = new CompletionItem(name);
    item.setKind(kind);
    // What is replaced has colons, which are the ends of words to editors.
    item.setFilterText(name);
    item.setTextEdit(Either.forLeft(new TextEdit(range, name)));
    return item;
  }

  private static CompletionItem word(String name, Range range) {
    Optional<Topic> topic = LanguageReference.topic(name);
    CompletionItem item =
        item(name, topic.map(Completions::kind).orElse(CompletionItemKind.Variable), range);
    topic.ifPresent(
        known -> {
          item.setDetail(known.forms().get(0));
          item.setDocumentation(new MarkupContent(MarkupKind.MARKDOWN, Hovers.markdown(known)));
        });
    return item;
  }

  private static CompletionItemKind kind(Topic topic) {
    return switch (topic.kind()) {
      case PROBE -> CompletionItemKind.Event;
      case VALUE -> CompletionItemKind.Variable;
      case FUNCTION, AGGREGATION -> CompletionItemKind.Function;
      case STATEMENT -> CompletionItemKind.Keyword;
    };
  }
}
