package dev.ply.listing;

/** Which names of C++ and Rust functions have. */
public enum CxxNames {
  /** Those of the source, with their parameters. */
  DECLARED,
  /** Those of the symbol table, except where a pattern looks for the others. */
  LINKED
}
