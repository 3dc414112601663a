package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.MapSizes;
import dev.ply.bpf.cfg.ValueNumbering;
import dev.ply.bpf.isa.Instruction;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cache of the analyses of the current program. Not thread-safe. */
final class Analyses {
  private final Function<String, Optional<MapSizes>> maps;
  private Program program = new Program(List.of());

  /** A program with its analyses. */
  private final class Program {
    final List<Instruction> code;
    final ControlFlow flow;
    private @Nullable ValueNumbering values;

    Program(List<Instruction> code) {
      this.code = code;
      this.flow = ControlFlow.of(code);
    }

    ValueNumbering values() {
      ValueNumbering found = values;
      if (found == null) {
        found = new ValueNumbering(flow, maps);
        values = found;
      }
      return found;
    }
  }

  /**
   * Creates an empty cache.
   *
   * @param maps returns the sizes of a map by name, if known
   */
  Analyses(Function<String, Optional<MapSizes>> maps) {
    this.maps = maps;
  }

  /** Returns the control flow of {@code code}, a list that nobody modifies. */
  ControlFlow flow(List<Instruction> code) {
    return of(code).flow;
  }

  /** Returns the value numbering of {@code code} along all branches. */
  ValueNumbering values(List<Instruction> code) {
    return of(code).values();
  }

  /** Returns the value numbering of {@code code} along feasible branches only. */
  ValueNumbering feasibleValues(List<Instruction> code) {
    return ValueNumbering.ofFeasible(of(code).flow, maps);
  }

  @SuppressWarnings("ReferenceEquality")
  private Program of(List<Instruction> code) {
    if (program.code != code) {
      program = new Program(code);
    }
    return program;
  }
}
