package dev.ply.bpf.codegen;

import dev.ply.bpf.codegen.BuiltinCode.Action;
import dev.ply.bpf.codegen.BuiltinCode.Comparison;
import dev.ply.bpf.codegen.BuiltinCode.Event;
import dev.ply.bpf.codegen.BuiltinCode.InMemory;
import dev.ply.bpf.codegen.BuiltinCode.Scalar;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.aggregate.EmitFunction;
import dev.ply.builtin.catalog.EventBuiltins;
import java.util.IdentityHashMap;

/** The code generators of all built-ins, one for each declaration. */
final class BuiltinCodes {
  private static final BuiltinCodes ALL = new BuiltinCodes();

  /** Each probe that sends records has a function of its own. */
  private static final Event EMIT = EventCompiler::emit;

  /** Each probe event has a function of its own. */
  private static final Event TRACE = EventCompiler::trace;

  private final IdentityHashMap<Builtin, BuiltinCode> codes = new IdentityHashMap<>();
  private final IdentityHashMap<Builtin, Cost> costs = new IdentityHashMap<>();

  private BuiltinCodes() {
    ThreadCode.addTo(this);
    ParentCode.addTo(this);
    CgroupCode.addTo(this);
    MachineCode.addTo(this);
    ClockCode.addTo(this);
    EncodedStringCode.addTo(this);
    ContextCode.addTo(this);
    StackCompiler.addTo(this);
    MemoryCode.addTo(this);
    ObjectCode.addTo(this);
    SymbolCode.addTo(this);
    StringCode.addTo(this);
    MapCode.addTo(this);
    TypeCode.addTo(this);
    NetworkCode.addTo(this);
    EventCompiler.addTo(this);
    ActionCode.addTo(this);
  }

  /** Returns the code generator of a built-in. */
  static BuiltinCode of(Builtin function) {
    if (function instanceof EmitFunction) {
      return EMIT;
    } else if (function instanceof EventBuiltins.TracePrintf) {
      return TRACE;
    }
    BuiltinCode code = ALL.codes.get(function);
    if (code == null) {
      throw new IllegalArgumentException("no code generator for " + function);
    }
    return code;
  }

  /** Returns the cost of a call, without its arguments. */
  static Cost cost(Builtin function) {
    return function instanceof EmitFunction || function instanceof EventBuiltins.TracePrintf
        ? Cost.STACK
        : ALL.costs.getOrDefault(function, Cost.HELPER);
  }

  /** Adds the code generator of a value that fits a register. */
  void scalar(Builtin function, Cost cost, Scalar code) {
    add(function, cost, code);
  }

  /** Adds the code generator of a comparison. */
  void comparison(Builtin function, Cost cost, Comparison code) {
    add(function, cost, code);
  }

  /** Adds the code generator of a value in memory. */
  void inMemory(Builtin function, Cost cost, InMemory code) {
    add(function, cost, code);
  }

  /** Adds the code generator of an action. */
  void action(Builtin function, Action code) {
    add(function, Cost.STACK, code);
  }

  /** Adds the code generator of an event. */
  void event(Builtin function, Event code) {
    add(function, Cost.STACK, code);
  }

  private void add(Builtin function, Cost cost, BuiltinCode code) {
    codes.put(function, code);
    costs.put(function, cost);
  }
}
