package dev.ply.bpf.optimize;

import dev.ply.bpf.cfg.ValueNumbering;
import dev.ply.bpf.cfg.ValueState;
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
 * Jump threading: redirects jumps past tests whose outcome is known on that path.
 *
 * <p>Also removes tests whose outcome is always the same. Leaves unreachable code to {@link
 * EliminateDeadCode}.
 */
public final class ThreadJumps implements UnaryOperator<List<Instruction>> {
  private final Analyses analyses;

  /** Creates the pass. */
  ThreadJumps(Analyses analyses) {
    this.analyses = analyses;
  }

  @Override
  public List<Instruction> apply(List<Instruction> code) {
    Threading threading = new Threading(code);
    analyses.feasibleValues(code).visit(threading);
    return threading.hasChanged() ? threading.result() : code;
  }

  private static final class Threading implements ValueNumbering.Visitor {
    private final List<Instruction> code;
    private final Map<Label, Integer> indexOfLabel = new HashMap<>();
    private final Set<Label> names = new HashSet<>();

    /** The replacement of an instruction, by index; empty where it is removed. */
    private final Map<Integer, Optional<Instruction>> replaced = new HashMap<>();

    /** Gotos to insert after an instruction, by index. */
    private final Map<Integer, Label> inserted = new HashMap<>();

    /** New labels to insert after an instruction, by index. */
    private final Map<Integer, Label> after = new HashMap<>();

    Threading(List<Instruction> code) {
      this.code = code;
      for (int i = 0; i < code.size(); i++) {
        if (code.get(i) instanceof Instruction.LabelMark mark) {
          indexOfLabel.put(mark.label(), i);
          names.add(mark.label());
        }
      }
    }

    @Override
    public void visit(int index, Instruction instruction, ValueState before) {
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
      int at = Objects.requireNonNull(indexOfLabel.get(label), "jump to undefined label");
      while (at < code.size() && code.get(at).slots() == 0) {
        at++;
      }
      return at;
    }

    /**
     * Returns where a jump to {@code label} ends up after tests with known outcomes, if elsewhere.
     */
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
              state.outcome(jump).get() ? jump.target() : after.computeIfAbsent(at, this::fresh);
          if (!indexOfLabel.containsKey(current)) {
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
      List<Instruction> threaded = new ArrayList<>();
      for (int i = 0; i < code.size(); i++) {
        replaced.getOrDefault(i, Optional.of(code.get(i))).ifPresent(threaded::add);
        Optional.ofNullable(after.get(i))
            .ifPresent(label -> threaded.add(new Instruction.LabelMark(label)));
        Optional.ofNullable(inserted.get(i))
            .ifPresent(label -> threaded.add(new Instruction.Goto(label)));
      }
      return List.copyOf(threaded);
    }
  }
}
