package dev.ply.ir;

import java.util.OptionalInt;

/**
 * {@code element[length]}: an array.
 *
 * @param element the type of its elements
 * @param length the number of elements; empty in a cast that takes the size of its operand
 */
public record TypeArray(TypeReference element, OptionalInt length) implements TypeReference {
  /** Nothing points to an array. */
  @Override
  public int pointers() {
    return 0;
  }

  /** {@return the brackets as scripts write them} */
  public String brackets() {
    return length.isPresent() ? "[" + length.getAsInt() + "]" : "[]";
  }
}
