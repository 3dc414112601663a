package dev.ply.bpf.generate;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.object.BpfProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a program becomes without some of its instructions; labels stay. */
final class SmallerPrograms {
  private SmallerPrograms() {}

  static Stream<BpfProgram> of(BpfProgram program) {
    int size = program.code().size();
    return Stream.of(16, 8, 4, 2, 1)
        .filter(length -> length < size)
        .flatMap(
            length ->
                IntStream.iterate(0, from -> from < size, from -> from + length)
                    .mapToObj(from -> without(program, from, from + length)));
  }

  private static BpfProgram without(BpfProgram program, int from, int to) {
    List<Instruction> rest = new ArrayList<>();
    for (int i = 0; i < program.code().size(); i++) {
      Instruction instruction = program.code().get(i);
      if (i < from || i >= to || instruction instanceof LabelMark) {
        rest.add(instruction);
      }
    }
    return program.withCode(rest);
  }
}
