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
}
