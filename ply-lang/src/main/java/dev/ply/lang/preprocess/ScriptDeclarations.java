package dev.ply.lang.preprocess;

import dev.ply.diagnostic.Source;
import dev.ply.lang.c.CFrontEnd;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The C between the probes of a script: its declarations and its macros, where they stand. */
public final class ScriptDeclarations {
  private final CFrontEnd c;
  private final Source source;
  private final CFrontEnd.Macros macros;
  private final NavigableMap<Integer, Integer> changes;
  private final Deque<Pragma> pragmas;

  /** A {@code #pragma} and its offset. */
  record Pragma(int start, CFrontEnd.Line line) {}

  /**
   * Creates the declarations.
   *
   * @param source the script without directives
   * @param macros those before the script
   * @param changes how often macros had changed, by the offsets from which on it counts
   */
  ScriptDeclarations(
      CFrontEnd c,
      Source source,
      CFrontEnd.Macros macros,
      NavigableMap<Integer, Integer> changes,
      List<Pragma> pragmas) {
    this.c = c;
    this.source = source;
    this.macros = macros;
    this.changes = new TreeMap<>(changes);
    this.pragmas = new ArrayDeque<>(pragmas);
  }

  /** Returns the script without directives. */
  public Source source() {
    return source;
  }

  /** Returns whether a declaration begins with a word. */
  public boolean begins(int start, String word) {
    return macros.beginsDeclaration(source, start, word, changesAt(start));
  }

  /** Reads the declaration that begins at an offset, and returns the offset of its end. */
  public int declaration(int start) {
    applyPragmas(start);
    int end = macros.declaration(source, start, changesAt(start));
    // Those inside of it have been read.
    while (!pragmas.isEmpty() && pragmas.element().start() < end) {
      Pragma unused = pragmas.remove();
    }
    return end;
  }

  /** Reads what is after the last declaration. */
  public void finish() {
    applyPragmas(Integer.MAX_VALUE);
  }

  private void applyPragmas(int before) {
    while (!pragmas.isEmpty() && pragmas.element().start() < before) {
      c.pragma(pragmas.remove().line());
    }
  }

  private int changesAt(int offset) {
    var last = changes.floorEntry(offset);
    return last == null ? 0 : last.getValue();
  }

  /** Returns the names of the types that have been defined so far. */
  public Set<String> typedefs() {
    return c.typedefs();
  }

  /**
   * Returns what a name in statements stands for.
   *
   * @param isBuiltIn whether the language has a meaning for it
   */
  public Optional<CFrontEnd.Expansion> expansion(int start, String name, boolean isBuiltIn) {
    return c.expansion(source, start, name, isBuiltIn);
  }
}
