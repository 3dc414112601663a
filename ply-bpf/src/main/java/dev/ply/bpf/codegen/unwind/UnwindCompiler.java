package dev.ply.bpf.codegen.unwind;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.Closure;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.GlobalLoop;
import dev.ply.bpf.codegen.emit.LossCounter;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.unwind.UnwindEnd;
import dev.ply.bpf.unwind.UnwindMaps;
import dev.ply.builtin.StackShape;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.machine.Architecture;
import dev.ply.result.Loss;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compiles a walk over the current user stack by unwind tables. A frame is a round of a function
 * that a helper repeats (Linux 5.17), else of a global function: verifiers would follow each round
 * of any other loop.
 */
public final class UnwindCompiler {
  /** Which argument of a repeated function the context is. */
  private static final int LOOP_CONTEXT = 2;

  /** The size of the buffer for addresses: a masked index, 0 to 127, is always inside. */
  public static final int ROOM = (StackShape.DEEPEST + 1) * Long.BYTES;

  /** The flag of an update that adds a key. */
  private static final int BPF_NOEXIST = 1;

  /** The flag of a record that wakes the reader. */
  private static final int BPF_RB_FORCE_WAKEUP = 2;

  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates into the program of a clause. */
  public UnwindCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Returns whether programs can walk stacks of this machine by tables. */
  public boolean isPossible() {
    Architecture architecture = clause.script().target().architecture();
    return (architecture == Architecture.X86_64 || architecture == Architecture.AARCH64)
        && new UserRegistersCode(clause).areReachable();
  }

  /**
   * Writes the addresses, innermost first, and a marker after them if the walk was lost; the last
   * of {@link StackShape#DEEPEST} is a marker, too, if there are more. Returns their size in bytes.
   * The tables of a process that are missing, or too old, are requested from user space.
   *
   * @param process the TGID in the tracer's namespace
   * @param addresses a buffer of {@link #ROOM}
   * @param depth the maximum number of addresses
   * @param unknown the label for a process without tables
   */
  public Register walk(Register process, Place addresses, int depth, Label unknown) {
    clause.object().unwinding(selected());
    Place key = clause.memory().allocate(Long.BYTES);
    Label missing = code.label("no_tables");
    code.store(Size.W, key, process);
    ProcessTables tables = tables(key, missing);
    FrameRegisters frame = FrameRegisters.load(clause);
    Register count = code.fresh();
    code.constant(count, 0);
    Label end = code.label("unwound");
    Label lost = code.label("lost");
    repeat(
        tables,
        depth,
        missing,
        (mappings, next) -> {
          append(frame.pc(), count, addresses, depth, end);
          new FrameStep(code, clause.memory(), frame)
              .step(mappings, word -> replace(word, count, addresses), next, end, lost);
        });
    Label full = end;
    if (depth == StackShape.DEEPEST) {
      full = code.label("full");
      code.place(full);
      Register marker = code.fresh();
      code.constant(marker, UnwindEnd.FULL.marker());
      replace(marker, count, addresses);
      new LossCounter(code, clause.object()).count(Loss.CUT_STACKS, end);
    }
    code.place(end);
    Register size = code.fresh();
    code.move(size, count);
    Label bounded = code.label("bounded");
    code.jump(Width.W64, JumpOp.JLE, size, new Immediate(depth), bounded);
    code.constant(size, depth);
    code.place(bounded);
    code.alu(Width.W64, AluOp.LSH, size, 3);
    Label noRoom = full;
    code.outOfLine(
        () -> {
          code.place(lost);
          append(frame.end(), count, addresses, depth, noRoom);
          Label known = code.label("known");
          int unmapped = (int) UnwindEnd.NO_MAPPING.marker();
          code.jump(Width.W64, JumpOp.JNE, frame.end(), new Immediate(unmapped), known);
          ask(key);
          code.place(known);
          new LossCounter(code, clause.object()).count(Loss.CUT_STACKS, end);
          code.place(missing);
          new UserRegistersCode(clause).jumpIfInKernelOnly(unknown);
          ask(key);
          code.jump(unknown);
        });
    return size;
  }

  /**
   * Appends the marker of a walk by frame pointers, and counts it.
   *
   * @param size of the addresses in bytes, or negative if there are none
   * @param depth the maximum number of addresses
   */
  public void mark(Register size, Place addresses, int depth, Label next) {
    code.jump(Width.W64, JumpOp.JSLE, size, new Immediate(0), next);
    code.jump(Width.W64, JumpOp.JSGT, size, new Immediate((depth - 1) * Long.BYTES), next);
    Register to = code.fresh();
    code.move(to, size);
    code.alu(Width.W64, AluOp.ADD, to, addresses.base());
    Register marker = code.fresh();
    code.constant(marker, UnwindEnd.NOT_READ_YET.marker());
    code.store(Size.DW, new Place(to, addresses.offset()), marker);
    code.alu(Width.W64, AluOp.ADD, size, Long.BYTES);
    new LossCounter(code, clause.object()).count(Loss.CUT_STACKS, next);
  }

  /** Returns the PIDs that the clause compares with. */
  private Set<Integer> selected() {
    return clause.clause().expressions().stream()
        .flatMap(
            expr ->
                expr instanceof Expr.Binary comparison
                        && comparison.op() == BinaryOp.EQ
                        && comparison.left() instanceof Expr.Call call
                        && call.function() == ThreadBuiltins.PID
                        && comparison.right() instanceof Expr.IntLiteral pid
                    ? Stream.of((int) pid.value())
                    : Stream.empty())
        .collect(Collectors.toSet());
  }

  /** The number of the chunk with a process's mappings, and how many they are. */
  private record ProcessTables(Register chunk, Register count) {}

  /** Finds the mappings of a process, those since its last execve(2). */
  private ProcessTables tables(Place key, Label missing) {
    Register known =
        code.callForResult(
            Helper.MAP_LOOKUP_ELEM, code.map(UnwindMaps.PROCESSES), code.address(key));
    code.jumpIfNull(known, missing);
    Register chunk = code.fresh();
    Register count = code.fresh();
    Register stack = code.fresh();
    code.load(Size.W, chunk, new Place(known, UnwindMaps.MAPPINGS));
    code.load(Size.W, count, new Place(known, UnwindMaps.MAPPING_COUNT));
    code.load(Size.DW, stack, new Place(known, UnwindMaps.STACK));
    Label current = code.label("current");
    new UserRegistersCode(clause)
        .stackStart()
        .ifPresent(
            begins -> {
              code.jump(Width.W64, JumpOp.JEQ, stack, new Immediate(0), current);
              code.jump(Width.W64, JumpOp.JNE, stack, begins, missing);
            });
    code.place(current);
    return new ProcessTables(chunk, count);
  }

  private RowSearch.Mappings mappings(ProcessTables tables, Label missing) {
    Register number = code.fresh();
    code.move(number, tables.chunk());
    return new RowSearch.Mappings(
        new UnwindMemoryCode(code, clause.memory()).chunk(number, missing), tables.count());
  }

  /** Adds a process to those that are wanted, and wakes the reader of tables unless it was one. */
  private void ask(Place key) {
    Label asked = code.label("asked");
    Register result =
        code.callForResult(
            Helper.MAP_UPDATE_ELEM,
            code.map(UnwindMaps.WANTED),
            code.address(key),
            code.address(key),
            code.value(BPF_NOEXIST));
    code.jump(Width.W64, JumpOp.JNE, result, new Immediate(0), asked);
    EventSite site = clause.object().missingTables();
    Register record =
        code.callForResult(
            Helper.RINGBUF_RESERVE,
            code.map(clause.object().events()),
            code.value(site.layout().size()),
            code.value(0));
    code.jumpIfNull(record, asked);
    code.store(Size.W, new Place(record, 0), new Immediate(site.id()));
    code.call(Helper.RINGBUF_SUBMIT, code.value(record), code.value(BPF_RB_FORCE_WAKEUP));
    code.place(asked);
  }

  /** Emits a round, which jumps to the label for the next. */
  private interface Round {
    void emit(RowSearch.Mappings mappings, Label next);
  }

  private void repeat(ProcessTables tables, int rounds, Label missing, Round round) {
    Label next = code.label("frame");
    if (!clause.script().target().hasLoopHelper()) {
      // The function looks up the mappings itself: a pointer to them cannot be passed to it.
      new GlobalLoop(clause.memory(), code)
          .optimized()
          .repeat(
              rounds,
              () -> {
                round.emit(mappings(tables, missing), next);
                code.place(next);
                code.exit(Closure.CONTINUE);
              });
      return;
    }
    RowSearch.Mappings mappings = mappings(tables, missing);
    new Closure(clause.memory(), code, clause.object())
        .optimized()
        .call(
            Helper.LOOP,
            code.value(rounds),
            LOOP_CONTEXT,
            closure -> {
              round.emit(mappings, next);
              code.place(next);
              code.exit(Closure.CONTINUE);
            });
  }

  /** Replaces the address that was appended last. */
  private void replace(Register word, Register count, Place addresses) {
    Register to = code.fresh();
    code.move(to, count);
    code.alu(Width.W64, AluOp.SUB, to, 1);
    // No comparison: Linux 6.1 forgets what it says of a register that is spilled.
    code.alu(Width.W64, AluOp.AND, to, StackShape.DEEPEST);
    store(word, to, addresses);
  }

  private void store(Register word, Register number, Place addresses) {
    code.alu(Width.W64, AluOp.LSH, number, 3);
    code.alu(Width.W64, AluOp.ADD, number, addresses.base());
    code.store(Size.DW, new Place(number, addresses.offset()), word);
  }

  private void append(Register word, Register count, Place addresses, int depth, Label full) {
    Register to = code.fresh();
    code.move(to, count);
    // The copy itself: Linux 6.1 learns nothing of it from a comparison of the other.
    code.jump(Width.W64, JumpOp.JGE, to, new Immediate(depth), full);
    store(word, to, addresses);
    code.alu(Width.W64, AluOp.ADD, count, 1);
  }
}
