package dev.ply.listing;

/** How much a list shows of its entries. */
public enum Detail {
  /** Their names. */
  NAMES,
  /** The values that clauses can read, and the definitions of types. */
  FIELDS
}
