package dev.ply.kernel.symbol;

import dev.ply.ir.Glob;
import java.nio.charset.StandardCharsets;

/**
 * One of the kernel's lists of functions: a line each, with the name behind a number of other
 * words, and possibly the module in brackets at the end. These lists have megabytes, of which a
 * pattern means a few lines: strings are made of those only.
 */
final class FunctionList {
  /** Sees a function. */
  interface Visitor {
    /**
     * Sees a function.
     *
     * @param module empty for the kernel itself
     * @param line where its line begins in the text
     */
    void see(String name, String module, int line);
  }

  private final byte[] text;
  private final int wordsBefore;

  /**
   * A list.
   *
   * @param wordsBefore how many words stand before each name
   */
  FunctionList(byte[] text, int wordsBefore) {
    this.text = text;
    this.wordsBefore = wordsBefore;
  }

  /**
   * Shows a visitor the functions whose names a pattern means; lines that are none are left out.
   */
  void visit(Glob wanted, Visitor visitor) {
    byte[] prefix = wanted.prefix().getBytes(StandardCharsets.ISO_8859_1);
    int line = 0;
    while (line < text.length) {
      int begin = line;
      int before = 0;
      while (before < wordsBefore && isBetweenWords(endOfWord(begin))) {
        begin = endOfWord(begin) + 1;
        before++;
      }
      if (before == wordsBefore && startsWith(begin, prefix)) {
        int end = endOfWord(begin);
        String name = new String(text, begin, end - begin, StandardCharsets.ISO_8859_1);
        if (wanted.matches(name)) {
          visitor.see(name, module(end), line);
        }
        begin = end;
      }
      line = endOfLine(begin) + 1;
    }
  }

  private boolean startsWith(int begin, byte[] prefix) {
    if (begin + prefix.length > text.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if (text[begin + i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private String module(int endOfName) {
    int begin = endOfName + 2;
    if (begin >= text.length || text[endOfName + 1] != '[') {
      return "";
    }
    int end = begin;
    while (end < text.length && text[end] != ']' && text[end] != '\n') {
      end++;
    }
    return new String(text, begin, end - begin, StandardCharsets.ISO_8859_1);
  }

  private boolean isBetweenWords(int position) {
    return position < text.length && text[position] != '\n';
  }

  private int endOfWord(int begin) {
    int end = begin;
    while (end < text.length && text[end] > ' ') {
      end++;
    }
    return end;
  }

  private int endOfLine(int begin) {
    int end = begin;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    return end;
  }
}
