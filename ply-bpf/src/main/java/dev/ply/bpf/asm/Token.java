package dev.ply.bpf.asm;

import dev.ply.diagnostic.SourceSpan;

/** A token of a line of assembly text. */
record Token(Kind kind, String text, SourceSpan span) {
  /** The lexical class of a token. */
  enum Kind {
    /** A register, type, label or keyword. */
    WORD,
    /** An unsigned number, decimal or hexadecimal. */
    NUMBER,
    /** {@code map[NAME]}; the text is the name. */
    MAP,
    /** An operator or punctuation. */
    SYMBOL,
    /** An illegal character. */
    STRAY,
    /** The end of the line. */
    END
  }

  boolean is(String expected) {
    return kind == Kind.SYMBOL && text.equals(expected);
  }

  boolean isWord(String expected) {
    return kind == Kind.WORD && text.equals(expected);
  }

  boolean isHexadecimal() {
    return text.startsWith("0x");
  }

  /** Returns the token as error messages quote it. */
  @Override
  public String toString() {
    return kind == Kind.END ? "the end of the line" : '"' + text + '"';
  }
}
