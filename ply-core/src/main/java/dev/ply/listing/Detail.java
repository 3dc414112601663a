package dev.ply.listing;

/** How much a list shows of its entries. */
public enum Detail {
  /** Their names. */
  NAMES,
  /** What clauses of probes can read, and the definitions of types. */
  FIELDS
}
