package dev.ply.export.page;

import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;
import java.util.Locale;

/** Writes JSON that can stand inside a script element: no string ends it, or begins a comment. */
public final class PageJson {
  private final TextBuffer out;
  private boolean needsComma;

  /**
   * Creates JSON.
   *
   * @param out receives it
   */
  public PageJson(TextBuffer out) {
    this.out = out;
  }

  /** Begins an object or an array. */
  public PageJson begin(char bracket) {
    comma();
    out.append(bracket);
    needsComma = false;
    return this;
  }

  /** Ends an object or an array. */
  public PageJson end(char bracket) {
    out.append(bracket);
    needsComma = true;
    return this;
  }

  /** Writes the name of a member, which is plain. */
  public PageJson name(String name) {
    comma();
    out.append('"').append(name).append("\":");
    needsComma = false;
    return this;
  }

  /** Writes a text, whose control characters are shown as escapes. */
  public PageJson text(String text) {
    comma();
    TextBuffer string = new TextBuffer();
    JsonString.append(string, Escapes.escape(text));
    out.append(string.toString().replace("<", "\\u003c").replace(">", "\\u003e"));
    return this;
  }

  /** Writes a number; those that a browser cannot hold exactly lose their last digits there. */
  public PageJson number(long number) {
    comma();
    out.append(number);
    return this;
  }

  /** Writes a member that is a text. */
  public PageJson member(String name, String text) {
    return name(name).text(text);
  }

  /** Writes a member that is a number. */
  public PageJson member(String name, long number) {
    return name(name).number(number);
  }

  /** Writes what is buffered, if that is much. */
  public void spill() {
    out.spill();
  }

  /** Returns a constant as the page's script compares it. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private void comma() {
    if (needsComma) {
      out.append(',');
    }
    needsComma = true;
  }
}
