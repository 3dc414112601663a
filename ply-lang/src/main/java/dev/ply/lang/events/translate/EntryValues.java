package dev.ply.lang.events.translate;

import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.lang.events.Registers;
import dev.ply.machine.Architecture;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of a call that its return event shows: stored at entry by thread and stack pointer,
 * which differs for each call of a recursion; of a system call, of which a thread has one at a
 * time, by thread.
 */
final class EntryValues {
  private final String event;
  private final Architecture architecture;
  private final boolean isCall;
  private final List<Integer> indices = new ArrayList<>();

  EntryValues(String event, Architecture architecture, boolean isCall) {
    this.event = event;
    this.architecture = architecture;
    this.isCall = isCall;
  }

  boolean isEmpty() {
    return indices.isEmpty();
  }

  /** Returns an argument at entry, counted from 0, as its return sees it. */
  Expr value(Nodes nodes, int index) {
    if (!indices.contains(index)) {
      indices.add(index);
    }
    return nodes.read(entry(nodes, index, 0));
  }

  /** Returns the statements of the entry. */
  List<Statement> stores(Nodes nodes) {
    List<Statement> stores = new ArrayList<>();
    for (int index : indices) {
      // The return pops the return address.
      stores.add(
          nodes.store(
              entry(nodes, index, architecture.returnAddressSize()), nodes.argument(index)));
    }
    return stores;
  }

  /** Returns the statements that free what the entry stored. */
  List<Statement> deletes(Nodes nodes) {
    List<Statement> deletes = new ArrayList<>();
    for (int index : indices) {
      deletes.add(nodes.delete(entry(nodes, index, 0)));
    }
    return deletes;
  }

  private MapRef entry(Nodes nodes, int index, int popped) {
    String name = event + "_arg" + (index + 1);
    if (isCall) {
      return nodes.entry(name, nodes.call(ThreadBuiltins.KPID));
    }
    Expr stack = nodes.register(Registers.stackPointer(architecture));
    return nodes.entry(name, nodes.call(ThreadBuiltins.KPID), nodes.plus(stack, popped));
  }
}
