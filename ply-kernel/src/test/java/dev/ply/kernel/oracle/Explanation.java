package dev.ply.kernel.oracle;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.verifier.VerificationReport;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.bpf.verifier.Violation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Why our verifier refuses a program that the kernel accepts. What a reason names is taken from the
 * program until ours accepts it, too: nothing else is wrong with it then. That a way is never taken
 * is asked of the kernel.
 */
final class Explanation {
  /** More than there are words of stack, of which one may be found at a time. */
  private static final int ROUNDS = 100;

  private final BpfProgram program;
  private final List<BpfMap> maps;
  private final KernelVerdicts kernel;

  private Explanation(BpfProgram program, List<BpfMap> maps, KernelVerdicts kernel) {
    this.program = program;
    this.maps = maps;
    this.kernel = kernel;
  }

  /** Says why ours refuses a program with those maps that the kernel accepts. */
  static String of(BpfProgram program, List<BpfMap> maps, KernelVerdicts kernel) {
    return new Explanation(program, maps, kernel).text();
  }

  private String text() {
    Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    Changes changes = new Changes(program);
    for (int round = 0; round < ROUNDS; round++) {
      List<Violation> left = violations(changes, reasons);
      if (left.isEmpty()) {
        return reasons.stream().map(Reason::toString).collect(Collectors.joining("; "));
      }
      Violation first = left.get(0);
      if (isNeverReached(changes, first)) {
        reasons.add(Reason.NEVER_TAKEN);
        changes.takeOut(first);
        continue;
      }
      Reason reason = Reason.of(first.message());
      if (reason == Reason.UNKNOWN && isForALookup(changes, first)) {
        reason = Reason.SURE_LOOKUP;
      }
      if (reason == Reason.UNKNOWN || !changes.undo(reason, first, maps)) {
        return Reason.UNKNOWN + ": " + first.message();
      }
      reasons.add(reason);
    }
    return Reason.UNKNOWN + ": there is always something left";
  }

  /** Where look-ups that fail are the only way to something wrong. */
  private boolean isForALookup(Changes changes, Violation violation) {
    Changes sure = changes.copy();
    return sure.undo(Reason.SURE_LOOKUP, violation, maps)
        && violations(sure, EnumSet.noneOf(Reason.class)).stream()
            .noneMatch(left -> left.message().equals(violation.message()));
  }

  /** How much stack functions need together, nothing can be done about. */
  private List<Violation> violations(Changes changes, Set<Reason> reasons) {
    List<BpfMap> plain = maps.stream().map(Explanation::plain).toList();
    VerificationReport report = new Verifier(plain).verify(changes.program());
    List<Violation> left =
        report.violations().stream()
            .filter(violation -> Reason.of(violation.message()) != Reason.OWN_STACKS)
            .toList();
    if (left.size() < report.violations().size()) {
      reasons.add(Reason.OWN_STACKS);
    }
    return left;
  }

  /** Only of plain arrays of one value programs have the address without a look-up. */
  private static BpfMap plain(BpfMap map) {
    return map.content().isEmpty()
            && (map.type() == MapType.PERCPU_ARRAY || map.type() == MapType.ARRAY)
        ? new BpfMap(map.name(), MapType.ARRAY, map.keySize(), map.valueSize(), 1)
        : map;
  }

  /** The kernel does not mind something impossible in that place. */
  private boolean isNeverReached(Changes changes, Violation violation) {
    return changes
        .withImpossibleBefore(violation)
        .filter(
            impossible -> {
              try (KernelVerdicts.Verdict verdict = kernel.of(impossible)) {
                return verdict.isAccepted();
              }
            })
        .isPresent();
  }
}
