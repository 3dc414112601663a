package dev.ply.build;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits scripts by a TextMate grammar, as editors do: line by line, the rule that matches first
 * wins, and of several at one position the first in the list. It has what {@link ScriptGrammar}
 * uses of the format: {@code match}, {@code begin} and {@code end}, captures, includes.
 */
final class TextMateTokens {
  private final JsonObject grammar;
  private final Map<String, Pattern> patterns = new HashMap<>();
  private final Map<JsonObject, List<JsonObject>> rules = new HashMap<>();
  private final List<Token> tokens = new ArrayList<>();

  /** The rules whose end is still to come, innermost first. */
  private final Deque<JsonObject> open = new ArrayDeque<>();

  /** Creates the tokens of a grammar. */
  TextMateTokens(JsonObject grammar) {
    this.grammar = grammar;
  }

  /**
   * A part of a script, within a line.
   *
   * @param start index of its first character
   * @param end index after the last
   * @param scopes the outermost first; none for what no rule is about
   */
  record Token(int start, int end, List<String> scopes) {
    Token {
      scopes = List.copyOf(scopes);
    }

    /** Returns whether a scope begins like that. */
    boolean is(String scope) {
      return scopes.stream().anyMatch(one -> one.startsWith(scope));
    }
  }

  /** Returns all tokens of a script, white space included, newlines left out. */
  List<Token> of(String script) {
    tokens.clear();
    open.clear();
    int start = 0;
    while (start <= script.length()) {
      int newline = script.indexOf('\n', start);
      int end = newline < 0 ? script.length() : newline;
      line(script.substring(start, end), start);
      start = end + 1;
    }
    return List.copyOf(tokens);
  }

  /** The rule that matches first, and where. */
  private record Found(JsonObject rule, boolean isEnd, Matcher matcher) {}

  private void line(String line, int offset) {
    int at = 0;
    while (true) {
      Optional<Found> next = next(line, at);
      if (next.isEmpty()) {
        add(offset + at, offset + line.length(), scopes());
        return;
      }
      Found found = next.get();
      Matcher matcher = found.matcher();
      add(offset + at, offset + matcher.start(), scopes());
      if (found.isEnd()) {
        add(offset + matcher.start(), offset + matcher.end(), scopes());
        open.pop();
      } else if (found.rule().has("begin")) {
        open.push(found.rule());
        captures(matcher, offset, found.rule(), "beginCaptures");
      } else {
        open.push(found.rule());
        captures(matcher, offset, found.rule(), "captures");
        open.pop();
      }
      if (matcher.end() == at && !found.isEnd() && matcher.end() == matcher.start()) {
        throw new IllegalStateException("a rule matches nothing: " + found.rule());
      }
      at = matcher.end();
    }
  }

  /** Of several rules at one position, the end of the open one is first. */
  private Optional<Found> next(String line, int at) {
    Optional<Found> first = Optional.empty();
    JsonObject current = open.isEmpty() ? grammar : open.element();
    if (current.has("end")) {
      first = found(current, true, current.get("end").getAsString(), line, at);
    }
    for (JsonObject rule : rules(current)) {
      String regex = rule.get(rule.has("begin") ? "begin" : "match").getAsString();
      Optional<Found> found = found(rule, false, regex, line, at);
      if (found.isPresent()
          && (first.isEmpty() || found.get().matcher().start() < first.get().matcher().start())) {
        first = found;
      }
    }
    return first;
  }

  private Optional<Found> found(JsonObject rule, boolean isEnd, String regex, String line, int at) {
    Matcher matcher = patterns.computeIfAbsent(regex, Pattern::compile).matcher(line);
    matcher.useTransparentBounds(true).useAnchoringBounds(false).region(at, line.length());
    return matcher.find() ? Optional.of(new Found(rule, isEnd, matcher)) : Optional.empty();
  }

  /** Returns the rules of a group, with those that are included. */
  private List<JsonObject> rules(JsonObject group) {
    List<JsonObject> known = rules.get(group);
    if (known == null) {
      known = new ArrayList<>();
      collect(group, known);
      rules.put(group, known);
    }
    return known;
  }

  private void collect(JsonObject group, List<JsonObject> found) {
    if (!group.has("patterns")) {
      return;
    }
    for (JsonElement element : group.getAsJsonArray("patterns")) {
      JsonObject rule = element.getAsJsonObject();
      if (!rule.has("include")) {
        found.add(rule);
        continue;
      }
      String name = rule.get("include").getAsString().substring(1);
      JsonObject included = grammar.getAsJsonObject("repository").getAsJsonObject(name);
      if (included.has("begin") || included.has("match")) {
        found.add(included);
      } else {
        collect(included, found);
      }
    }
  }

  private void captures(Matcher matcher, int offset, JsonObject rule, String name) {
    int at = matcher.start();
    if (rule.has(name)) {
      for (int group = 1; group <= matcher.groupCount(); group++) {
        JsonElement capture = rule.getAsJsonObject(name).get(String.valueOf(group));
        if (capture == null || matcher.start(group) < at) {
          continue;
        }
        add(offset + at, offset + matcher.start(group), scopes());
        List<String> scopes = new ArrayList<>(scopes());
        scopes.add(capture.getAsJsonObject().get("name").getAsString());
        add(offset + matcher.start(group), offset + matcher.end(group), scopes);
        at = matcher.end(group);
      }
    }
    add(offset + at, offset + matcher.end(), scopes());
  }

  private List<String> scopes() {
    List<String> scopes = new ArrayList<>();
    open.descendingIterator()
        .forEachRemaining(
            rule -> {
              if (rule.has("name")) {
                scopes.add(rule.get("name").getAsString());
              }
            });
    return scopes;
  }

  private void add(int start, int end, List<String> scopes) {
    if (end > start) {
      tokens.add(new Token(start, end, scopes));
    }
  }
}
