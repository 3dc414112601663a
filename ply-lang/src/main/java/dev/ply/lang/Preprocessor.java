package dev.ply.lang;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.ir.SourceSpan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directives of the C preprocessor that scripts use: {@code #define} and {@code #undef} of
 * macros without parameters, {@code #if} and its relatives, {@code #include}.
 *
 * <p>To the lexer every line that starts with {@code #} is a comment, directives too. Lines that a
 * condition excludes are blanked, so that positions stay as they are. An {@code #if} without {@code
 * #endif} is a comment: scripts disable statements that way. Of the headers that are included,
 * those beside the script are read ({@link IncludedHeader}).
 */
final class Preprocessor {
  /** bpftrace's scripts test this before they include headers. */
  private static final Map<String, String> PREDEFINED = Map.of("BPFTRACE_HAVE_BTF", "1");

  /** Compiled only for scripts with directives: regular expressions cost a startup 5 ms. */
  private static final class Patterns {
    static final Pattern DIRECTIVE =
        Pattern.compile(
            "[ \t]*#(define|undef|include|ifdef|ifndef|if|elif|else|endif)\\b[ \t]*(.*)");
    static final Pattern MACRO = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)(\\()?(.*)");
  }

  private final Source source;
  private final IncludedFiles included;
  private final Diagnostics diagnostics;
  private final StringBuilder text;
  private final Map<String, String> macros = new HashMap<>(PREDEFINED);
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
  private record Directive(int number, int start, int end, String name, String rest) {}

  /** Reads the files of an {@code #include}. */
  interface IncludedFiles {
    /**
     * Reads files where macros are defined.
     *
     * @return the macros that are defined at their end, by name
     */
    Map<String, String> read(List<Source> files, Map<String, String> defined);
  }

  /**
   * A preprocessed script.
   *
   * @param source the script without excluded lines, at the same positions
   * @param macros the macros defined at its end, by name
   */
  record Result(Source source, Map<String, String> macros) {
    Result {
      macros = Map.copyOf(macros);
    }
  }

  private Preprocessor(
      Source source, Map<String, String> defined, IncludedFiles included, Diagnostics diagnostics) {
    this.source = source;
    this.included = included;
    this.macros.putAll(defined);
    this.diagnostics = diagnostics;
    this.text = new StringBuilder(source.text());
  }

  /**
   * Applies the directives of a script.
   *
   * @param defined the macros of the files that it imports
   * @param included reads the files that it includes
   */
  static Result apply(
      Source source, Map<String, String> defined, IncludedFiles included, Diagnostics diagnostics) {
    String text = source.text();
    boolean hasDirectives =
        text.contains("#define")
            || text.contains("#undef")
            || text.contains("#endif")
            || text.contains("#include");
    return hasDirectives
        ? new Preprocessor(source, defined, included, diagnostics).run()
        : new Result(source, defined);
  }

  private Result run() {
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
      // To the lexer, continuation lines are no comments.
      blank(directive.start(), directive.end());
      excludedFrom = directive.end();
    }
    return new Result(new Source(source.name(), text.toString()), macros);
  }

  private boolean isActive() {
    return conditions.isEmpty() || conditions.peek().isActive();
  }

  private void apply(Directive directive) {
    switch (directive.name()) {
      case "if" -> open(isActive() && isTrue(directive));
      case "ifdef" -> open(macros.containsKey(directive.rest().trim()));
      case "ifndef" -> open(!macros.containsKey(directive.rest().trim()));
      case "elif" -> {
        Condition condition = conditions.pop();
        boolean isTaken = !condition.isDecided() && isTrue(directive);
        conditions.push(new Condition(isTaken, condition.isDecided() || isTaken));
      }
      case "else" -> {
        Condition condition = conditions.pop();
        conditions.push(new Condition(!condition.isDecided(), true));
      }
      case "endif" -> conditions.pop();
      case "undef" -> {
        if (isActive()) {
          macros.remove(directive.rest().trim());
        }
      }
      case "include" -> {
        if (isActive()) {
          IncludedHeader.of(directive.rest()).ifPresent(header -> include(directive, header));
        }
      }
      default -> {
        if (isActive()) {
          define(directive);
        }
      }
    }
  }

  private void include(Directive directive, IncludedHeader header) {
    Optional<Source.Import> file =
        source.imports().stream().filter(one -> one.path().equals(header.named())).findFirst();
    if (file.isPresent() && file.get().problem().isEmpty()) {
      Map<String, String> after = included.read(file.get().files(), Map.copyOf(macros));
      macros.clear();
      macros.putAll(after);
    } else if (header.isBuiltIn()) {
      return;
    } else if (file.isPresent() && header.isQuoted()) {
      error(
          directive,
          file.get().problem().get(),
          "headers (.h) in quotes are looked for beside the script that includes them, and in the"
              + " directories of ply bt -I");
    } else if (header.isQuoted()) {
      error(
          directive,
          "included files are not read here",
          "what parses the script has to provide them, as the commands ply and ply bt do");
    } else {
      error(
          directive,
          "there is no header <" + SyntaxProblem.shortened(header.path()) + ">",
          "types come from the kernel's BTF and constants are built in; a header beside the script"
              + " is included in quotes, #include \"file.h\"; ply bt -I adds directories");
    }
  }

  private void open(boolean isTrue) {
    boolean isReachable = isActive();
    conditions.push(new Condition(isReachable && isTrue, !isReachable || isTrue));
  }

  private boolean isTrue(Directive directive) {
    OptionalLong value = new DirectiveCondition(directive.rest(), macros).value();
    if (value.isEmpty()) {
      error(
          directive,
          "cannot evaluate the condition of #" + directive.name(),
          "it takes numbers, constants, defined(NAME), and C's operators");
    }
    return value.orElse(0) != 0;
  }

  private void define(Directive directive) {
    Matcher macro = Patterns.MACRO.matcher(directive.rest());
    if (!macro.matches()) {
      error(directive, "#define has no name", "write #define NAME value");
    } else if (macro.group(2) != null) {
      error(directive, "#define takes no parameters here", "write the expression where it is used");
    } else {
      macros.put(macro.group(1), macro.group(3).trim());
    }
  }

  private void error(Directive directive, String message, String hint) {
    int column = source.text().indexOf('#', directive.start()) - directive.start() + 1;
    int end = column + 1 + directive.name().length();
    SourceSpan span =
        new SourceSpan(source.name(), directive.number(), column, directive.number(), end);
    diagnostics.error(DiagnosticCode.SYNTAX, span, message, hint);
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
        case "elif", "else" -> {
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
        StringBuilder rest = new StringBuilder(directive.group(2));
        while (!rest.isEmpty() && rest.charAt(rest.length() - 1) == '\\' && end < script.length()) {
          int next = endOfLine(script, end + 1);
          rest.setLength(rest.length() - 1);
          rest.append(script, end + 1, next);
          end = next;
          lines++;
        }
        directives.add(
            new Directive(number, start, end, directive.group(1), withoutComment(rest.toString())));
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
