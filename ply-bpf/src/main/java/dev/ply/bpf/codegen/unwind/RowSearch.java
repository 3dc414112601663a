package dev.ply.bpf.codegen.unwind;

import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
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
 */
final class RowSearch {
  private static final int CHUNK_BITS = Integer.numberOfTrailingZeros(UnwindMaps.CHUNK_ROWS);
  private static final int MAPPING_BITS = Integer.numberOfTrailingZeros(UnwindMaps.MAPPING_SIZE);
  private static final int MAPPING_ROUNDS =
      Integer.numberOfTrailingZeros(UnwindMaps.MOST_MAPPINGS) + 1;

  private final CodeBuilder code;
  private final Memory memory;

  RowSearch(CodeBuilder code, Memory memory) {
    this.code = code;
    this.memory = memory;
  }

  /** The labels for what is not found. */
  record Missing(Label mapping, Label table, Label row) {}

  /**
   * Returns the rule for an address.
   *
   * @param process the address of the process's value of the map
   */
  Register rule(Register process, Register address, Missing missing) {
    Register low = code.fresh();
    Register high = code.fresh();
    code.constant(low, 0);
    code.load(Size.W, high, new Place(process, 0));
    bisect(
        low,
        high,
        MAPPING_ROUNDS,
        middle -> {
          Register start = code.fresh();
          code.load(Size.DW, start, new Place(mapping(process, middle), UnwindMaps.START));
          return new Round(start, address, () -> {});
        });
    code.jump(Width.W64, JumpOp.JEQ, low, new Immediate(0), missing.mapping());
    code.alu(Width.W64, AluOp.SUB, low, 1);
    Register mapping = mapping(process, low);
    Register end = code.fresh();
    code.load(Size.DW, end, new Place(mapping, UnwindMaps.END));
    code.jump(Width.W64, JumpOp.JGE, address, end, missing.mapping());
    Register offset = code.fresh();
    Register base = code.fresh();
    code.load(Size.DW, base, new Place(mapping, UnwindMaps.BASE));
    code.move(offset, address);
    code.alu(Width.W64, AluOp.SUB, offset, base);
    Register first = code.fresh();
    Register last = code.fresh();
    code.load(Size.W, last, new Place(mapping, UnwindMaps.COUNT));
    code.jump(Width.W64, JumpOp.JEQ, last, new Immediate(0), missing.table());
    code.load(Size.W, first, new Place(mapping, UnwindMaps.FIRST));
    code.alu(Width.W64, AluOp.ADD, last, first);
    Register rule = code.fresh();
    code.constant(rule, 0);
    Place key = memory.allocate(Integer.BYTES);
    bisect(
        first,
        last,
        UnwindMaps.ROUNDS,
        middle -> {
          Register row = row(key, middle, missing.row());
          Register start = code.fresh();
          code.load(Size.W, start, new Place(row, Integer.BYTES));
          return new Round(start, offset, () -> code.load(Size.W, rule, new Place(row, 0)));
        });
    return rule;
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
  private void bisect(Register low, Register high, int rounds, Comparison comparison) {
    Register round = code.fresh();
    Register middle = code.fresh();
    Label head = code.label("search");
    Label above = code.label("above");
    Label next = code.label("next");
    Label found = code.label("found");
    code.constant(round, 0);
    code.place(head);
    code.jump(Width.W64, JumpOp.JGE, low, high, found);
    code.move(middle, low);
    code.alu(Width.W64, AluOp.ADD, middle, high);
    code.alu(Width.W64, AluOp.RSH, middle, 1);
    Round compared = comparison.at(middle);
    code.jump(Width.W64, JumpOp.JGT, compared.start(), compared.wanted(), above);
    compared.isAtOrBefore().run();
    code.move(low, middle);
    code.alu(Width.W64, AluOp.ADD, low, 1);
    code.jump(next);
    code.place(above);
    code.move(high, middle);
    code.place(next);
    code.alu(Width.W64, AluOp.ADD, round, 1);
    code.jump(Width.W64, JumpOp.JLT, round, new Immediate(rounds), head);
    code.place(found);
  }

  /** Returns the address of a mapping. */
  private Register mapping(Register process, Register number) {
    Register mapping = masked(number, UnwindMaps.MOST_MAPPINGS - 1);
    code.alu(Width.W64, AluOp.LSH, mapping, MAPPING_BITS);
    code.alu(Width.W64, AluOp.ADD, mapping, process);
    code.alu(Width.W64, AluOp.ADD, mapping, UnwindMaps.MAPPINGS);
    return mapping;
  }

  private Register row(Place key, Register number, Label missing) {
    Register chunk = code.fresh();
    code.move(chunk, number);
    code.alu(Width.W64, AluOp.RSH, chunk, CHUNK_BITS);
    code.store(Size.W, key, chunk);
    Register found =
        code.callForResult(
            Helper.MAP_LOOKUP_ELEM, code.map(UnwindMaps.ROWS), code.address(key));
    code.jumpIfNull(found, missing);
    Register row = masked(number, UnwindMaps.CHUNK_ROWS - 1);
    code.alu(Width.W64, AluOp.LSH, row, 3);
    code.alu(Width.W64, AluOp.ADD, row, found);
    return row;
  }

  private Register masked(Register number, int mask) {
    Register masked = code.fresh();
    code.move(masked, number);
    code.alu(Width.W64, AluOp.AND, masked, mask);
    return masked;
  }
}
