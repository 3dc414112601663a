package dev.ply.ir;

import java.util.List;

/** A built-in or an aggregation, which scripts call by name. Compared by identity. */
public interface Function {
  /** {@return all names, the canonical one first} */
  List<String> names();

  /** {@return the name in messages and in what is printed of a script} */
  default String canonicalName() {
    return names().get(0);
  }

  /**
   * {@return whether a string literal among the arguments of a call is written as a word}
   *
   * @param word the value of the literal
   */
  default boolean isKeyword(String word) {
    return false;
  }
}
