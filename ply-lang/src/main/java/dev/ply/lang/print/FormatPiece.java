package dev.ply.lang.print;

import dev.ply.diagnostic.Source;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.token.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.Token;

/**
 * A token of a script, or what the lexer skips: a comment, a directive of the preprocessor.
 *
 * @param type of the token; {@link #NAME_OF_PROBE} for the parts of a probe's name
 * @param newlines between the piece before and this one
 * @param isSpaced whether there is white space before it
 */
record FormatPiece(Kind kind, int type, String text, int newlines, boolean isSpaced) {
  /** The type of words that the lexer skips: the name of a probe, and its equals sign. */
  static final int NAME_OF_PROBE = 0;

  /** Stands for a newline within a directive, so that the lexer takes all of it for a comment. */
  private static final char CONTINUED = '\ue000';

  private static final Pattern SKIPPED =
      Pattern.compile("(\\s+)|(//[^\r\n]*|#[^\r\n]*)|(?s:(/\\*.*?\\*/))|[^\\s/#]+|.");

  private static final Pattern DIRECTIVE =
      Pattern.compile(
          "#(?:!|(?:define|undef|include|ifn?def|if|elif(?:n?def)?|else|endif|error|warning|pragma)\\b).*");

  /** Kinds of pieces. */
  enum Kind {
    WORD,
    /** Up to the end of the line. */
    LINE_COMMENT,
    BLOCK_COMMENT,
    /** A line that the preprocessor reads, or the first line of an executable script. */
    DIRECTIVE
  }

  boolean is(String word) {
    return kind == Kind.WORD && text.equals(word);
  }

  boolean isComment() {
    return kind != Kind.WORD;
  }

  /** Returns whether what follows has to be on another line. */
  boolean endsLine() {
    return kind == Kind.LINE_COMMENT || kind == Kind.DIRECTIVE;
  }

  /** Splits a script. */
  static List<FormatPiece> of(Source source) {
    return new Splitter(masked(source.text())).split(source.name());
  }

  private static String masked(String text) {
    StringBuilder masked = new StringBuilder(text);
    boolean isDirective = false;
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      String line = text.substring(start, end);
      isDirective =
          (isDirective || line.stripLeading().startsWith("#"))
              && (line.endsWith("\\") || line.endsWith("\\\r"));
      if (isDirective) {
        masked.setCharAt(end, CONTINUED);
      }
      start = end + 1;
    }
    return masked.toString();
  }

  /** Collects the pieces in order. */
  private static final class Splitter {
    private final List<FormatPiece> pieces = new ArrayList<>();
    private final String text;
    private final int[] characters;
    private int newlines;
    private boolean isSpaced;

    Splitter(String text) {
      this.text = text;
      this.characters = text.codePoints().toArray();
    }

    List<FormatPiece> split(String name) {
      int at = 0;
      for (Token token : Tokenizer.plain(new Source(name, text))) {
        if (token.getType() == PlyLexer.LAST_END || token.getType() == Token.EOF) {
          continue;
        }
        skipped(substring(at, token.getStartIndex()));
        at = token.getStopIndex() + 1;
        String word = substring(token.getStartIndex(), at);
        if (token.getType() == PlyLexer.PREDICATE_END) {
          add(Kind.WORD, token.getType(), "/");
          skipped(word.substring(1, word.length() - 1));
          add(Kind.WORD, PlyLexer.LBRACE, "{");
        } else {
          add(Kind.WORD, token.getType(), word);
        }
      }
      skipped(substring(at, characters.length));
      return pieces;
    }

    /** Positions of tokens count characters beyond 16 bits as one. */
    private String substring(int start, int end) {
      return new String(characters, start, end - start);
    }

    private void skipped(String gap) {
      Matcher part = SKIPPED.matcher(gap);
      while (part.find()) {
        String found = part.group();
        if (part.group(1) != null) {
          newlines += (int) found.chars().filter(character -> character == '\n').count();
          isSpaced = true;
        } else if (part.group(2) != null) {
          boolean isFirst = newlines > 0 || pieces.isEmpty();
          boolean isDirective = isFirst && DIRECTIVE.matcher(found).matches();
          add(
              isDirective ? Kind.DIRECTIVE : Kind.LINE_COMMENT,
              NAME_OF_PROBE,
              found.stripTrailing());
        } else {
          add(part.group(3) == null ? Kind.WORD : Kind.BLOCK_COMMENT, NAME_OF_PROBE, found);
        }
      }
    }

    private void add(Kind kind, int type, String word) {
      pieces.add(new FormatPiece(kind, type, word.replace(CONTINUED, '\n'), newlines, isSpaced));
      newlines = 0;
      isSpaced = false;
    }
  }
}
