package dev.ply.lang.token;

import java.util.stream.IntStream;

/** Offsets in a text: ANTLR counts code points, Java the halves of those that need two. */
interface Offsets {
  /** Returns the offset in the text of a code point. */
  int inText(int codePoint);

  /** Returns the number of code points before an offset in the text. */
  int inCodePoints(int offset);

  /** Returns the offsets of a text. */
  static Offsets of(String text) {
    boolean isPlain =
        IntStream.range(0, text.length()).noneMatch(i -> Character.isSurrogate(text.charAt(i)));
    return isPlain
        ? new Offsets() {
          @Override
          public int inText(int codePoint) {
            return codePoint;
          }

          @Override
          public int inCodePoints(int offset) {
            return offset;
          }
        }
        : new Offsets() {
          @Override
          public int inText(int codePoint) {
            return text.offsetByCodePoints(0, codePoint);
          }

          @Override
          public int inCodePoints(int offset) {
            return text.codePointCount(0, offset);
          }
        };
  }
}
