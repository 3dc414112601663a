package dev.ply.bpf.encoding;

import static dev.ply.bpf.encoding.Format.Field.DST;
import static dev.ply.bpf.encoding.Format.Field.IMMEDIATE;
import static dev.ply.bpf.encoding.Format.Field.OFFSET;
import static dev.ply.bpf.encoding.Format.Field.SRC;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import dev.ply.bpf.encoding.Opcode.Source;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallKernel;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadPacket;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import java.util.List;
import java.util.Optional;

/** The formats of each opcode. */
final class FormatTable {
  /** The operand sizes of byte swaps, in bits. */
  static final ImmutableSet<Integer> SWAP_BITS = ImmutableSet.of(16, 32, 64);

  private static final ImmutableListMultimap<Integer, Format> FORMATS = new FormatTable().fill();

  private final ImmutableListMultimap.Builder<Integer, Format> rows =
      ImmutableListMultimap.builder();

  private FormatTable() {}

  /** Returns the formats of {@code opcode}; none if it is not in the instruction set. */
  static List<Format> of(int opcode) {
    return FORMATS.get(opcode);
  }

  private ImmutableListMultimap<Integer, Format> fill() {
    for (Width width : Width.values()) {
      fillArithmetic(width);
      fillJumps(width);
    }
    fillByteSwaps();
    fillMemory();
    fillWideLoads();
    fillControl();
    return rows.build();
  }

  private void fillArithmetic(Width width) {
    for (AluOp op : AluOp.values()) {
      rows.put(
          Opcode.alu(width, op, Source.IMMEDIATE),
          Format.of((slot, at) -> new Alu(width, op, dst(slot), immediate(slot)), DST, IMMEDIATE)
              .with(OFFSET, op.offset()));
      rows.put(
          Opcode.alu(width, op, Source.REGISTER),
          Format.of((slot, at) -> new Alu(width, op, dst(slot), src(slot)), DST, SRC)
              .with(OFFSET, op.offset()));
    }
    rows.put(Opcode.negate(width), Format.of((slot, at) -> new Negate(width, dst(slot)), DST));
    for (Size from : Size.values()) {
      if (from.bytes() * 2 <= (width == Width.W64 ? 8 : 4)) {
        rows.put(
            Opcode.alu(width, AluOp.MOV, Source.REGISTER),
            Format.of((slot, at) -> new SignExtend(width, from, dst(slot), src(slot)), DST, SRC)
                .with(OFFSET, from.bytes() * Byte.SIZE));
      }
    }
  }

  private void fillByteSwaps() {
    for (ByteSwap.Order order : ByteSwap.Order.values()) {
      for (int bits : SWAP_BITS) {
        rows.put(
            Opcode.byteSwap(order),
            Format.of((slot, at) -> new ByteSwap(order, bits, dst(slot)), DST)
                .with(IMMEDIATE, bits));
      }
    }
  }

  private void fillJumps(Width width) {
    for (JumpOp op : JumpOp.values()) {
      rows.put(
          Opcode.jump(width, op, Source.IMMEDIATE),
          Format.of(
              (slot, at) ->
                  new Jump(width, op, dst(slot), immediate(slot), at.target(slot.offset())),
              DST,
              OFFSET,
              IMMEDIATE));
      rows.put(
          Opcode.jump(width, op, Source.REGISTER),
          Format.of(
              (slot, at) -> new Jump(width, op, dst(slot), src(slot), at.target(slot.offset())),
              DST,
              SRC,
              OFFSET));
    }
  }

  private void fillMemory() {
    for (Size size : Size.values()) {
      for (Extension extension : Extension.values()) {
        if (size != Size.DW || extension == Extension.ZERO) {
          rows.put(
              Opcode.load(size, extension),
              Format.of(
                  (slot, at) -> new Load(size, extension, dst(slot), src(slot), slot.offset()),
                  DST,
                  SRC,
                  OFFSET));
        }
      }
      rows.put(
          Opcode.store(size, Source.REGISTER),
          Format.of(
              (slot, at) -> new Store(size, dst(slot), slot.offset(), src(slot)),
              DST,
              SRC,
              OFFSET));
      rows.put(
          Opcode.store(size, Source.IMMEDIATE),
          Format.of(
              (slot, at) -> new Store(size, dst(slot), slot.offset(), immediate(slot)),
              DST,
              OFFSET,
              IMMEDIATE));
      if (size != Size.DW) {
        fillPacketLoads(size);
      }
      if (size.bytes() >= Size.W.bytes()) {
        fillAtomics(size);
      }
    }
  }

  private void fillPacketLoads(Size size) {
    rows.put(
        Opcode.loadPacket(size, Source.IMMEDIATE),
        Format.of(
            (slot, at) -> new LoadPacket(size, Optional.empty(), slot.immediate()), IMMEDIATE));
    rows.put(
        Opcode.loadPacket(size, Source.REGISTER),
        Format.of(
            (slot, at) -> new LoadPacket(size, Optional.of(src(slot)), slot.immediate()),
            SRC,
            IMMEDIATE));
  }

  private void fillAtomics(Size size) {
    for (AtomicOp op : AtomicOp.values()) {
      rows.put(
          Opcode.atomic(size),
          Format.of(
                  (slot, at) -> new Atomic(size, op, dst(slot), slot.offset(), src(slot)),
                  DST,
                  SRC,
                  OFFSET)
              .with(IMMEDIATE, op.immediate()));
    }
  }

  private void fillWideLoads() {
    putWide(
        0,
        (slot, at) ->
            new WideSource.Constant(
                (long) at.nextImmediate() << Integer.SIZE
                    | Integer.toUnsignedLong(slot.immediate())));
    putWide(
        1,
        (slot, at) -> {
          at.requireNoNextImmediate();
          return new WideSource.Map(at.map(slot.immediate()));
        });
    putWide(2, (slot, at) -> new WideSource.MapValue(at.map(slot.immediate()), at.nextImmediate()));
    putWide(
        3,
        (slot, at) -> {
          at.requireNoNextImmediate();
          return new WideSource.Variable(slot.immediate());
        });
    putWide(
        4,
        (slot, at) -> {
          at.requireNoNextImmediate();
          return new WideSource.Function(at.target(slot.immediate()));
        });
    putWide(
        5,
        (slot, at) -> {
          at.requireNoNextImmediate();
          return new WideSource.IndexedMap(slot.immediate());
        });
    putWide(6, (slot, at) -> new WideSource.IndexedMapValue(slot.immediate(), at.nextImmediate()));
  }

  @FunctionalInterface
  private interface WideSourceBuilder {
    WideSource build(Slot slot, Format.SlotContext context);
  }

  private void putWide(int src, WideSourceBuilder source) {
    rows.put(
        Opcode.LOAD_WIDE,
        Format.of((slot, at) -> new LoadWide(dst(slot), source.build(slot, at)), DST, IMMEDIATE)
            .with(SRC, src));
  }

  private void fillControl() {
    rows.put(Opcode.GOTO, Format.of((slot, at) -> new Goto(at.target(slot.offset())), OFFSET));
    rows.put(
        Opcode.GOTO_LONG,
        Format.of((slot, at) -> new Goto(at.target(slot.immediate())), IMMEDIATE));
    rows.put(Opcode.CALL, Format.of((slot, at) -> new CallHelper(slot.immediate()), IMMEDIATE));
    rows.put(
        Opcode.CALL,
        Format.of((slot, at) -> new CallLocal(at.target(slot.immediate())), IMMEDIATE)
            .with(SRC, 1));
    rows.put(
        Opcode.CALL,
        Format.of((slot, at) -> new CallKernel(slot.immediate()), IMMEDIATE).with(SRC, 2));
    rows.put(Opcode.EXIT, Format.of((slot, at) -> new Exit()));
  }

  private static Register dst(Slot slot) {
    return new Register(slot.dst());
  }

  private static Register src(Slot slot) {
    return new Register(slot.src());
  }

  private static Operand immediate(Slot slot) {
    return new Immediate(slot.immediate());
  }
}
