package dev.ply.bpf.generate;

import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.btf.TypedLoad;
import dev.ply.bpf.btf.VerifierTypes;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type;
import dev.ply.type.Type.KernelStruct;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Shrinkable;

/**
 * Programs that go from structure to structure of a kernel as its types say, and now and then as
 * they do not: beside a member, with part of an address, without a test for null.
 */
public final class ObjectWalks {
  private static final Label END = new Label("end");
  private static final List<Size> SIZES = List.of(Size.DW, Size.DW, Size.W, Size.H, Size.B);

  /** The registers that hold what was found, or 0. */
  private static final int FIRST = 6;

  private static final int LAST = 9;

  private final KernelTypes types;
  private final Map<KernelStruct, List<Place>> members = new HashMap<>();

  /** Programs for a kernel with these types. */
  public ObjectWalks(KernelTypes types) {
    this.types = types;
  }

  /** Returns programs for raw tracepoints that begin at the running thread. */
  public Arbitrary<BpfProgram> fromTask(int steps) {
    KernelStruct task = types.struct("task_struct").orElseThrow();
    return programs(
        random -> {
          Walk walk = new Walk(random);
          walk.code.add(new CallHelper(Helper.GET_CURRENT_TASK_BTF.number()));
          walk.keep(FIRST, Register.R0, Optional.of(task));
          return new BpfProgram("walk", ProgramType.RAW_TRACEPOINT, 8, walk.take(steps));
        });
  }

  /**
   * Returns programs that begin at what a function or the probe of a tracepoint is handed.
   *
   * @param type {@link ProgramType#FENTRY}, {@link ProgramType#FEXIT} or {@link
   *     ProgramType#TYPED_TRACEPOINT}
   */
  public Arbitrary<BpfProgram> fromArguments(TypedFunction function, ProgramType type, int steps) {
    int words = function.words().size();
    return programs(
        random -> {
          Walk walk = new Walk(random);
          for (int register = FIRST; register < FIRST + 2; register++) {
            walk.loadWord(register, random.nextInt(words), function.words());
          }
          return new BpfProgram("walk", type, words * Long.BYTES, walk.take(steps))
              .withWords(function.words());
        });
  }

  private static Arbitrary<BpfProgram> programs(
      java.util.function.Function<Random, BpfProgram> walks) {
    Arbitrary<BpfProgram> programs =
        Fixed.of(random -> Shrinkable.unshrinkable(walks.apply(random)));
    return StructuralShrinking.of(programs, SmallerPrograms::of, program -> program.code().size());
  }

  /** Where a load goes. */
  private record Place(int offset, Size size) {}

  private List<Place> members(KernelStruct struct) {
    return members.computeIfAbsent(
        struct,
        unknown ->
            types
                .memberNames(unknown)
                .flatMap(name -> types.member(unknown, name).stream())
                .map(member -> new Place(member.offset(), size(member.type())))
                .toList());
  }

  private static Size size(Type type) {
    return SIZES.stream().filter(size -> size.bytes() == type.size()).findFirst().orElse(Size.B);
  }

  /** A program in the making. */
  private final class Walk {
    private final Random random;
    private final List<Instruction> code = new ArrayList<>();

    /** What registers point to, as far as the way there was right. */
    private final Map<Integer, KernelStruct> found = new HashMap<>();

    Walk(Random random) {
      this.random = random;
      for (int register = FIRST; register <= LAST; register++) {
        code.add(move(new Register(register), new Immediate(0)));
      }
    }

    List<Instruction> take(int steps) {
      for (int i = random.nextInt(steps); i >= 0; i--) {
        step();
      }
      code.add(new LabelMark(END));
      code.add(move(Register.R0, new Immediate(0)));
      code.add(new Exit());
      return code;
    }

    void keep(int register, Register from, Optional<KernelStruct> struct) {
      code.add(move(new Register(register), from));
      note(register, struct);
    }

    private void note(int register, Optional<KernelStruct> struct) {
      found.remove(register);
      struct.ifPresent(known -> found.put(register, known));
    }

    void loadWord(int register, int index, List<TypedLoad> words) {
      Size size = random.nextInt(20) > 0 ? Size.DW : size();
      code.add(load(size, register, Register.R1, index * Long.BYTES));
      note(register, target(words.get(index)));
      test(register);
    }

    private void step() {
      List<Integer> known = new ArrayList<>(found.keySet());
      if (known.isEmpty()) {
        return;
      }
      int from = random.nextInt(60) == 0 ? any() : known.get(random.nextInt(known.size()));
      Register base = new Register(from);
      OptionalInt task =
          found.entrySet().stream()
              .filter(entry -> entry.getValue().tag().equals("task_struct"))
              .mapToInt(Map.Entry::getKey)
              .findFirst();
      switch (random.nextInt(60)) {
        case 0 -> code.add(new Alu(Width.W64, AluOp.ADD, base, new Immediate(random.nextInt(24))));
        case 1 -> code.add(new Store(Size.DW, base, 0, new Immediate(1)));
        case 2 -> code.add(new Alu(Width.W64, AluOp.AND, base, new Immediate(-8)));
        case 3 -> {
          code.add(new Negate(Width.W64, base));
          found.remove(from);
        }
        case 4, 5 -> {
          boolean isTask = random.nextInt(8) > 0 && task.isPresent();
          code.add(move(Register.R1, isTask ? new Register(task.getAsInt()) : base));
          code.add(new CallHelper(Helper.TASK_PT_REGS.number()));
          keep(any(), Register.R0, types.struct("pt_regs"));
        }
        default -> load(from, base);
      }
    }

    /** Not where the walk began. */
    private int any() {
      return FIRST + 1 + random.nextInt(LAST - FIRST);
    }

    private void load(int from, Register base) {
      Optional<KernelStruct> struct = Optional.ofNullable(found.get(from));
      Place place = struct.map(this::place).orElseGet(() -> new Place(random.nextInt(64), size()));
      int to = any();
      code.add(load(place.size(), to, base, place.offset()));
      note(
          to,
          struct
              .filter(known -> place.offset() >= 0)
              .flatMap(
                  known ->
                      target(
                          VerifierTypes.of(types)
                              .load(known, place.offset(), place.size().bytes()))));
      test(to);
    }

    private Size size() {
      return SIZES.get(random.nextInt(SIZES.size()));
    }

    /** Mostly a member, and the whole of it. */
    private Place place(KernelStruct struct) {
      List<Place> members = members(struct);
      if (members.isEmpty() || random.nextInt(40) == 0) {
        return new Place(random.nextInt(struct.size() + 32) - 8, size());
      }
      Place member = members.get(random.nextInt(members.size()));
      return switch (random.nextInt(20)) {
        case 0 -> new Place(member.offset() + random.nextInt(19) - 9, member.size());
        case 1 -> new Place(member.offset(), size());
        default -> member;
      };
    }

    private void test(int register) {
      if (found.containsKey(register) && random.nextInt(8) > 0) {
        code.add(new Jump(Width.W64, JumpOp.JEQ, new Register(register), new Immediate(0), END));
      }
    }

    private Optional<KernelStruct> target(TypedLoad loaded) {
      return loaded instanceof TypedLoad.ObjectPointer pointer
          ? Optional.of(pointer.target())
          : Optional.empty();
    }

    private Instruction load(Size size, int to, Register base, int offset) {
      return new Load(size, Extension.ZERO, new Register(to), base, offset);
    }

    private Instruction move(Register to, Operand from) {
      return new Alu(Width.W64, AluOp.MOV, to, from);
    }
  }
}
