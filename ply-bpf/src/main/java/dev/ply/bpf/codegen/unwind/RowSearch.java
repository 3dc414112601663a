package dev.ply.bpf.codegen.unwind;

import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.unwind.UnwindMaps;

/**
 * Finds the row of an address by bisection, among the mappings of a process, then among the rows of
 * one. The number of rounds is constant, and every index is masked: whatever the maps contain, the
 * verifier knows that it ends, and what it reads.
 *
 * <p>The bounds of a search are in memory of a map, of whose content verifiers know nothing: else
 * they would follow both outcomes of each round by themselves, as each leaves other bounds.
 */
final class RowSearch {
  private static final int ROW_BITS = Integer.numberOfTrailingZeros(UnwindMaps.CHUNK_ROWS);
  private static final int MAPPING_BITS = Integer.numberOfTrailingZeros(UnwindMaps.MAPPING_SIZE);
  private static final int MAPPING_ROUNDS =
      Integer.numberOfTrailingZeros(UnwindMaps.MOST_MAPPINGS) + 1;

  private final CodeBuilder code;
  private final UnwindMemoryCode chunks;
  private final Place low;
  private final Place high;
  private final Place found;
  private final Register first;

  RowSearch(CodeBuilder code, Memory memory) {
    this.code = code;
    this.chunks = new UnwindMemoryCode(code, memory);
    this.low = memory.allocateInScratch(Long.BYTES);
    this.high = memory.allocateInScratch(Long.BYTES);
    this.found = memory.allocateInScratch(Long.BYTES);
    this.first = code.fresh();
  }

  /** The address of a process's first mapping, and their number. */
  record Mappings(Register first, Register count) {}

  /**
   * Where to go when there is no mapping at the address, no table for it, code of HotSpot instead,
   * or no row in the table.
   */
  record Missing(Label mapping, Label table, Label hotSpot, Label row) {}

  /**
   * Returns the rule for an address.
   *
   * @param mappings the mappings of the process
   */
  Register rule(Mappings mappings, Register address, Missing missing) {
    code.store(Size.DW, low, new Immediate(0));
    code.store(Size.DW, high, mappings.count());
    bisect(
        MAPPING_ROUNDS,
        middle -> {
          Register start = code.fresh();
          code.load(Size.DW, start, new Place(mapping(mappings, middle), UnwindMaps.START));
          return new Round(start, address, () -> {});
        });
    Register above = code.fresh();
    code.load(Size.DW, above, low);
    code.jump(Width.W64, JumpOp.JEQ, above, new Immediate(0), missing.mapping());
    code.alu(Width.W64, AluOp.SUB, above, 1);
    Register mapping = mapping(mappings, above);
    Register end = code.fresh();
    code.load(Size.DW, end, new Place(mapping, UnwindMaps.END));
    code.jump(Width.W64, JumpOp.JGE, address, end, missing.mapping());
    Register offset = code.fresh();
    Register base = code.fresh();
    code.load(Size.DW, base, new Place(mapping, UnwindMaps.BASE));
    code.move(offset, address);
    code.alu(Width.W64, AluOp.SUB, offset, base);
    Register rows = code.fresh();
    code.load(Size.W, rows, new Place(mapping, UnwindMaps.COUNT));
    code.jump(Width.W64, JumpOp.JEQ, rows, new Immediate(0), missing.table());
    code.load(Size.W, first, new Place(mapping, UnwindMaps.FIRST));
    code.jump(Width.W32, JumpOp.JEQ, rows, new Immediate(UnwindMaps.HOT_SPOT), missing.hotSpot());
    code.jump(Width.W32, JumpOp.JEQ, rows, new Immediate(UnwindMaps.NO_TABLE), missing.row());
    code.store(Size.DW, low, first);
    code.alu(Width.W64, AluOp.ADD, rows, first);
    code.store(Size.DW, high, rows);
    code.store(Size.DW, found, new Immediate(0));
    bisect(
        UnwindMaps.ROUNDS,
        middle -> {
          Register row = row(middle, missing.row());
          Register start = code.fresh();
          code.load(Size.W, start, new Place(row, Integer.BYTES));
          return new Round(
              start,
              offset,
              () -> {
                Register rule = code.fresh();
                code.load(Size.W, rule, new Place(row, 0));
                code.store(Size.DW, found, rule);
              });
        });
    Register rule = code.fresh();
    code.load(Size.DW, rule, found);
    return rule;
  }

  /** Returns the address of the first row of the mapping that was found: rows begin a chunk. */
  Register first(Label missing) {
    code.alu(Width.W64, AluOp.RSH, first, ROW_BITS);
    return chunks.chunk(first, missing);
  }

  /**
   * What a round compares.
   *
   * @param isAtOrBefore what is done if {@code start} is not above {@code wanted}
   */
  private record Round(Register start, Register wanted, Runnable isAtOrBefore) {}

  /** Compares the element in the middle. */
  private interface Comparison {
    Round at(Register middle);
  }

  /** Moves {@code low} to the first element above what is wanted, of those up to {@code high}. */
  private void bisect(int rounds, Comparison comparison) {
    Register round = code.fresh();
    Register middle = code.fresh();
    Register upper = code.fresh();
    Label head = code.label("search");
    Label above = code.label("above");
    Label next = code.label("next");
    Label done = code.label("found");
    code.constant(round, 0);
    code.place(head);
    code.load(Size.DW, middle, low);
    code.load(Size.DW, upper, high);
    code.jump(Width.W64, JumpOp.JGE, middle, upper, done);
    code.alu(Width.W64, AluOp.ADD, middle, upper);
    code.alu(Width.W64, AluOp.RSH, middle, 1);
    Round compared = comparison.at(middle);
    code.jump(Width.W64, JumpOp.JGT, compared.start(), compared.wanted(), above);
    compared.isAtOrBefore().run();
    code.alu(Width.W64, AluOp.ADD, middle, 1);
    code.store(Size.DW, low, middle);
    code.jump(next);
    code.place(above);
    code.store(Size.DW, high, middle);
    code.place(next);
    code.alu(Width.W64, AluOp.ADD, round, 1);
    code.jump(Width.W64, JumpOp.JLT, round, new Immediate(rounds), head);
    code.place(done);
  }

  /** Returns the address of a mapping. */
  private Register mapping(Mappings mappings, Register number) {
    Register mapping = code.fresh();
    code.move(mapping, number);
    code.alu(Width.W64, AluOp.AND, mapping, UnwindMaps.MOST_MAPPINGS - 1);
    code.alu(Width.W64, AluOp.LSH, mapping, MAPPING_BITS);
    code.alu(Width.W64, AluOp.ADD, mapping, mappings.first());
    return mapping;
  }

  private Register row(Register number, Label missing) {
    Register chunk = code.fresh();
    Register row = code.fresh();
    code.move(chunk, number);
    code.alu(Width.W64, AluOp.RSH, chunk, ROW_BITS);
    Register found = chunks.chunk(chunk, missing);
    code.move(row, number);
    code.alu(Width.W64, AluOp.AND, row, UnwindMaps.CHUNK_ROWS - 1);
    code.alu(Width.W64, AluOp.LSH, row, 3);
    code.alu(Width.W64, AluOp.ADD, row, found);
    return row;
  }
}
