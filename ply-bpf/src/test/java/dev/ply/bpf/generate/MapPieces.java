package dev.ply.bpf.generate;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Uses of maps. */
final class MapPieces {
  private static final int VALUE_BYTES = 16;
  private static final int TABLE_BYTES = 11;
  private static final List<Size> SIZES = List.of(Size.B, Size.H, Size.W, Size.DW);

  private final Mistakes mistakes;

  MapPieces(Mistakes mistakes) {
    this.mistakes = mistakes;
  }

  /** Looks a value up, and if it is there, uses it. */
  Arbitrary<Piece> arrayLookup() {
    Arbitrary<List<Instruction>> uses =
        valueUses()
            .list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(lists -> lists.stream().flatMap(List::stream).toList());
    return Combinators.combine(
            mistakes.mostly(20, Arbitraries.integers().between(0, 3), Arbitraries.just(4)),
            mistakes.checks(),
            uses)
        .as(
            (key, check, use) ->
                number -> {
                  List<Instruction> code = new ArrayList<>();
                  code.add(new Store(Size.W, Register.R10, -4, new Immediate(key)));
                  code.addAll(Piece.argument(2, -4));
                  code.add(Piece.map("array"));
                  code.add(new CallHelper(Helper.MAP_LOOKUP_ELEM.number()));
                  Label missing = new Label("missing" + number);
                  if (check) {
                    code.add(Piece.ifZero(missing));
                  }
                  code.addAll(use);
                  code.add(new LabelMark(missing));
                  code.add(Piece.move(0, new Immediate(0)));
                  return code;
                });
  }

  private Arbitrary<List<Instruction>> valueUses() {
    Arbitrary<Integer> offsets =
        mistakes.mostly(20, Arbitraries.of(0, 8), Arbitraries.integers().between(-1, VALUE_BYTES));
    Arbitrary<Size> sizes = Arbitraries.of(SIZES);
    Arbitrary<Register> others = Arbitraries.of(7, 8, 9).map(Register::new);
    return Arbitraries.oneOf(
        Combinators.combine(sizes, others, offsets)
            .as((size, dst, at) -> List.of(new Load(size, Extension.ZERO, dst, Register.R0, at))),
        Combinators.combine(sizes, offsets, others)
            .as((size, at, src) -> List.of(new Store(size, Register.R0, at, src))),
        Combinators.combine(
                Arbitraries.of(Size.W, Size.DW), Arbitraries.of(AtomicOp.class), offsets, others)
            .as((size, op, at, src) -> List.of(new Atomic(size, op, Register.R0, at, src))),
        Combinators.combine(
                sizes,
                others,
                mistakes.mostly(4, Arbitraries.of(7, 8), Arbitraries.of(12, 15, 31)),
                Arbitraries.of(Width.class))
            .as(MapPieces::indexed));
  }

  /** Reads at an index that a mask bounds, well or not. */
  private static List<Instruction> indexed(Size size, Register index, int mask, Width width) {
    return List.of(
        new Alu(width, AluOp.AND, index, new Immediate(mask)),
        new Alu(Width.W64, AluOp.ADD, Register.R0, index),
        new Load(size, Extension.ZERO, index, Register.R0, 0));
  }

  /** Stores to, looks up in or deletes from the hash map. */
  Arbitrary<Piece> hash() {
    return Combinators.combine(
            Operands.results(), Arbitraries.integers().between(0, 3), mistakes.checks())
        .as(
            (key, flags, check) ->
                number -> {
                  List<Instruction> code = new ArrayList<>();
                  code.add(new Store(Size.DW, Register.R10, -16, key));
                  code.add(new Store(Size.DW, Register.R10, -32, new Immediate(flags)));
                  if (check) {
                    code.add(new Store(Size.DW, Register.R10, -24, new Immediate(-1)));
                  }
                  code.addAll(Piece.argument(2, -16));
                  if (flags < 3) {
                    code.addAll(Piece.argument(3, -32));
                    code.add(Piece.move(4, new Immediate(flags)));
                  }
                  code.add(Piece.map("hash"));
                  Helper helper = flags < 3 ? Helper.MAP_UPDATE_ELEM : Helper.MAP_DELETE_ELEM;
                  code.add(new CallHelper(helper.number()));
                  return code;
                });
  }

  /** Reads the table that nobody may write. */
  Arbitrary<Piece> table() {
    return Combinators.combine(
            Arbitraries.of(SIZES),
            mistakes.mostly(
                20,
                Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(-1, TABLE_BYTES)),
            Operands.results(),
            mistakes.mostly(20, Arbitraries.just(true), Arbitraries.just(false)))
        .as(
            (size, offset, register, reads) ->
                number ->
                    List.of(
                        new LoadWide(Register.R1, new WideSource.MapValue("table", 0)),
                        reads
                            ? new Load(size, Extension.ZERO, register, Register.R1, offset)
                            : new Store(size, Register.R1, offset, register)));
  }

  /** Stores r7 to r9 where whoever ran the program can read them. */
  static List<Instruction> leaveNumbers() {
    Label missing = new Label("last");
    List<Instruction> code = new ArrayList<>();
    code.add(new Store(Size.W, Register.R10, -4, new Immediate(3)));
    code.addAll(Piece.argument(2, -4));
    code.add(Piece.map("array"));
    code.add(new CallHelper(Helper.MAP_LOOKUP_ELEM.number()));
    code.add(Piece.ifZero(missing));
    code.add(new Alu(Width.W64, AluOp.XOR, new Register(8), new Register(9)));
    code.add(new Store(Size.DW, Register.R0, 0, new Register(7)));
    code.add(new Store(Size.DW, Register.R0, 8, new Register(8)));
    code.add(new LabelMark(missing));
    code.add(Piece.move(0, new Immediate(0)));
    return code;
  }
}
