package dev.ply.table;

/** Whose widths, units and limits ply's layout has. */
public enum Style {
  /**
   * Its own: widths follow the data, limits of ranges are half-open, parts of parts are indented.
   */
  PLY,
  /** Those of ply 2.4: widths follow the types, whatever the data are. */
  COMPATIBLE
}
