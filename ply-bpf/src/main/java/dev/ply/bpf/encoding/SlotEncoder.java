package dev.ply.bpf.encoding;

import dev.ply.bpf.encoding.Opcode.Source;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallKernel;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadPacket;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Encodes one instruction.
 *
 * @param position the number of its first slot
 * @param slotOfLabel the slot that each label refers to
 */
record SlotEncoder(
    int position, Map<Label, Integer> slotOfLabel, ToIntFunction<String> mapReference)
    implements Instruction.Visitor<List<Slot>> {

  @Override
  public List<Slot> visit(Alu alu) {
    int opcode = Opcode.alu(alu.width(), alu.op(), Source.of(alu.src()));
    return one(opcode, number(alu.dst()), source(alu.src()), alu.op().offset(), value(alu.src()));
  }

  @Override
  public List<Slot> visit(Negate negate) {
    return one(Opcode.negate(negate.width()), number(negate.dst()), 0, 0, 0);
  }

  @Override
  public List<Slot> visit(SignExtend extend) {
    int widest = extend.width() == Width.W64 ? Size.W.bytes() : Size.H.bytes();
    if (extend.from().bytes() > widest) {
      throw new IllegalArgumentException(
          "no move extends " + extend.from().bytes() + " bytes; at most " + widest);
    }
    int opcode = Opcode.alu(extend.width(), AluOp.MOV, Source.REGISTER);
    int bits = extend.from().bytes() * Byte.SIZE;
    return one(opcode, number(extend.dst()), number(extend.src()), bits, 0);
  }

  @Override
  public List<Slot> visit(ByteSwap swap) {
    if (!FormatTable.SWAP_BITS.contains(swap.bits())) {
      throw new IllegalArgumentException("byte swaps have 16, 32 or 64 bits, not " + swap.bits());
    }
    return one(Opcode.byteSwap(swap.order()), number(swap.dst()), 0, 0, swap.bits());
  }

  @Override
  public List<Slot> visit(LoadWide load) {
    return load.source()
        .accept(
            new WideSource.Visitor<List<Slot>>() {
              @Override
              public List<Slot> visit(WideSource.Constant constant) {
                return wide(
                    load, 0, (int) constant.value(), (int) (constant.value() >>> Integer.SIZE));
              }

              @Override
              public List<Slot> visit(WideSource.Map map) {
                return wide(load, 1, mapReference.applyAsInt(map.name()), 0);
              }

              @Override
              public List<Slot> visit(WideSource.MapValue value) {
                return wide(load, 2, mapReference.applyAsInt(value.name()), value.offset());
              }

              @Override
              public List<Slot> visit(WideSource.Variable variable) {
                return wide(load, 3, variable.btfId(), 0);
              }

              @Override
              public List<Slot> visit(WideSource.Function function) {
                return wide(load, 4, distance(function.target()), 0);
              }

              @Override
              public List<Slot> visit(WideSource.IndexedMap map) {
                return wide(load, 5, map.index(), 0);
              }

              @Override
              public List<Slot> visit(WideSource.IndexedMapValue value) {
                return wide(load, 6, value.index(), value.offset());
              }
            });
  }

  @Override
  public List<Slot> visit(Load load) {
    if (load.extension() == Extension.SIGN && load.size() == Size.DW) {
      throw new IllegalArgumentException("a load of 8 bytes cannot sign-extend");
    }
    int opcode = Opcode.load(load.size(), load.extension());
    return one(opcode, number(load.dst()), number(load.base()), load.offset(), 0);
  }

  @Override
  public List<Slot> visit(Store store) {
    int opcode = Opcode.store(store.size(), Source.of(store.src()));
    int base = number(store.base());
    return one(opcode, base, source(store.src()), store.offset(), value(store.src()));
  }

  @Override
  public List<Slot> visit(Atomic atomic) {
    int opcode = Opcode.atomic(atomic.size());
    int base = number(atomic.base());
    int src = number(atomic.src());
    return one(opcode, base, src, atomic.offset(), atomic.op().immediate());
  }

  @Override
  public List<Slot> visit(LoadPacket load) {
    if (load.size() == Size.DW) {
      throw new IllegalArgumentException("packet loads have 1, 2 or 4 bytes, not 8");
    }
    Source index = load.index().isPresent() ? Source.REGISTER : Source.IMMEDIATE;
    int src = load.index().map(SlotEncoder::number).orElse(0);
    return one(Opcode.loadPacket(load.size(), index), 0, src, 0, load.offset());
  }

  @Override
  public List<Slot> visit(Jump jump) {
    int opcode = Opcode.jump(jump.width(), jump.op(), Source.of(jump.right()));
    int distance = distance(jump.target());
    if (!fitsOffset(distance)) {
      throw new IllegalArgumentException(
          "label "
              + jump.target()
              + " is "
              + distance
              + " slots away, conditional jumps reach -32768 to 32767; jump over a goto");
    }
    return one(opcode, number(jump.left()), source(jump.right()), distance, value(jump.right()));
  }

  @Override
  public List<Slot> visit(Goto jump) {
    int distance = distance(jump.target());
    return fitsOffset(distance)
        ? one(Opcode.GOTO, 0, 0, distance, 0)
        : one(Opcode.GOTO_LONG, 0, 0, 0, distance);
  }

  @Override
  public List<Slot> visit(CallHelper call) {
    return one(Opcode.CALL, 0, 0, 0, call.number());
  }

  @Override
  public List<Slot> visit(CallLocal call) {
    return one(Opcode.CALL, 0, 1, 0, distance(call.target()));
  }

  @Override
  public List<Slot> visit(CallKernel call) {
    return one(Opcode.CALL, 0, 2, 0, call.btfId());
  }

  @Override
  public List<Slot> visit(Exit exit) {
    return one(Opcode.EXIT, 0, 0, 0, 0);
  }

  @Override
  public List<Slot> visit(LabelMark mark) {
    return List.of();
  }

  @Override
  public List<Slot> visit(SourceMark mark) {
    return List.of();
  }

  private static List<Slot> one(int opcode, int dst, int src, int offset, int immediate) {
    return List.of(new Slot(opcode, dst, src, offset, immediate));
  }

  private static List<Slot> wide(LoadWide load, int src, int immediate, int nextImmediate) {
    return List.of(
        new Slot(Opcode.LOAD_WIDE, number(load.dst()), src, 0, immediate),
        Slot.second(nextImmediate));
  }

  private static int number(Register register) {
    if (register.isVirtual()) {
      throw new IllegalArgumentException(
          "virtual register " + register + " cannot be encoded; allocate registers first");
    }
    return register.number();
  }

  private static int source(Operand operand) {
    return operand instanceof Register register ? number(register) : 0;
  }

  private static int value(Operand operand) {
    return operand instanceof Immediate immediate ? immediate.value() : 0;
  }

  /** Returns the distance to {@code label} from the next slot. */
  private int distance(Label label) {
    Integer target = slotOfLabel.get(label);
    if (target == null) {
      throw new IllegalArgumentException("label " + label + " is not defined");
    }
    return target - (position + 1);
  }

  private static boolean fitsOffset(int distance) {
    return distance == (short) distance;
  }
}
