package dev.ply.bpf.reference;

import dev.ply.table.Datum;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** The scratch variables of a clause while it runs, those of each block around apart. */
final class VariableValues {
  private final Deque<Map<String, Datum>> blocks = new ArrayDeque<>();

  void open() {
    blocks.push(new HashMap<>());
  }

  void close() {
    blocks.pop();
  }

  Datum get(String name) {
    for (Map<String, Datum> block : blocks) {
      if (block.containsKey(name)) {
        return block.get(name);
      }
    }
    throw new IllegalStateException(name + " is read before it is set");
  }

  /** Sets a variable, which comes to be in the innermost block if there is none. */
  void set(String name, Datum value) {
    for (Map<String, Datum> block : blocks) {
      if (block.containsKey(name)) {
        block.put(name, value);
        return;
      }
    }
    declare(name, value);
  }

  void declare(String name, Datum value) {
    blocks.element().put(name, value);
  }
}
