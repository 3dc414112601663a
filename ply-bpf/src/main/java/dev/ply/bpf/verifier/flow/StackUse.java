package dev.ply.bpf.verifier.flow;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.verifier.domain.StackState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The stack use of each function and of call chains. */
public final class StackUse {
  private static final int ROUNDING = 32;

  private final Reachability flow;
  private final Map<Integer, Integer> bytesByFunction = new HashMap<>();

  /** Computes the stack bytes of each function, 512 at most for a call chain. */
  public StackUse(Reachability flow) {
    this.flow = flow;
  }

  /** Records an access of {@code function} down to {@code bytes} below its frame pointer. */
  public void touch(int function, int bytes) {
    bytesByFunction.merge(function, bytes, Math::max);
  }

  /** Returns the stack use of the deepest call chain, in bytes. */
  public int deepest() {
    return deepestFrom(0, 1, flow.functions().size() == 1 ? 1 : ROUNDING);
  }

  /** Adds a violation for each call chain that exceeds the stack. */
  public void check(Violations violations) {
    if (flow.functions().size() == 1 || deepest() <= StackState.SIZE) {
      return;
    }
    for (int i = 0; i < flow.code().size(); i++) {
      if (callee(flow.code().get(i)).isPresent() && flow.functionOf(i) == 0) {
        violations.report(
            i,
            List.of(
                "the functions called here need "
                    + deepest()
                    + " bytes of stack together with their callers, but there are "
                    + StackState.SIZE),
            "");
      }
    }
  }

  private Optional<Integer> callee(Instruction instruction) {
    return instruction instanceof CallLocal call
        ? flow.target(call.target())
        : flow.callback(instruction);
  }

  private int deepestFrom(int function, int depth, int rounding) {
    int own = bytesByFunction.getOrDefault(function, 0);
    // The kernel rounds up each frame, even empty ones.
    int rounded =
        rounding == 1 ? own : Math.floorDiv(Math.max(own, 1) + rounding - 1, rounding) * rounding;
    int below = 0;
    if (depth < CheckStructure.MAX_FRAMES) {
      for (int i = function; i < flow.endOf(function); i++) {
        Optional<Integer> callee = callee(flow.code().get(i));
        if (callee.isPresent()) {
          below = Math.max(below, deepestFrom(callee.get(), depth + 1, rounding));
        }
      }
    }
    return rounded + below;
  }
}
