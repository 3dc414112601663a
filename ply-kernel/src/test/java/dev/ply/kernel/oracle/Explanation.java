package dev.ply.kernel.oracle;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.verifier.VerificationReport;
import dev.ply.bpf.verifier.Verifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Why our verifier refuses a program that the kernel accepts. Most reasons are proven: without what
 * it names, ours accepts the program too.
 */
enum Explanation {
  /** Linux 6.3 and later let privileged programs do so; what they read is anything. */
  UNWRITTEN_STACK("reads stack that was never written"),
  /** Linux 6.14 and later know that an array has the key. */
  SURE_LOOKUP("does not test a look-up of a constant key in an array"),
  /** Privileged programs may; what is returned means nothing to anybody. */
  POINTER_RESULT("returns a pointer"),
  /** Linux 6.13 and later give each function of such programs a stack of its own. */
  OWN_STACKS("has functions that need more than 512 bytes of stack together"),
  /** More than one of these. */
  SEVERAL("several of these"),
  /** The kernel loads them and reserves nothing when they run. */
  IMPOSSIBLE_RECORD("reserves a record larger than any ring buffer"),
  /** To be looked into. */
  UNKNOWN("not classified");

  /** Of what a frame may use, without what functions that it calls need. */
  private static final int STACK_BYTES = 448;

  private final String text;

  Explanation(String text) {
    this.text = text;
  }

  /** Says why ours refuses a program with those maps. */
  static Explanation of(BpfProgram program, List<BpfMap> maps) {
    for (Explanation reason : List.of(UNWRITTEN_STACK, SURE_LOOKUP, POINTER_RESULT)) {
      if (verify(maps, reason.undo(program, maps)).isAccepted()) {
        return reason;
      }
    }
    BpfProgram without = program;
    for (Explanation reason : List.of(SURE_LOOKUP, POINTER_RESULT, UNWRITTEN_STACK)) {
      without = reason.undo(without, maps);
    }
    VerificationReport left = verify(maps, without);
    if (left.isAccepted()) {
      return SEVERAL;
    }
    String message = left.violations().get(0).message();
    if (message.endsWith("for ringbuf_reserve is too large")) {
      return IMPOSSIBLE_RECORD;
    }
    return message.startsWith("the functions called here need") ? OWN_STACKS : UNKNOWN;
  }

  private static VerificationReport verify(List<BpfMap> maps, BpfProgram program) {
    List<BpfMap> plain = maps.stream().map(Explanation::plain).toList();
    return new Verifier(plain).verify(program);
  }

  /** Only of plain arrays of one value programs have the address without a look-up. */
  private static BpfMap plain(BpfMap map) {
    return map.type() == MapType.PERCPU_ARRAY || map.type() == MapType.ARRAY
        ? new BpfMap(map.name(), MapType.ARRAY, map.keySize(), map.valueSize(), 1)
        : map;
  }

  private BpfProgram undo(BpfProgram program, List<BpfMap> maps) {
    List<Instruction> code =
        switch (this) {
          case UNWRITTEN_STACK -> withWrittenStack(program.code());
          case SURE_LOOKUP -> withSureLookups(program.code(), maps);
          case POINTER_RESULT -> withPlainResult(program.code());
          case OWN_STACKS, SEVERAL, IMPOSSIBLE_RECORD, UNKNOWN -> program.code();
        };
    return new BpfProgram(program.name(), program.type(), program.contextSize(), code);
  }

  private static List<Instruction> withWrittenStack(List<Instruction> code) {
    List<Instruction> changed = new ArrayList<>();
    for (int offset = -STACK_BYTES; offset < 0; offset += Long.BYTES) {
      changed.add(new Store(Size.DW, Register.R10, offset, new Immediate(0)));
    }
    changed.addAll(code);
    return changed;
  }

  /** An array's first value is there without a look-up. */
  private static List<Instruction> withSureLookups(List<Instruction> code, List<BpfMap> maps) {
    List<Instruction> changed = new ArrayList<>();
    Optional<String> map = Optional.empty();
    for (Instruction instruction : code) {
      if (instruction instanceof LoadWide load && load.source() instanceof WideSource.Map source) {
        map = Optional.of(source.name());
      }
      if (instruction.equals(new CallHelper(Helper.MAP_LOOKUP_ELEM.number()))
          && map.filter(name -> isArray(name, maps)).isPresent()) {
        changed.add(new LoadWide(Register.R0, new WideSource.MapValue(map.get(), 0)));
      } else {
        changed.add(instruction);
      }
    }
    return changed;
  }

  private static boolean isArray(String name, List<BpfMap> maps) {
    return maps.stream()
        .anyMatch(
            map ->
                map.name().equals(name)
                    && (map.type() == MapType.ARRAY || map.type() == MapType.PERCPU_ARRAY));
  }

  private static List<Instruction> withPlainResult(List<Instruction> code) {
    List<Instruction> changed = new ArrayList<>();
    for (Instruction instruction : code) {
      if (instruction instanceof Exit) {
        changed.add(new Alu(Width.W64, AluOp.MOV, Register.R0, new Immediate(0)));
      }
      changed.add(instruction);
    }
    return changed;
  }

  @Override
  public String toString() {
    return text;
  }
}
