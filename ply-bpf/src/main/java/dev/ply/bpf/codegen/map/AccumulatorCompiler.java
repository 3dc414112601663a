package dev.ply.bpf.codegen.map;

import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.HitWeight;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.plan.SamplingPlan;
import dev.ply.builtin.aggregate.ExtremeFunction;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.type.Type.IntType;
import java.util.function.Consumer;

/** Compiles the operations that aggregations' updates consist of, on the accumulator of one key. */
final class AccumulatorCompiler {
  /**
   * The maximum number of exchanges of a word. Repeated only if another program stored a larger
   * value between two instructions of this one.
   */
  private static final int EXCHANGES = 3;

  private final ClauseCode clause;
  private final CodeBuilder code;
  private final MapRef map;
  private final MapContent.Aggregated content;
  private final IntType type;

  AccumulatorCompiler(ClauseCode clause, MapRef map) {
    this.clause = clause;
    this.code = clause.code();
    this.map = map;
    this.content = (MapContent.Aggregated) clause.script().map(map.name()).content();
    this.type = content.valueType();
  }

  /** Computes a value in the type of the map's aggregated values. */
  ScalarCode value(Expr value) {
    return clause.expressions().scalar(value, type);
  }

  /** Updates the accumulator, whose address is passed on; skipped if the map is full. */
  void update(String label, Consumer<Register> update) {
    Label done = code.label(label);
    Register slot = clause.maps().slot(map, done);
    update.accept(slot);
    if (clause.object().table(map.name()).marksUpdates()) {
      code.store(Size.DW, new Place(slot, Long.BYTES), new Immediate(1));
    }
    code.place(done);
  }

  /**
   * Advances an accumulator's address to one of its words.
   *
   * @param word the index, known to be in range to verifiers if the number of words is a power of
   *     two
   */
  void index(Register slot, Register word) {
    // No branch: verifiers would follow both paths from here.
    int words = content.function().words(content.shape());
    if (Integer.bitCount(words) == 1) {
      code.alu(Width.W64, AluOp.AND, word, words - 1);
    }
    code.alu(Width.W64, AluOp.LSH, word, 3);
    code.alu(Width.W64, AluOp.ADD, slot, word);
  }

  /** Adds to a word, for all the hits that this one stands for. */
  void addForHits(Register slot, int word, ScalarCode amount) {
    if (clause.object().role(clause.clause().clause()) == SamplingPlan.Role.COMPLETE) {
      add(slot, word, amount);
      return;
    }
    Label once = code.label("once");
    Register total = clause.arithmetic().copy(amount);
    Register weight = HitWeight.load(code, clause.object());
    code.jump(Width.W64, JumpOp.JLE, weight, new Immediate(1), once);
    code.alu(Width.W64, AluOp.MUL, total, weight);
    code.place(once);
    add(slot, word, new ScalarCode.InRegister(total));
  }

  /** Adds to a word: atomically where another program may interrupt. */
  void add(Register slot, int word, ScalarCode amount) {
    int offset = word * Long.BYTES;
    if (clause.object().isContended(map.name())) {
      Register added = clause.arithmetic().register(amount);
      code.emit(new Instruction.Atomic(Size.DW, AtomicOp.ADD, slot, offset, added));
      return;
    }
    Place place = new Place(slot, offset);
    Register total = code.fresh();
    code.load(Size.DW, total, place);
    code.alu(Width.W64, AluOp.ADD, total, clause.arithmetic().operand(amount));
    code.store(Size.DW, place, total);
  }

  /** Computes a value in a register of its own. */
  Register copy(Expr value) {
    return clause.arithmetic().copy(value(value));
  }

  /** Computes a value, with the bits inverted that the function inverts. */
  Register inverted(Expr value, ExtremeFunction function) {
    Register word = clause.arithmetic().copy(value(value));
    long bits = function.invertedBits(type);
    if (bits == (int) bits) {
      if (bits != 0) {
        code.alu(Width.W64, AluOp.XOR, word, (int) bits);
      }
    } else {
      Register wide = code.fresh();
      code.constant(wide, bits);
      code.alu(Width.W64, AluOp.XOR, word, wide);
    }
    return word;
  }

  /**
   * Raises a word to the unsigned maximum of itself and {@code value}, which is overwritten. Where
   * another program may interrupt, the word is exchanged until the old value is not larger, which
   * requires Linux 5.12; before, an interrupting update can be lost.
   */
  void raise(Register slot, int word, Register value) {
    Place place = new Place(slot, word * Long.BYTES);
    Register old = code.fresh();
    Label raised = code.label("raised");
    code.load(Size.DW, old, place);
    code.jump(Width.W64, JumpOp.JGE, old, value, raised);
    if (clause.object().isContended(map.name()) && clause.script().target().fetchesAtomically()) {
      for (int i = 0; i < EXCHANGES; i++) {
        Register exchanged = code.fresh();
        code.move(exchanged, value);
        code.emit(new Instruction.Atomic(Size.DW, AtomicOp.XCHG, slot, place.offset(), exchanged));
        code.jump(Width.W64, JumpOp.JGE, value, exchanged, raised);
        code.move(value, exchanged);
      }
    } else {
      code.store(Size.DW, place, value);
    }
    code.place(raised);
  }

  /** Returns the compiler of time series. */
  SeriesCompiler series() {
    return new SeriesCompiler(this, code, content.shape());
  }

  /** Returns the compiler of bucket indexes. */
  BucketCompiler buckets() {
    return new BucketCompiler(clause, content.shape());
  }
}
