package dev.ply.lang.c.expression;

import dev.ply.diagnostic.SourceSpan;
import java.util.HashSet;
import java.util.Set;

/**
 * A preprocessing token of C.
 *
 * @param span where it is; of a macro's tokens, where the macro is used
 * @param start the offset of its first character in the source
 * @param end the offset after its last one
 * @param isFirst whether it is the first on its line
 * @param isSpaced whether white space is before it
 * @param hidden the macros that it comes from, which are not expanded again
 */
public record CToken(
    Kind kind,
    String text,
    SourceSpan span,
    int start,
    int end,
    boolean isFirst,
    boolean isSpaced,
    Set<String> hidden) {
  /** Kinds of tokens. */
  public enum Kind {
    /** A name or keyword; in scripts also {@code $x} and {@code @m}. */
    NAME,
    /** Whatever begins with a digit. */
    NUMBER,
    /** With its quotes. */
    STRING,
    /** With its quotes. */
    CHARACTER,
    /** An operator, a bracket, or any other character. */
    PUNCTUATOR,
    /** The text of a {@code #pragma} that changes layouts. */
    PRAGMA,
    /** The end of the source. */
    END
  }

  public CToken {
    hidden = Set.copyOf(hidden);
  }

  /** Returns whether this is a name, an operator or a bracket with these characters. */
  public boolean is(String word) {
    return text.equals(word) && (kind == Kind.PUNCTUATOR || kind == Kind.NAME);
  }

  /** Returns whether this is a name or a keyword. */
  public boolean isName() {
    return kind == Kind.NAME;
  }

  /** Returns whether this is after all others. */
  public boolean isEnd() {
    return kind == Kind.END;
  }

  /** Returns this token at the place of a macro's use. */
  public CToken at(CToken use, Set<String> hiding) {
    return new CToken(kind, text, use.span, use.start, use.end, false, isSpaced, hiding);
  }

  /** Returns this token with other text. */
  public CToken as(Kind other, String changed) {
    return new CToken(other, changed, span, start, end, isFirst, isSpaced, hidden);
  }

  /** Returns this token with the space before it that another has. */
  public CToken spacedAs(CToken other) {
    return new CToken(kind, text, span, start, end, other.isFirst, other.isSpaced, hidden);
  }

  public CToken hiding(Set<String> more) {
    if (more.isEmpty() || hidden.containsAll(more)) {
      return this;
    }
    Set<String> all = new HashSet<>(hidden);
    all.addAll(more);
    return new CToken(kind, text, span, start, end, isFirst, isSpaced, all);
  }
}
