package dev.ply.bpf.optimize;

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
  private @Nullable List<Instruction> code;
  private @Nullable Values values;

  /**
   * Nothing yet.
   *
   * @param maps the sizes of maps by name, as far as they are known
   */
  Analyses(Function<String, Optional<MapSizes>> maps) {
    this.maps = maps;
  }

  /** Returns the sizes of maps by name, as far as they are known. */
  Function<String, Optional<MapSizes>> maps() {
    return maps;
  }

  /** Returns the values of a program, which must not be changed, only replaced. */
  @SuppressWarnings("ReferenceEquality")
  Values values(List<Instruction> program) {
    Values found = values;
    if (found == null || program != code) {
      found = new Values(program, maps);
      code = program;
      values = found;
    }
    return found;
  }
}
