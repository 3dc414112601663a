package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ControlFlow;
import dev.ply.bpf.cfg.MapSizes;
import dev.ply.bpf.cfg.Values;
import dev.ply.bpf.isa.Instruction;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What passes ask of a program: found once, as long as it is the same. Not thread-safe. */
final class Analyses {
  private final Function<String, Optional<MapSizes>> maps;
  private Program program = new Program(List.of());

  /** A program and what has been asked of it. */
  private final class Program {
    final List<Instruction> code;
    final ControlFlow flow;
    private @Nullable Values values;

    Program(List<Instruction> code) {
      this.code = code;
      this.flow = ControlFlow.of(code);
    }

    Values values() {
      Values found = values;
      if (found == null) {
        found = new Values(flow, maps);
        values = found;
      }
      return found;
    }
  }

  /**
   * Nothing yet.
   *
   * @param maps the sizes of maps by name, as far as they are known
   */
  Analyses(Function<String, Optional<MapSizes>> maps) {
    this.maps = maps;
  }

  /** Returns the control flow of a program, which must not be changed, only replaced. */
  ControlFlow flow(List<Instruction> code) {
    return of(code).flow;
  }

  /** Returns the values of a program on every way that its jumps have. */
  Values values(List<Instruction> code) {
    return of(code).values();
  }

  /** Returns the values of a program without the ways that are never taken. */
  Values valuesWhereTaken(List<Instruction> code) {
    return Values.whereTaken(of(code).flow, maps);
  }

  @SuppressWarnings("ReferenceEquality")
  private Program of(List<Instruction> code) {
    if (program.code != code) {
      program = new Program(code);
    }
    return program;
  }
}
