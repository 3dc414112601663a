package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.verifier.flow.Violations;
import dev.ply.diagnostic.SourceSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The violations found so far: for each instruction, those of the first failing path. */
final class ViolationLog implements Violations {
  private final List<Instruction> code;
  private final TreeMap<Integer, List<Violation>> byInstruction = new TreeMap<>();

  ViolationLog(List<Instruction> code) {
    this.code = code;
  }

  @Override
  public void report(int index, List<String> messages, String state) {
    if (messages.isEmpty() || byInstruction.containsKey(index)) {
      return;
    }
    byInstruction.put(
        index,
        messages.stream()
            .distinct()
            .map(message -> new Violation(index, span(index), code.get(index), message, state))
            .toList());
  }

  List<Violation> violations() {
    List<Violation> all = new ArrayList<>();
    byInstruction.values().forEach(all::addAll);
    return all;
  }

  private Optional<SourceSpan> span(int index) {
    for (int i = index; i >= 0; i--) {
      if (code.get(i) instanceof Instruction.SourceMark mark) {
        return Optional.of(mark.span()).filter(SourceSpan::isKnown);
      }
    }
    return Optional.empty();
  }
}
