package dev.ply.ir;

/** What a script writes where a type is expected: a name, {@code typeof}, an array. */
public sealed interface TypeReference permits TypeName, TypeOf, TypeArray {
  /** {@return the number of stars after it} */
  int pointers();
}
