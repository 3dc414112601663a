package dev.ply.lang.argument;

import dev.ply.ir.RenamedVariable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The words of a script, and names of variables that differ from all of them. */
public final class ScriptNames {
  private final Set<String> names = new HashSet<>();
  private final List<RenamedVariable> renamed = new ArrayList<>();
  private int next = 1;

  /** Adds a word of the script. */
  public void add(String word) {
    names.add(word);
  }

  /** Returns whether the script has a word. */
  public boolean contains(String word) {
    return names.contains(word);
  }

  /** Returns the name that a variable of a macro or function has in the clause. */
  public String renamed(String variable) {
    String name = unused(variable);
    renamed.add(RenamedVariable.of(name, variable));
    return name;
  }

  /** Returns the name of the variable that holds what a function returns. */
  public String result(String function) {
    String name = unused("$" + function);
    renamed.add(RenamedVariable.result(name, function));
    return name;
  }

  /** Returns the variables whose names the script writes otherwise. */
  public List<RenamedVariable> renamed() {
    return renamed;
  }

  /** Returns a name, similar to a variable's, that nothing in the script has. */
  public String unused(String variable) {
    String name = variable + "_" + next++;
    while (!names.add(name)) {
      name = variable + "_" + next++;
    }
    return name;
  }
}
