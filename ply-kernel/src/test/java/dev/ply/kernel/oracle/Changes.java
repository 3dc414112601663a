package dev.ply.kernel.oracle;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.verifier.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** A program, and what has been taken out of it so far. */
final class Changes {
  private static final Pattern STACK = Pattern.compile("stack \\w+ of (\\d+) bytes? at fp-(\\d+)");
  private static final Pattern RESERVED = Pattern.compile("instruction (\\d+) reserved");
  private static final Pattern REGISTER = Pattern.compile("r(\\d+)");
  private static final Register R0 = Register.R0;

  private final BpfProgram original;
  private List<Line> lines;

  /** An instruction, and which one of the original program it is, if it is one. */
  private record Line(Instruction instruction, OptionalInt origin) {
    static Line added(Instruction instruction) {
      return new Line(instruction, OptionalInt.empty());
    }
  }

  Changes(BpfProgram program) {
    this(
        program,
        IntStream.range(0, program.code().size())
            .mapToObj(i -> new Line(program.code().get(i), OptionalInt.of(i)))
            .toList());
  }

  private Changes(BpfProgram original, List<Line> lines) {
    this.original = original;
    this.lines = new ArrayList<>(lines);
  }

  /** Returns these changes, to try more. */
  Changes copy() {
    return new Changes(original, lines);
  }

  /** Returns the program as it is now. */
  BpfProgram program() {
    return withCode(lines.stream().map(Line::instruction).toList());
  }

  /** Returns the original program with a store above the stack before what is violated. */
  Optional<BpfProgram> withImpossibleBefore(Violation violation) {
    OptionalInt origin = lines.get(place(violation)).origin();
    if (origin.isEmpty()) {
      return Optional.empty();
    }
    List<Instruction> code = new ArrayList<>(original.code());
    code.add(origin.getAsInt(), new Store(Size.DW, Register.R10, Long.BYTES, new Immediate(0)));
    return Optional.of(withCode(code));
  }

  /** A record that is left is wrong from where it was reserved on. */
  private int place(Violation violation) {
    Matcher reserved = RESERVED.matcher(violation.message());
    if (!reserved.find()) {
      return violation.instructionIndex();
    }
    int slot = Integer.parseInt(reserved.group(1));
    int index = 0;
    for (int slots = 0; slots <= slot; index++) {
      slots += lines.get(index).instruction().slots();
    }
    return index - 1;
  }

  private BpfProgram withCode(List<Instruction> code) {
    return original.withCode(code);
  }

  /** Takes out what a reason names where it shows; tells whether that was possible. */
  boolean undo(Reason reason, Violation violation, List<BpfMap> maps) {
    int index = violation.instructionIndex();
    List<Line> before = List.copyOf(lines);
    switch (reason) {
      case UNWRITTEN_STACK -> writeStack(violation.message());
      case SURE_LOOKUP -> makeLookupsSure(maps);
      case POINTER_RESULT -> insert(index, List.of(zero(R0)));
      case RELEASED -> insert(index, unknown(register(violation.message())));
      case IMPOSSIBLE_RECORD -> replace(index, List.of(zero(R0)));
      case NUMBERS -> boundNumber(violation);
      case POINTER_AS_NUMBER, MAP_ITSELF, NEVER_TAKEN -> takeOut(violation);
      case OWN_STACKS, UNKNOWN -> {}
    }
    return !lines.equals(before);
  }

  /** Leaves an instruction out; what it would have written is some number. */
  void takeOut(Violation violation) {
    int index = place(violation);
    Instruction instruction = lines.get(index).instruction();
    if (violation.message().contains(" is read")) {
      insert(index, unknown(register(violation.message())));
    } else {
      replace(
          index,
          RegisterUse.of(instruction).writes().stream()
              .filter(written -> !(instruction instanceof CallHelper) || written.equals(R0))
              .flatMap(written -> unknown(written).stream())
              .toList());
    }
  }

  /** What is added to a pointer is nothing then; other accesses do not happen. */
  private void boundNumber(Violation violation) {
    if (violation.instruction() instanceof Alu alu && alu.src() instanceof Register src) {
      Register pointer = register(violation.message());
      insert(violation.instructionIndex(), List.of(zero(pointer.equals(src) ? alu.dst() : src)));
    } else {
      takeOut(violation);
    }
  }

  /** Writes the words of stack in question when the program begins, with what nobody knows. */
  private void writeStack(String message) {
    Matcher stack = STACK.matcher(message);
    if (!stack.find()) {
      return;
    }
    int from = -Integer.parseInt(stack.group(2));
    int to = from + Integer.parseInt(stack.group(1));
    List<Instruction> stores = new ArrayList<>(unknown(R0));
    // By halves: of a whole word ours would know that all its copies are equal.
    for (int half = from & -Long.BYTES; half < ((to + 7) & -Long.BYTES); half += Integer.BYTES) {
      stores.add(new Store(Size.W, Register.R10, half, R0));
    }
    insert(0, stores);
  }

  /** An array's first value is there without a look-up. */
  private void makeLookupsSure(List<BpfMap> maps) {
    List<Line> changed = new ArrayList<>();
    Optional<String> map = Optional.empty();
    for (Line line : lines) {
      if (line.instruction() instanceof LoadWide load
          && load.source() instanceof WideSource.Map source) {
        map = Optional.of(source.name());
      }
      boolean isLookup =
          line.instruction().equals(new CallHelper(Helper.MAP_LOOKUP_ELEM.number()))
              && map.filter(name -> isArray(name, maps)).isPresent();
      changed.add(
          isLookup
              ? Line.added(new LoadWide(R0, new WideSource.MapValue(map.orElseThrow(), 0)))
              : line);
    }
    lines = changed;
  }

  private static boolean isArray(String name, List<BpfMap> maps) {
    return maps.stream()
        .filter(map -> map.name().equals(name))
        .anyMatch(map -> map.type() == MapType.ARRAY || map.type() == MapType.PERCPU_ARRAY);
  }

  /** Returns the register that a message begins with or speaks of. */
  private static Register register(String message) {
    Matcher register = REGISTER.matcher(message);
    return register.find() ? new Register(Integer.parseInt(register.group(1))) : R0;
  }

  private static Instruction zero(Register register) {
    return new Alu(Width.W64, AluOp.MOV, register, new Immediate(0));
  }

  /** Ours does not follow numbers whose bytes are swapped. */
  private static List<Instruction> unknown(Register register) {
    return List.of(zero(register), new ByteSwap(ByteSwap.Order.BIG, 64, register));
  }

  private void insert(int index, List<Instruction> added) {
    lines.addAll(index, added.stream().map(Line::added).toList());
  }

  private void replace(int index, List<Instruction> added) {
    lines.remove(index);
    insert(index, added);
  }
}
