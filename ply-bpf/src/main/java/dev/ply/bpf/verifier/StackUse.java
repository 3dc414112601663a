package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.verifier.domain.StackState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How much stack each function uses, alone and together with those it calls. */
final class StackUse {
  private static final int ROUNDING = 32;

  private final Reachability flow;
  private final Map<Integer, Integer> bytesByFunction = new HashMap<>();

  StackUse(Reachability flow) {
    this.flow = flow;
  }

  /** Notes that a function uses its stack down to {@code bytes} below the frame pointer. */
  void touch(int function, int bytes) {
    bytesByFunction.merge(function, bytes, Math::max);
  }

  /** Returns the bytes of the deepest chain of calls; of the program alone if it calls nothing. */
  int deepest() {
    return deepestFrom(0, 1, flow.functions().size() == 1 ? 1 : ROUNDING);
  }

  void check(ViolationLog log) {
    if (flow.functions().size() == 1 || deepest() <= StackState.SIZE) {
      return;
    }
    for (int i = 0; i < flow.code().size(); i++) {
      if (callee(flow.code().get(i)).isPresent() && flow.functionOf(i) == 0) {
        log.report(
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
    // The kernel rounds each frame up, and counts even those that use nothing.
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
