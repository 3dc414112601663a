package dev.ply.analysis.site;

import dev.ply.target.KernelSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Clones of a function, by a compiler or a kernel version, that replace it.
 *
 * @param renamed with the same arguments: {@code f_noprof}, and names that link-time optimisation
 *     made unique
 * @param cloned with other arguments: {@code f.isra.0}, {@code f.constprop.0}
 * @param parts some of the code: {@code f.part.0}, {@code f.cold}
 */
record FunctionClones(List<String> renamed, List<String> cloned, List<String> parts) {
  /** The suffix of allocation functions behind profiled macros, since Linux 6.10. */
  private static final String PROFILED = "_noprof";

  private static final Pattern RENAMED = Pattern.compile("\\.(llvm|lto_priv)\\.\\d+(\\.\\d+)*");
  private static final Pattern PART = Pattern.compile("\\..*\\b(part|cold)\\b.*");
  private static final Pattern CLONE = Pattern.compile("\\..*\\b(isra|constprop)\\b.*");

  static FunctionClones of(String name, KernelSymbols symbols) {
    FunctionClones clones =
        new FunctionClones(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    symbols
        .names()
        .filter(one -> one.startsWith(name))
        .distinct()
        .sorted()
        .forEach(one -> clones.add(one, one.substring(name.length())));
    return clones;
  }

  private void add(String name, String suffix) {
    if (suffix.equals(PROFILED) || RENAMED.matcher(suffix).matches()) {
      renamed.add(name);
    } else if (PART.matcher(suffix).matches()) {
      parts.add(name);
    } else if (CLONE.matcher(suffix).matches()) {
      cloned.add(name);
    }
  }

  /** Returns whether nothing is left of the function. */
  boolean isEmpty() {
    return renamed.isEmpty() && cloned.isEmpty() && parts.isEmpty();
  }

  /** Returns whether what can be attached has other arguments. */
  boolean isCloned() {
    return renamed.isEmpty() && !cloned.isEmpty();
  }

  /** Returns the functions that are called where the source calls the one that is gone. */
  List<String> attachable() {
    return renamed.isEmpty() ? cloned : renamed;
  }

  /** Returns all of them. */
  List<String> all() {
    List<String> all = new ArrayList<>(attachable());
    all.addAll(parts);
    return all;
  }
}
