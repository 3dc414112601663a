package dev.ply.bpf.asm;

import dev.ply.ir.SourceSpan;

/** A word of a line of assembly text. */
record Token(Kind kind, String text, SourceSpan span) {
  /** What a token is at first sight. */
  enum Kind {
    /** A register, a type, a label, a keyword. */
    WORD,
    /** An unsigned number, decimal or with 0x. */
    NUMBER,
    /** A map's name in square brackets after {@code map}; the text is the name. */
    MAP,
    /** An operator or a punctuation mark. */
    SYMBOL,
    /** Not part of the notation. */
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

  /** Describes the token in an error message. */
  @Override
  public String toString() {
    return kind == Kind.END ? "the end of the line" : '"' + text + '"';
  }
}
