package dev.ply.lang.preprocess;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.c.CFrontEnd;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directives of the C preprocessor in scripts.
 *
 * <p>To the lexer every line that starts with {@code #} is a comment, directives too. Lines that a
 * condition excludes are blanked, so that positions stay as they are. An {@code #if} without {@code
 * #endif} is a comment: scripts disable statements that way; so is what has a space after its
 * {@code #} and reads like prose. Of the headers that are included, those beside the script are
 * read ({@link HeaderFiles}).
 */
public final class Preprocessor {
  private static final List<String> WORDS =
      List.of("define", "undef", "endif", "include", "pragma", "error", "warning");

  /** Compiled only for scripts with directives: regular expressions cost a startup 5 ms. */
  private static final class Patterns {
    static final Pattern DIRECTIVE =
        Pattern.compile(
            "[ \t]*#([ \t]*)(define|undef|include|ifdef|ifndef|if|elifdef|elifndef|elif|else|endif"
                + "|error|warning|pragma)\\b.*");
  }

  private final Source source;
  private final CFrontEnd c;
  private final HeaderFiles headers;
  private final Consumer<Source> included;
  private final StringBuilder text;
  private final CFrontEnd.Macros before;
  private final NavigableMap<Integer, Integer> changes = new TreeMap<>();
  private final List<ScriptDeclarations.Pragma> pragmas = new ArrayList<>();
  private final Deque<Condition> conditions = new ArrayDeque<>();

  /**
   * An open {@code #if}.
   *
   * @param isActive whether the following lines belong to the script
   * @param isDecided whether a branch has been taken, or none can be
   */
  private record Condition(boolean isActive, boolean isDecided) {}

  /**
   * A line with a directive.
   *
   * @param number from 1
   * @param start the offset of the line in the text
   * @param end the offset after its last line, continuation lines included, without the newline
   */
  private record Directive(int number, int start, int end, String name, CFrontEnd.Line line) {}

  private Preprocessor(
      Source source, CFrontEnd c, Consumer<Source> included, Diagnostics diagnostics) {
    this.source = source;
    this.c = c;
    this.headers = new HeaderFiles(diagnostics);
    this.included = included;
    this.text = new StringBuilder(source.text());
    this.before = c.macros();
    changes.put(0, c.changes());
  }

  /**
   * Applies the directives of a script.
   *
   * @param c knows the macros of the files that it imports
   * @param included reads files that it includes
   */
  public static ScriptDeclarations apply(
      Source source, CFrontEnd c, Consumer<Source> included, Diagnostics diagnostics) {
    String text = source.text();
    Preprocessor preprocessor = new Preprocessor(source, c, included, diagnostics);
    if (text.indexOf('#') >= 0 && WORDS.stream().anyMatch(text::contains)) {
      preprocessor.run();
    }
    return new ScriptDeclarations(
        c,
        new Source(source.name(), preprocessor.text.toString()),
        preprocessor.before,
        preprocessor.changes,
        preprocessor.pragmas);
  }

  private void run() {
    List<Directive> directives = directives();
    Set<Directive> comments = withoutEnd(directives);
    int excludedFrom = -1;
    for (Directive directive : directives) {
      if (comments.contains(directive)) {
        continue;
      }
      boolean wasActive = isActive();
      if (!wasActive) {
        blank(excludedFrom, directive.start());
      }
      apply(directive);
      changes.put(directive.end(), c.changes());
      if (!wasActive || !directive.name().equals("pragma")) {
        // To the lexer, continuation lines are not comments.
        blank(directive.start(), directive.end());
      }
      excludedFrom = directive.end();
    }
  }

  private boolean isActive() {
    return conditions.isEmpty() || conditions.peek().isActive();
  }

  private void apply(Directive directive) {
    switch (directive.name()) {
      case "if" -> open(isActive() && isTrue(directive));
      case "ifdef" -> open(isActive() && c.isDefined(directive.line()));
      case "ifndef" -> open(isActive() && !c.isDefined(directive.line()));
      case "elif", "elifdef", "elifndef" -> {
        Condition condition = conditions.pop();
        boolean isTaken = !condition.isDecided() && isChosen(directive);
        conditions.push(new Condition(isTaken, condition.isDecided() || isTaken));
      }
      case "else" -> {
        Condition condition = conditions.pop();
        conditions.push(new Condition(!condition.isDecided(), true));
      }
      case "endif" -> conditions.pop();
      default -> {
        if (isActive()) {
          active(directive);
        }
      }
    }
  }

  private boolean isChosen(Directive directive) {
    return switch (directive.name()) {
      case "elifdef" -> c.isDefined(directive.line());
      case "elifndef" -> !c.isDefined(directive.line());
      default -> isTrue(directive);
    };
  }

  private boolean isTrue(Directive directive) {
    return c.isTrue(directive.line(), operand -> headers.has(source, operand));
  }

  private void active(Directive directive) {
    switch (directive.name()) {
      case "undef" -> c.undefine(directive.line());
      case "include" -> {
        String operand = c.operand(directive.line());
        if (IncludedHeader.of(operand).isPresent()) {
          headers.find(source, operand, span(directive)).forEach(this::include);
        }
      }
      case "error", "warning" -> c.message(directive.line());
      case "pragma" ->
          pragmas.add(new ScriptDeclarations.Pragma(directive.start(), directive.line()));
      default -> c.define(directive.line());
    }
  }

  private void include(Source file) {
    if (isHeader(file)) {
      c.read(file, headers);
    } else {
      included.accept(file);
    }
  }

  /** Returns whether a file has C only, no probes. */
  public static boolean isHeader(Source file) {
    return file.name().endsWith(".h");
  }

  private void open(boolean isTrue) {
    boolean isReachable = isActive();
    conditions.push(new Condition(isReachable && isTrue, !isReachable || isTrue));
  }

  private SourceSpan span(Directive directive) {
    int column = source.text().indexOf('#', directive.start()) - directive.start() + 1;
    int end = column + 1 + directive.name().length();
    return new SourceSpan(source.name(), directive.number(), column, directive.number(), end);
  }

  private void blank(int start, int end) {
    for (int i = start; i < end; i++) {
      if (text.charAt(i) != '\n') {
        text.setCharAt(i, ' ');
      }
    }
  }

  /** Returns the directives without a matching {@code #if} or {@code #endif}. */
  private static Set<Directive> withoutEnd(List<Directive> directives) {
    Set<Directive> comments = new HashSet<>();
    Deque<List<Directive>> open = new ArrayDeque<>();
    for (Directive directive : directives) {
      switch (directive.name()) {
        case "if", "ifdef", "ifndef" -> open.push(new ArrayList<>(List.of(directive)));
        case "elif", "elifdef", "elifndef", "else" -> {
          if (open.isEmpty()) {
            comments.add(directive);
          } else {
            open.element().add(directive);
          }
        }
        case "endif" -> {
          if (open.isEmpty()) {
            comments.add(directive);
          } else {
            open.pop();
          }
        }
        default -> {}
      }
    }
    open.forEach(comments::addAll);
    return comments;
  }

  /** Returns the lines with directives, outside of strings and block comments. */
  private List<Directive> directives() {
    List<Directive> directives = new ArrayList<>();
    String script = source.text();
    int number = 1;
    boolean isInComment = false;
    for (int start = 0; start < script.length(); ) {
      int end = endOfLine(script, start);
      Matcher directive = Patterns.DIRECTIVE.matcher(script.substring(start, end));
      int lines = 1;
      if (!isInComment && directive.matches()) {
        int hash = start + directive.start(1);
        CFrontEnd.Line line = new CFrontEnd.Line(source, hash);
        if (directive.group(1).isEmpty() || isDirective(directive.group(2), line)) {
          while (script.startsWith("\\", end - 1) && end < script.length()) {
            end = endOfLine(script, end + 1);
            lines++;
          }
          directives.add(new Directive(number, start, end, directive.group(2), line));
        }
      } else {
        isInComment = isCommentOpen(script, start, end, isInComment);
      }
      start = end + 1;
      number += lines;
    }
    return directives;
  }

  private static int endOfLine(String text, int start) {
    int end = text.indexOf('\n', start);
    return end < 0 ? text.length() : end;
  }

  /** With a space after its {@code #}, a directive must be distinguished from prose. */
  private static boolean isDirective(String name, CFrontEnd.Line line) {
    return switch (name) {
      case "define" -> !line.isProse(1);
      case "undef", "ifdef", "ifndef", "elifdef", "elifndef" -> line.isOneWord();
      case "if", "elif" -> !line.isBare() && !line.isProse(0);
      case "else", "endif" -> line.isBare();
      case "include" -> line.hasHeader();
      case "pragma" -> line.isLayout();
      default -> false;
    };
  }

  static String withoutComment(String rest) {
    String line = rest.replaceAll("/\\*.*?\\*/", " ");
    int comment = line.indexOf("//");
    return (comment < 0 ? line : line.substring(0, comment)).stripTrailing();
  }

  /** Returns whether a block comment is open after a line. */
  private static boolean isCommentOpen(String text, int start, int end, boolean isOpen) {
    boolean isInComment = isOpen;
    boolean isInString = false;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      char next = i + 1 < end ? text.charAt(i + 1) : '\n';
      if (isInComment) {
        isInComment = c != '*' || next != '/';
      } else if (isInString) {
        isInString = c != '"';
        i += c == '\\' ? 1 : 0;
      } else if (c == '#' || (c == '/' && next == '/')) {
        return false;
      } else if (c == '/' && next == '*') {
        isInComment = true;
        i++;
      } else {
        isInString = c == '"';
      }
    }
    return isInComment;
  }
}
