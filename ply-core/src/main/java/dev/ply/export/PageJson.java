package dev.ply.export;

import dev.ply.text.JsonString;
import dev.ply.text.TextBuffer;
import dev.ply.type.Escapes;

/** Writes JSON that can stand inside a script element: no string ends it, or begins a comment. */
final class PageJson {
  private final TextBuffer out;
  private boolean needsComma;

  PageJson(TextBuffer out) {
    this.out = out;
  }

  /** Begins an object or an array. */
  PageJson begin(char bracket) {
    comma();
    out.append(bracket);
    needsComma = false;
    return this;
  }

  /** Ends an object or an array. */
  PageJson end(char bracket) {
    out.append(bracket);
    needsComma = true;
    return this;
  }

  /** Writes the name of a member, which is plain. */
  PageJson name(String name) {
    comma();
    out.append('"').append(name).append("\":");
    needsComma = false;
    return this;
  }

  /** Writes a text, whose control characters are shown as escapes. */
  PageJson text(String text) {
    comma();
    TextBuffer string = new TextBuffer();
    JsonString.append(string, Escapes.escape(text));
    out.append(string.toString().replace("<", "\\u003c").replace(">", "\\u003e"));
    return this;
  }

  /** Writes a number; those that a browser cannot hold exactly lose their last digits there. */
  PageJson number(long number) {
    comma();
    out.append(number);
    return this;
  }

  /** Writes a member that is a text. */
  PageJson member(String name, String text) {
    return name(name).text(text);
  }

  /** Writes a member that is a number. */
  PageJson member(String name, long number) {
    return name(name).number(number);
  }

  /** Writes what is buffered, if that is much. */
  void spill() {
    out.spill();
  }

  private void comma() {
    if (needsComma) {
      out.append(',');
    }
    needsComma = true;
  }
}
