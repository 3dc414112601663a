package dev.ply.build.html;

import dev.ply.build.ScriptColours;
import dev.ply.build.ScriptColours.Part;
import java.util.List;
import java.util.Map;

/** Scripts with the colours that editors have, as HTML. */
final class CodeColours {
  /** Classes of the style sheet by the beginnings of scopes; the first that fits counts. */
  private static final List<Map.Entry<String, String>> CLASSES =
      List.of(
          Map.entry("comment", "c"),
          Map.entry("meta.preprocessor", "c"),
          Map.entry("constant.character.escape", "e"),
          Map.entry("constant.other.placeholder", "e"),
          Map.entry("string", "s"),
          Map.entry("meta.probe", "p"),
          Map.entry("keyword.operator", ""),
          Map.entry("keyword", "k"),
          Map.entry("storage", "k"),
          Map.entry("support.function", "f"),
          Map.entry("support.variable", "v"),
          Map.entry("constant", "n"),
          Map.entry("variable.other.map", "m"),
          Map.entry("variable.other.member", ""),
          Map.entry("variable", "m"));

  private static final ScriptColours COLOURS = new ScriptColours();

  private CodeColours() {}

  /** Returns a script as HTML. */
  static String html(String script) {
    StringBuilder html = new StringBuilder();
    StringBuilder run = new StringBuilder();
    String running = "";
    int at = 0;
    for (Part part : COLOURS.of(script)) {
      String style = style(part);
      String between = script.substring(at, part.start());
      if (!style.equals(running) || !between.isEmpty()) {
        html.append(span(running, run)).append(SitePage.escaped(between));
        run.setLength(0);
      }
      run.append(script, part.start(), part.end());
      running = style;
      at = part.end();
    }
    return html.append(span(running, run))
        .append(SitePage.escaped(script.substring(at)))
        .toString();
  }

  private static String span(String style, StringBuilder text) {
    String escaped = SitePage.escaped(text.toString());
    return style.isEmpty() || text.isEmpty()
        ? escaped
        : "<span class=\"" + style + "\">" + escaped + "</span>";
  }

  private static String style(Part part) {
    return CLASSES.stream()
        .filter(entry -> part.is(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }
}
