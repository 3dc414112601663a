package dev.ply.bpf.codegen.clause;

import dev.ply.bpf.codegen.clause.BuiltinCode.Action;
import dev.ply.bpf.codegen.clause.BuiltinCode.Comparison;
import dev.ply.bpf.codegen.clause.BuiltinCode.Event;
import dev.ply.bpf.codegen.clause.BuiltinCode.InMemory;
import dev.ply.bpf.codegen.clause.BuiltinCode.Scalar;
import dev.ply.builtin.Builtin;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** The code generators of built-ins by declaration; each group registers its own. */
public final class BuiltinTable {
  private final IdentityHashMap<Builtin, BuiltinCode> codes = new IdentityHashMap<>();
  private final IdentityHashMap<Builtin, Cost> costs = new IdentityHashMap<>();
  private final Map<Class<?>, Event> kinds = new HashMap<>();

  /** Returns the code generator of a built-in. */
  public BuiltinCode of(Builtin function) {
    BuiltinCode code = codes.get(function);
    if (code == null) {
      code = kinds.get(function.getClass());
    }
    if (code == null) {
      throw new IllegalArgumentException("no code generator for " + function);
    }
    return code;
  }

  /** Returns the cost of a call, without its arguments. */
  public Cost cost(Builtin function) {
    return kinds.containsKey(function.getClass())
        ? Cost.STACK
        : costs.getOrDefault(function, Cost.HELPER);
  }

  /** Adds the code generator of events of which each probe has a function of its own. */
  public void events(Class<? extends Builtin> kind, Event code) {
    kinds.put(kind, code);
  }

  /** Adds the code generator of a value that fits a register. */
  public void scalar(Builtin function, Cost cost, Scalar code) {
    add(function, cost, code);
  }

  /** Adds the code generator of a comparison. */
  public void comparison(Builtin function, Cost cost, Comparison code) {
    add(function, cost, code);
  }

  /** Adds the code generator of a value in memory. */
  public void inMemory(Builtin function, Cost cost, InMemory code) {
    add(function, cost, code);
  }

  /** Adds the code generator of an action. */
  public void action(Builtin function, Action code) {
    add(function, Cost.STACK, code);
  }

  /** Adds the code generator of an event. */
  public void event(Builtin function, Event code) {
    add(function, Cost.STACK, code);
  }

  private void add(Builtin function, Cost cost, BuiltinCode code) {
    codes.put(function, code);
    costs.put(function, cost);
  }
}
