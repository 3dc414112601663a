package dev.ply.ir;

import java.util.OptionalInt;

/**
 * {@code element[length]}: an array, or a pointer to one, {@code element[length] *}.
 *
 * @param length the number of elements; empty in a cast that takes the size of its operand
 * @param pointers the number of stars
 */
public record TypeArray(TypeReference element, OptionalInt length, int pointers)
    implements TypeReference {
  /**
   * An array.
   *
   * @param length the number of elements; empty in a cast that takes the size of its operand
   */
  public TypeArray(TypeReference element, OptionalInt length) {
    this(element, length, 0);
  }

  /** {@return the brackets as scripts write them, and the stars after them} */
  public String brackets() {
    String brackets = length.isPresent() ? "[" + length.getAsInt() + "]" : "[]";
    return pointers == 0 ? brackets : brackets + " " + "*".repeat(pointers);
  }
}
