package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import java.util.ArrayList;
import java.util.List;

/** Small programs, and what the verifier has to say about each. */
final class VerifierCases {
  static final List<BpfMap> MAPS =
      List.of(
          new BpfMap("stats", MapType.HASH, 8, 48, 16),
          new BpfMap("array", MapType.ARRAY, 4, 64, 4),
          new BpfMap("single", MapType.ARRAY, 4, 64, 1),
          new BpfMap("events", MapType.RINGBUF, 0, 0, 4096),
          new BpfMap("stacks", MapType.STACK_TRACE, 4, 1016, 16),
          BpfMap.ofMaps("maps", new BpfMap("in", MapType.ARRAY, 4, 64, 4), 8));

  /** A program, and the messages it gets; none if it is accepted. */
  record Case(String name, BpfProgram program, List<String> messages) {}

  private final List<Case> cases = new ArrayList<>();

  static List<Case> all() {
    VerifierCases all = new VerifierCases();
    RegisterCases.addTo(all);
    MemoryCases.addTo(all);
    HelperCases.addTo(all);
    FlowCases.addTo(all);
    return all.cases;
  }

  void accept(String name, Instruction... code) {
    add(name, Code.program(code), List.of());
  }

  void refuse(String name, String message, Instruction... code) {
    add(name, Code.program(code), List.of(message));
  }

  void acceptIn(ProgramType type, String name, Instruction... code) {
    add(name, new BpfProgram("test", type, 24, List.of(code)), List.of());
  }

  void refuseIn(ProgramType type, String name, String message, Instruction... code) {
    add(name, new BpfProgram("test", type, 24, List.of(code)), List.of(message));
  }

  void add(String name, BpfProgram program, List<String> messages) {
    cases.add(new Case(name, program, messages));
  }
}
