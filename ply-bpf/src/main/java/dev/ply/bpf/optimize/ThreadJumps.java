package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ValueState;
import dev.ply.bpf.cfg.Values;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Label;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Sends control past tests whose outcome is known on the way to them, and leaves out tests whose
 * outcome is always the same. What cannot be reached any more stays, for {@link EliminateDeadCode}.
 */
public final class ThreadJumps implements UnaryOperator<List<Instruction>> {
  private final Analyses analyses;

  /** A pass that asks these. */
  ThreadJumps(Analyses analyses) {
    this.analyses = analyses;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    Threading threading = new Threading(code);
    analyses.valuesWhereTaken(code).visit(threading);
    return threading.hasChanged() ? threading.result() : code;
  }

  private static final class Threading implements Values.Visitor {
    private final List<Instruction> code;
    private final Map<Label, Integer> places = new HashMap<>();
    private final Set<Label> names = new HashSet<>();

    /** What stands in an instruction's place; nothing where it is left out. */
    private final Map<Integer, Optional<Instruction>> replaced = new HashMap<>();

    /** Jumps that follow an instruction. */
    private final Map<Integer, Label> inserted = new HashMap<>();

    /** Labels for what follows an instruction. */
    private final Map<Integer, Label> past = new HashMap<>();

    Threading(List<Instruction> code) {
      this.code = code;
      for (int i = 0; i < code.size(); i++) {
        if (code.get(i) instanceof Instruction.LabelMark mark) {
          places.put(mark.label(), i);
          names.add(mark.label());
        }
      }
    }

    @Override
    public void see(int index, Instruction instruction, ValueState before) {
      if (instruction instanceof Jump jump) {
        Optional<Boolean> taken = before.outcome(jump);
        if (taken.isPresent()) {
          replaced.put(
              index, taken.get() ? Optional.of(new Goto(jump.target())) : Optional.empty());
        }
      }
    }

    @Override
    public void jump(int index, Label label, ValueState state) {
      Optional<Label> target = destination(label, state);
      if (target.isPresent()) {
        Instruction jump = replaced.getOrDefault(index, Optional.empty()).orElse(code.get(index));
        replaced.put(index, Optional.of(redirected(jump, target.get())));
      }
    }

    @Override
    public void fall(int index, Label label, ValueState state) {
      if (index > 0 && code.get(Math.min(test(label), code.size() - 1)) instanceof Jump) {
        Optional<Label> target = destination(label, state);
        if (target.isPresent()) {
          inserted.put(index - 1, target.get());
        }
      }
    }

    private static Instruction redirected(Instruction jump, Label target) {
      return jump instanceof Jump branch
          ? new Jump(branch.width(), branch.op(), branch.left(), branch.right(), target)
          : new Goto(target);
    }

    private int test(Label label) {
      int at = Objects.requireNonNull(places.get(label), "a jump goes nowhere");
      while (at < code.size() && code.get(at).slots() == 0) {
        at++;
      }
      return at;
    }

    /** Returns where control goes that comes to a label, if no more than tests are on the way. */
    private Optional<Label> destination(Label label, ValueState state) {
      Optional<Label> found = Optional.empty();
      Label current = label;
      for (int steps = 0; steps < 8; steps++) {
        int at = test(current);
        if (at >= code.size()) {
          return found;
        }
        if (code.get(at) instanceof Goto jump) {
          current = jump.target();
        } else if (code.get(at) instanceof Jump jump && state.outcome(jump).isPresent()) {
          current =
              state.outcome(jump).get() ? jump.target() : past.computeIfAbsent(at, this::fresh);
          if (!places.containsKey(current)) {
            return Optional.of(current);
          }
        } else {
          return found;
        }
        found = Optional.of(current);
      }
      return Optional.empty();
    }

    private Label fresh(int index) {
      for (int i = index; ; i++) {
        Label label = new Label("past_" + i);
        if (names.add(label)) {
          return label;
        }
      }
    }

    boolean hasChanged() {
      return !replaced.isEmpty() || !inserted.isEmpty();
    }

    List<Instruction> result() {
      List<Instruction> after = new ArrayList<>();
      for (int i = 0; i < code.size(); i++) {
        replaced.getOrDefault(i, Optional.of(code.get(i))).ifPresent(after::add);
        Optional.ofNullable(past.get(i))
            .ifPresent(label -> after.add(new Instruction.LabelMark(label)));
        Optional.ofNullable(inserted.get(i))
            .ifPresent(label -> after.add(new Instruction.Goto(label)));
      }
      return List.copyOf(after);
    }
  }
}
