package dev.ply.result;

/** Whose widths, units and limits ply's layout has. */
enum Style {
  /**
   * Its own: widths follow the data, limits of ranges are half-open, parts of parts are indented.
   */
  PLY,
  /** Those of ply 2.4: widths follow the types, whatever the data are. */
  COMPATIBLE
}
