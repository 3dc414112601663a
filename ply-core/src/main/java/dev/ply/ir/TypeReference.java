package dev.ply.ir;

/** A type expression in a script: a name, {@code typeof}, an array. */
public sealed interface TypeReference permits TypeName, TypeOf, TypeArray {
  /** {@return the number of stars after it} */
  int pointers();
}
