package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.LossCounter;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.unwind.UnwindCompiler;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.StackTraces;
import dev.ply.builtin.StackShape;
import dev.ply.builtin.StackWalk;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.ir.Expr;
import dev.ply.result.Loss;
import dev.ply.target.PidScope;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.TupleType;
import java.util.List;

/** Compiles the recording of stack traces. */
public final class StackCompiler {
  /** The kernel's result for a thread without such a stack. */
  private static final int EFAULT = 14;

  /** The kernel's result for a key that a map has. */
  private static final int EEXIST = 17;

  /** The flag of an update that adds a key. */
  private static final int BPF_NOEXIST = 1;

  /** The ids that are tried for a trace before it is given up. */
  private static final int ATTEMPTS = 4;

  /** The golden ratio, as a fraction of 2^64: odd, without a pattern. */
  private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

  private static final int KERNEL_STACK = 0;

  /** BPF_F_USER_STACK. */
  private static final int USER_STACK = 1 << 8;

  private final ClauseCode clause;
  private final CodeBuilder code;

  StackCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Adds the generators of the built-ins of stack traces. */
  public static void addTo(BuiltinTable codes) {
    codes.scalar(StackBuiltins.STACK, Cost.STACK, new KernelStack());
    codes.scalar(
        StackBuiltins.USTACK,
        Cost.STACK,
        (clause, call) -> new StackCompiler(clause).recordUser(StackShape.of(call)));
  }

  /** The kernel's stack is a number; on the user stack, both are in memory. */
  private static final class KernelStack implements BuiltinCode.Scalar, BuiltinCode.InMemory {
    @Override
    public ScalarCode compile(ClauseCode clause, Expr.Call call) {
      return new StackCompiler(clause).record(StackShape.of(call));
    }

    @Override
    public void write(ClauseCode clause, Expr.Call call, Place to, int size) {
      new StackCompiler(clause).writeBoth(StackShape.of(call), to);
    }
  }

  /** Writes the numbers of both stacks. */
  private void writeBoth(StackShape shape, Place to) {
    TupleType both = TupleType.ofStacks(IntType.U32, IntType.U64);
    int user = both.layout().fields().get(1).offset();
    code.store(Size.W, to, clause.arithmetic().register(record(shape)));
    code.zero(to.plus(Integer.BYTES), user - Integer.BYTES);
    code.store(Size.DW, to.plus(user), clause.arithmetic().register(recordUser(shape)));
  }

  /** Records the kernel stack; returns its id or a negative errno. */
  ScalarCode record(StackShape shape) {
    return new ScalarCode.InRegister(
        record(clause.object().stacks(false, shape), shape, KERNEL_STACK));
  }

  /**
   * Records the user stack; returns the TGID and, in the lower half, its id or a negative errno.
   * The first stack of a process is announced to user space, which then reads its memory maps while
   * it exists.
   */
  ScalarCode recordUser(StackShape shape) {
    Register id = record(clause.object().stacks(true, shape), shape, USER_STACK);
    // Fills the lower half, whatever its sign.
    code.alu(Width.W64, AluOp.LSH, id, 32);
    code.alu(Width.W64, AluOp.RSH, id, 32);
    Register process = new ThreadCode(clause).pid(PidScope.CURR_NS);
    tell(process);
    code.alu(Width.W64, AluOp.LSH, process, 32);
    code.alu(Width.W64, AluOp.OR, process, id);
    return new ScalarCode.InRegister(process);
  }

  /** Computes the number of frames of a stack, 0 if missing; it is not recorded. */
  ScalarCode depth(Expr.Call stack) {
    boolean ofUser = stack.function() == StackBuiltins.USTACK;
    if (ofUser || !StackShape.isOfBoth(stack)) {
      return new ScalarCode.InRegister(depth(stack, ofUser));
    }
    Register frames = depth(stack, false);
    code.alu(Width.W64, AluOp.ADD, frames, depth(stack, true));
    return new ScalarCode.InRegister(frames);
  }

  private Register depth(Expr.Call stack, boolean ofUser) {
    StackShape shape = StackShape.of(stack);
    int most = shape.depth().orElse(clause.object().usualDepth(ofUser));
    Place frames =
        clause.memory().allocateInScratch(ofUser ? UnwindCompiler.ROOM : most * Long.BYTES);
    Label done = code.label("measured");
    Register size = take(frames, most, shape.walk(), ofUser ? USER_STACK : KERNEL_STACK);
    Register depth = code.fresh();
    code.constant(depth, 0);
    code.jump(Width.W64, JumpOp.JSLT, size, new Immediate(0), done);
    code.move(depth, size);
    code.alu(Width.W64, AluOp.RSH, depth, 3);
    code.place(done);
    return depth;
  }

  /**
   * Takes the trace into the scratch map, and finds the id that its map has it under, or adds it.
   * The id is a hash; where another trace has it, the next hash is tried.
   */
  private Register record(StackTraces traces, StackShape shape, int flags) {
    int most = traces.isOfUser() ? UnwindCompiler.ROOM : traces.depth() * Long.BYTES;
    Place trace = clause.memory().allocateInScratch(Long.BYTES + most);
    Label done = code.label("recorded");
    Label failed = code.label("unrecorded");
    Register size = take(trace.plus(Long.BYTES), traces.depth(), shape.walk(), flags);
    Register id = code.fresh();
    code.move(id, size);
    code.jump(Width.W64, JumpOp.JSLE, size, new Immediate(0), failed);
    code.store(Size.DW, trace, size);
    find(traces, trace, size, id, failed);
    if (traces.base() != 0) {
      code.alu(Width.W64, AluOp.OR, id, traces.base());
    }
    code.place(done);
    code.outOfLine(
        () -> {
          Label empty = code.label("empty");
          code.place(failed);
          code.jump(Width.W64, JumpOp.JEQ, id, new Immediate(0), empty);
          code.jump(Width.W64, JumpOp.JEQ, id, new Immediate(-EFAULT), done);
          new LossCounter(code, clause.object()).count(Loss.STACKS, done);
          code.place(empty);
          code.move(id, new Immediate(-EFAULT));
          code.jump(done);
        });
    return id;
  }

  /** Writes the addresses of a trace, and returns their size or a negative errno. */
  private Register take(Place addresses, int depth, StackWalk walk, int flags) {
    UnwindCompiler tables = new UnwindCompiler(clause);
    boolean unwinds =
        flags == USER_STACK
            && walk == StackWalk.DWARF
            && clause.object().options().unwinding().isPresent()
            && tables.isPossible();
    if (!unwinds) {
      return byKernel(addresses, depth, flags);
    }
    Register size = code.fresh();
    Label unknown = code.label("by_kernel");
    Label taken = code.label("taken");
    Register process = new ThreadCode(clause).pid(PidScope.CURR_NS);
    code.move(size, tables.walk(process, addresses, depth, unknown));
    code.place(taken);
    code.outOfLine(
        () -> {
          code.place(unknown);
          code.move(size, byKernel(addresses, depth, flags));
          tables.mark(size, addresses, depth, taken);
        });
    return size;
  }

  private Register byKernel(Place addresses, int depth, int flags) {
    return code.callForResult(
        Helper.GET_STACK,
        code.value(clause.context()),
        code.address(addresses),
        code.value(depth * Long.BYTES),
        code.value(flags));
  }

  /** Sets {@code id}; jumps to {@code failed}, with a negative errno there, if there is no room. */
  private void find(StackTraces traces, Place trace, Register size, Register id, Label failed) {
    Register factor = code.fresh();
    Register hash = code.fresh();
    Register attempts = code.fresh();
    Place key = clause.memory().allocate(Integer.BYTES);
    Label attempt = code.label("attempt");
    Label absent = code.label("absent");
    Label taken = code.label("taken");
    Label again = code.label("again");
    Label found = code.label("found");
    code.constant(factor, HASH_FACTOR);
    hash(trace, size, hash, factor);
    code.constant(attempts, ATTEMPTS);
    code.place(attempt);
    code.move(id, hash);
    code.alu(Width.W64, AluOp.RSH, id, Long.SIZE - StackTraces.ID_BITS);
    code.store(Size.W, key, id);
    Register known =
        code.callForResult(Helper.MAP_LOOKUP_ELEM, code.map(traces.map()), code.address(key));
    code.jumpIfNull(known, absent);
    compare(known, trace, traces.depth(), taken, found);
    code.place(found);
    code.outOfLine(
        () -> {
          code.place(absent);
          Register result =
              code.callForResult(
                  Helper.MAP_UPDATE_ELEM,
                  code.map(traces.map()),
                  code.address(key),
                  code.address(trace),
                  code.value(BPF_NOEXIST));
          code.jump(Width.W64, JumpOp.JEQ, result, new Immediate(0), found);
          // Another CPU was faster, perhaps with the same trace.
          code.jump(Width.W64, JumpOp.JEQ, result, new Immediate(-EEXIST), again);
          code.move(id, result);
          code.jump(failed);
          code.place(taken);
          mix(hash, factor);
          code.place(again);
          code.alu(Width.W64, AluOp.SUB, attempts, 1);
          code.jump(Width.W64, JumpOp.JNE, attempts, new Immediate(0), attempt);
          code.move(id, new Immediate(-EEXIST));
          code.jump(failed);
        });
  }

  /** Hashes the size and the addresses. */
  private void hash(Place trace, Register size, Register hash, Register factor) {
    Register index = code.fresh();
    Label head = code.label("frame");
    code.move(hash, size);
    code.constant(index, 0);
    code.place(head);
    code.alu(Width.W64, AluOp.XOR, hash, word(trace.plus(Long.BYTES), index));
    mix(hash, factor);
    code.alu(Width.W64, AluOp.ADD, index, Long.BYTES);
    // In this order: the other way round, kernels before 6.8 do not see that the loop ends.
    code.jump(Width.W64, JumpOp.JGT, size, index, head);
  }

  private void mix(Register hash, Register factor) {
    Register upper = code.fresh();
    code.alu(Width.W64, AluOp.MUL, hash, factor);
    code.move(upper, hash);
    code.alu(Width.W64, AluOp.RSH, upper, 32);
    code.alu(Width.W64, AluOp.XOR, hash, upper);
  }

  /**
   * Jumps to one of the labels. The size is read from memory again: the verifier, which follows
   * each round of a loop, knows nothing of it there, and does not follow the rounds of this one for
   * each size.
   */
  private void compare(Register known, Place trace, int depth, Label different, Label same) {
    Register size = code.fresh();
    Register index = code.fresh();
    Label head = code.label("same");
    code.load(Size.DW, size, trace);
    code.constant(index, 0);
    code.place(head);
    Register one = word(new Place(known, 0), index);
    code.jump(Width.W64, JumpOp.JNE, one, word(trace, index), different);
    code.alu(Width.W64, AluOp.ADD, index, Long.BYTES);
    code.jump(Width.W64, JumpOp.JGT, index, size, same);
    code.jump(Width.W64, JumpOp.JLE, index, new Immediate(depth * Long.BYTES), head);
  }

  /** Loads the 64 bits at an offset. */
  private Register word(Place from, Register index) {
    Register address = code.fresh();
    Register word = code.fresh();
    code.move(address, from.base());
    code.alu(Width.W64, AluOp.ADD, address, index);
    code.load(Size.DW, word, new Place(address, from.offset()));
    return word;
  }

  /** Announces a process unless that has been done. */
  private void tell(Register process) {
    StructType layout = StructType.ofKeyParts(List.of(IntType.U32, IntType.U32));
    EventSite site = clause.object().processes(layout);
    Place key = clause.memory().allocate(8);
    Label unseen = code.label("unseen");
    Label seen = code.label("seen");
    code.store(Size.W, key, process);
    Register found =
        code.callForResult(
            Helper.MAP_LOOKUP_ELEM, code.map(BpfObject.PROCESSES), code.address(key));
    code.jumpIfNull(found, unseen);
    code.place(seen);
    code.outOfLine(
        () -> {
          code.place(unseen);
          Register record =
              code.callForResult(
                  Helper.RINGBUF_RESERVE,
                  code.map(clause.object().events()),
                  code.value(layout.size()),
                  code.value(0));
          // If the buffer is full, the next stack tries again.
          code.jumpIfNull(record, seen);
          code.store(Size.W, new Place(record, 0), new Immediate(site.id()));
          code.store(Size.W, new Place(record, 4), process);
          code.call(Helper.RINGBUF_SUBMIT, code.value(record), code.value(0));
          code.call(
              Helper.MAP_UPDATE_ELEM,
              code.map(BpfObject.PROCESSES),
              code.address(key),
              code.address(key),
              code.value(0));
          code.jump(seen);
        });
  }
}
