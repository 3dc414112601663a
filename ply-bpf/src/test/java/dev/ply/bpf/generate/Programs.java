package dev.ply.bpf.generate;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.WideSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Arbitrary programs: well formed, with every label marked once, but without a meaning. */
public final class Programs {
  private static final List<Label> LABELS =
      List.of(
          new Label("begin"),
          new Label("loop"),
          new Label("out"),
          new Label("end"),
          new Label("f"));

  private Programs() {}

  /** Returns programs of up to 60 instructions over every kind of instruction. */
  public static Arbitrary<List<Instruction>> any() {
    Arbitrary<List<Instruction>> code =
        Instructions.any(Arbitraries.of(LABELS)).list().ofMaxSize(60);
    Arbitrary<List<Integer>> places =
        Arbitraries.integers().between(0, 60).list().ofSize(LABELS.size());
    return Combinators.combine(code, places).as(Programs::withLabels);
  }

  private static List<Instruction> withLabels(List<Instruction> code, List<Integer> places) {
    List<Instruction> marked = new ArrayList<>(code);
    for (int i = 0; i < places.size(); i++) {
      marked.add(places.get(i) % (marked.size() + 1), new LabelMark(LABELS.get(i)));
    }
    return List.copyOf(marked);
  }

  /**
   * Returns the program that a decoder gives for {@code code}: one label for each target, named L1,
   * L2 and so on in address order, and no marks of unused labels or of source.
   */
  public static List<Instruction> canonical(List<Instruction> code) {
    Set<Label> targets = code.stream().flatMap(i -> target(i).stream()).collect(Collectors.toSet());
    Map<Label, Label> names = new HashMap<>();
    List<Instruction> canonical = new ArrayList<>();
    Optional<Label> here = Optional.empty();
    int number = 0;
    for (Instruction instruction : code) {
      if (instruction instanceof LabelMark mark) {
        if (targets.contains(mark.label())) {
          if (here.isEmpty()) {
            here = Optional.of(new Label("L" + ++number));
            canonical.add(new LabelMark(here.get()));
          }
          names.put(mark.label(), here.get());
        }
      } else if (!(instruction instanceof SourceMark)) {
        canonical.add(instruction);
        here = Optional.empty();
      }
    }
    canonical.replaceAll(
        i -> target(i).map(label -> retarget(i, names.getOrDefault(label, label))).orElse(i));
    return List.copyOf(canonical);
  }

  private static Optional<Label> target(Instruction instruction) {
    if (instruction instanceof Jump jump) {
      return Optional.of(jump.target());
    }
    if (instruction instanceof Goto jump) {
      return Optional.of(jump.target());
    }
    if (instruction instanceof CallLocal call) {
      return Optional.of(call.target());
    }
    if (instruction instanceof LoadWide load
        && load.source() instanceof WideSource.Function function) {
      return Optional.of(function.target());
    }
    return Optional.empty();
  }

  private static Instruction retarget(Instruction instruction, Label label) {
    if (instruction instanceof Jump jump) {
      return new Jump(jump.width(), jump.op(), jump.left(), jump.right(), label);
    }
    if (instruction instanceof Goto) {
      return new Goto(label);
    }
    if (instruction instanceof CallLocal) {
      return new CallLocal(label);
    }
    return new LoadWide(((LoadWide) instruction).dst(), new WideSource.Function(label));
  }
}
