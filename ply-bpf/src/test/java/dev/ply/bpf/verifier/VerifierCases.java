package dev.ply.bpf.verifier;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Register.R5;
import static dev.ply.bpf.isa.Register.R6;
import static dev.ply.bpf.isa.Register.R8;
import static dev.ply.bpf.isa.Size.B;
import static dev.ply.bpf.isa.Size.DW;
import static dev.ply.bpf.isa.Size.H;
import static dev.ply.bpf.isa.Size.W;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import java.util.ArrayList;
import java.util.List;

/** Small programs, and what the verifier has to say about each. */
final class VerifierCases {
  static final List<BpfMap> MAPS =
      List.of(
          new BpfMap("stats", MapType.HASH, 8, 48, 16),
          new BpfMap("array", MapType.ARRAY, 4, 64, 4),
          new BpfMap("single", MapType.ARRAY, 4, 64, 1),
          new BpfMap("events", MapType.RINGBUF, 0, 0, 4096),
          new BpfMap("stacks", MapType.STACK_TRACE, 4, 1016, 16));

  /** A program, and the messages it gets; none if it is accepted. */
  record Case(String name, BpfProgram program, List<String> messages) {}

  private final List<Case> cases = new ArrayList<>();

  static List<Case> all() {
    VerifierCases all = new VerifierCases();
    all.registers();
    all.arithmetic();
    all.stack();
    all.mapValues();
    all.context();
    all.helpers();
    all.programTypes();
    all.records();
    all.controlFlow();
    all.functions();
    return all.cases;
  }

  private void registers() {
    accept("returns a constant", mov(R0, 0), exit());
    refuse(
        "reads a register never written",
        "r3 is read before anything was written to it",
        mov(R0, R3),
        exit());
    refuse("returns nothing", "r0 is read before anything was written to it", exit());
    refuse(
        "reads an argument after a call",
        "r1 is read, but a call has overwritten it",
        call(Helper.KTIME_GET_NS),
        mov(R0, R1),
        exit());
    accept("keeps r6 across calls", mov(R6, 1), call(Helper.KTIME_GET_NS), mov(R0, R6), exit());
    refuse("writes r10", "r10 is read-only", mov(R10, 0), mov(R0, 0), exit());
    refuse(
        "returns a pointer",
        "r0 is a pointer, but the program's result must be a number",
        mov(R0, R1),
        exit());
  }

  private void arithmetic() {
    refuse(
        "divides by the constant zero",
        "division by the constant zero",
        mov(R0, 1),
        alu(AluOp.DIV, R0, 0),
        exit());
    accept("divides by a register", mov(R0, 1), mov(R2, 0), alu(AluOp.DIV, R0, R2), exit());
    refuse(
        "shifts too far",
        "a shift of 64 bits by 64; 0 to 63 are possible",
        mov(R0, 1),
        alu(AluOp.LSH, R0, 64),
        exit());
    refuse(
        "shifts 32 bits too far",
        "a shift of 32 bits by 32; 0 to 31 are possible",
        mov(R0, 1),
        alu32(AluOp.RSH, R0, 32),
        exit());
    refuse(
        "multiplies a pointer",
        "r1 is a pointer: only + and - are possible, not *=",
        alu(AluOp.MUL, R1, 2),
        mov(R0, 0),
        exit());
    refuse(
        "adds 32 bits to a pointer",
        "r2 is a pointer, which 32-bit arithmetic would cut in half",
        mov(R2, R10),
        alu32(AluOp.ADD, R2, 2),
        mov(R0, 0),
        exit());
    refuse(
        "subtracts from the frame pointer",
        "the kernel does not subtract from stack pointers; add a negative number to r2",
        mov(R2, R10),
        alu(AluOp.SUB, R2, 8),
        mov(R0, 0),
        exit());
    accept("subtracts two pointers", mov(R2, R10), mov(R0, R10), alu(AluOp.SUB, R0, R2), exit());
    accept(
        "subtracts half of a pointer from a number",
        mov(R0, 1),
        new Instruction.Alu(Width.W32, AluOp.SUB, R0, R10),
        exit());
    refuse(
        "subtracts a pointer from a number",
        "a pointer cannot be subtracted from the number in r0",
        mov(R0, 1),
        alu(AluOp.SUB, R0, R10),
        mov(R0, 0),
        exit());
    refuse(
        "adds two pointers",
        "two pointers, r2 and r10, can only be subtracted",
        mov(R2, R10),
        alu(AluOp.ADD, R2, R10),
        mov(R0, 0),
        exit());
    accept(
        "makes a number of a pointer",
        new Instruction.Negate(Width.W64, R1),
        new Instruction.Negate(Width.W64, R1),
        alu(AluOp.AND, R1, 7),
        mov(R0, R1),
        exit());
    accept(
        "sign-extends and swaps numbers",
        mov(R0, 300),
        new Instruction.SignExtend(Width.W64, B, R0, R0),
        new Instruction.ByteSwap(Instruction.ByteSwap.Order.BIG, 16, R0),
        new Instruction.Negate(Width.W32, R0),
        exit());
  }

  private void stack() {
    accept("stores and loads", st(DW, R10, -8, 7), ld(DW, R0, R10, -8), exit());
    refuse(
        "loads what is half written",
        "stack read of 8 bytes at fp-24, but only 4 were written",
        st(W, R10, -24, 0),
        ld(DW, R0, R10, -24),
        exit());
    refuse(
        "stores below the stack",
        "stack write of 8 bytes at fp-520 is outside the 512 bytes below fp",
        st(DW, R10, -520, 0),
        mov(R0, 0),
        exit());
    refuse(
        "stores above the stack",
        "stack write of 4 bytes at fp+0 is outside the 512 bytes below fp",
        st(W, R10, 0, 0),
        mov(R0, 0),
        exit());
    refuse(
        "stores askew",
        "stack write of 8 bytes at fp-12 is not aligned to its size",
        st(DW, R10, -12, 0),
        mov(R0, 0),
        exit());
    accept(
        "spills the context and loads from it",
        stx(DW, R10, -8, R1),
        ld(DW, R2, R10, -8),
        ld(DW, R0, R2, 0),
        exit());
    refuse(
        "spills half a pointer",
        "r1 is a pointer, which only a store of 8 bytes keeps whole",
        stx(W, R10, -8, R1),
        mov(R0, 0),
        exit());
    refuse(
        "loads half a spilled pointer",
        "stack read of 4 bytes at fp-8 takes a pointer apart",
        stx(DW, R10, -8, R1),
        ld(W, R0, R10, -8),
        exit());
    accept(
        "indexes the stack by a masked number",
        st(DW, R10, -16, 0),
        st(DW, R10, -8, 0),
        ld(DW, R2, R1, 0),
        alu(AluOp.AND, R2, 15),
        mov(R3, R10),
        alu(AluOp.ADD, R3, R2),
        ld(B, R0, R3, -16),
        exit());
    accept(
        "counts atomically on the stack",
        st(DW, R10, -8, 0),
        mov(R2, 1),
        atomic(DW, AtomicOp.FETCH_ADD, R10, -8, R2),
        mov(R0, R2),
        exit());
    accept(
        "goes as far as a number fetched from the stack says",
        mov(R2, 8),
        stx(DW, R10, -8, R2),
        atomic(DW, AtomicOp.FETCH_ADD, R10, -8, R2),
        mov(R3, R10),
        alu(AluOp.ADD, R3, R2),
        ld(B, R0, R3, -16),
        exit());
    refuse(
        "loads through a number",
        "r2 is a number, not a pointer to memory that may be accessed; read through addresses with"
            + " probe_read_kernel or probe_read_user",
        mov(R2, 4096),
        ld(DW, R0, R2, 0),
        exit());
  }

  private void mapValues() {
    accept("tests a value for null", lookup(jump(JumpOp.JEQ, R0, 0, "out"), ld(DW, R1, R0, 40)));
    accept(
        "tests a copy for null",
        lookup(mov(R6, R0), jump(JumpOp.JEQ, R6, 0, "out"), ld(DW, R1, R0, 40)));
    accept(
        "tests with not equal",
        lookup(jump(JumpOp.JNE, R0, 0, "found"), jump("out"), mark("found"), st(DW, R0, 8, 1)));
    refuse(
        "forgets the test",
        "r0 may be null: map_lookup_elem found nothing; test it first",
        lookup(ld(DW, R1, R0, 0)));
    refuse(
        "does arithmetic before the test",
        "r0 may be null; test it before arithmetic",
        lookup(alu(AluOp.ADD, R0, 8)));
    refuse(
        "loads outside the value",
        "offset 700 is outside the 48-byte value of map \"stats\"",
        lookup(jump(JumpOp.JEQ, R0, 0, "out"), ld(DW, R1, R0, 700)));
    refuse(
        "loads across the value's end",
        "8 bytes at offset 44 reach beyond the 48-byte value of map \"stats\"",
        lookup(jump(JumpOp.JEQ, R0, 0, "out"), ld(DW, R1, R0, 44)));
    refuse(
        "indexes without a bound",
        "the number added to the pointer r0 is not bounded; compare it or mask it first",
        lookup(jump(JumpOp.JEQ, R0, 0, "out"), ld(DW, R1, R0, 0), alu(AluOp.ADD, R0, R1)));
    accept(
        "indexes below a compared bound",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            ld(DW, R1, R0, 0),
            jump(JumpOp.JGT, R1, 5, "out"),
            alu(AluOp.LSH, R1, 3),
            alu(AluOp.ADD, R0, R1),
            st(DW, R0, 0, 1)));
    refuse(
        "indexes below a bound too high",
        "8 bytes at offsets 0 to 48 may be outside the 48-byte value of map \"stats\"",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            ld(DW, R1, R0, 0),
            jump(JumpOp.JGT, R1, 6, "out"),
            alu(AluOp.LSH, R1, 3),
            alu(AluOp.ADD, R0, R1),
            st(DW, R0, 0, 1)));
    refuse(
        "indexes by what may be negative",
        "the offset of r0 into the 48-byte value of map \"stats\" may be negative; compare it or"
            + " mask it first",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            new Instruction.Load(B, Extension.SIGN, R1, R0, 0),
            jump(JumpOp.JSGT, R1, 5, "out"),
            alu(AluOp.ADD, R0, R1),
            st(B, R0, 0, 1)));
    accept(
        "bounds a number through its copy",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            ld(DW, R1, R0, 0),
            mov(R2, R1),
            jump(JumpOp.JGT, R2, 40, "out"),
            alu(AluOp.ADD, R0, R1),
            st(B, R0, 0, 1)));
    accept(
        "bounds a spilled number",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            ld(DW, R1, R0, 0),
            stx(DW, R10, -16, R1),
            jump(JumpOp.JGT, R1, 40, "out"),
            ld(DW, R2, R10, -16),
            alu(AluOp.ADD, R0, R2),
            st(B, R0, 0, 1)));
    accept(
        "addresses an array's value directly",
        new Instruction.LoadWide(R1, new WideSource.MapValue("single", 56)),
        st(DW, R1, 0, 1),
        mov(R0, 0),
        exit());
    refuse(
        "addresses an array of several values",
        "values can be addressed directly in arrays of one entry only, but the map \"array\" has 4",
        new Instruction.LoadWide(R1, new WideSource.MapValue("array", 0)),
        mov(R0, 0),
        exit());
    refuse(
        "addresses beyond an array's value",
        "offset 64 is outside the 64-byte value of map \"single\"",
        new Instruction.LoadWide(R1, new WideSource.MapValue("single", 64)),
        mov(R0, 0),
        exit());
    refuse(
        "does an atomic operation askew",
        "an atomic operation of 8 bytes needs an offset that is a multiple of 8",
        lookup(jump(JumpOp.JEQ, R0, 0, "out"), mov(R1, 1), atomic(DW, AtomicOp.ADD, R0, 4, R1)));
  }

  private void context() {
    accept("loads from the context", ld(DW, R0, R1, 160), exit());
    accept("loads less from the context", ld(H, R0, R1, 2), exit());
    refuse(
        "loads beyond the context",
        "8 bytes at offset 168 are outside the 168-byte context",
        ld(DW, R0, R1, 168),
        exit());
    refuse(
        "loads askew from the context",
        "context read of 8 bytes at offset 4 is not aligned to its size",
        ld(DW, R0, R1, 4),
        exit());
    refuse(
        "stores to the context", "the context is read-only", st(DW, R1, 0, 1), mov(R0, 0), exit());
    refuse(
        "loads from a moved context",
        "r1 is the context at another offset than 0; put the offset into the load",
        alu(AluOp.ADD, R1, 8),
        ld(DW, R0, R1, 0),
        exit());
    refuse(
        "loads from a context moved as far as a field says",
        "r1 is the context at another offset than 0; put the offset into the load",
        ld(H, R2, R1, 8),
        alu(AluOp.ADD, R1, R2),
        ld(DW, R0, R1, 0),
        exit());
    accept(
        "reads memory as far from the context as a field says",
        ld(H, R3, R1, 8),
        alu(AluOp.ADD, R3, R1),
        mov(R1, R10),
        alu(AluOp.ADD, R1, -8),
        mov(R2, 8),
        call(Helper.PROBE_READ_KERNEL),
        exit());
    add(
        "loads the head of a tracepoint's context",
        new BpfProgram("test", ProgramType.TRACEPOINT, 64, List.of(ld(DW, R0, R1, 0), exit())),
        List.of("the first 8 bytes of a tracepoint's context are the kernel's own"));
    add(
        "loads a field of a tracepoint's context",
        new BpfProgram("test", ProgramType.TRACEPOINT, 64, List.of(ld(W, R0, R1, 8), exit())),
        List.of());
  }

  private void helpers() {
    accept(
        "fills a buffer",
        mov(R1, R10),
        alu(AluOp.ADD, R1, -16),
        mov(R2, 16),
        call(Helper.GET_CURRENT_COMM),
        ld(DW, R0, R10, -16),
        exit());
    refuse(
        "fills a buffer of no size",
        "the size in r2 for get_current_comm may be zero",
        mov(R1, R10),
        alu(AluOp.ADD, R1, -16),
        mov(R2, 0),
        call(Helper.GET_CURRENT_COMM),
        mov(R0, 0),
        exit());
    refuse(
        "fills beyond a buffer",
        "stack write of 24 bytes at fp-16 is outside the 512 bytes below fp",
        mov(R1, R10),
        alu(AluOp.ADD, R1, -16),
        mov(R2, 24),
        call(Helper.GET_CURRENT_COMM),
        mov(R0, 0),
        exit());
    refuse(
        "reads with a size that is not bounded",
        "the size in r2 for probe_read_kernel may be negative; compare it or mask it first",
        ld(DW, R2, R1, 0),
        mov(R3, 0),
        mov(R1, R10),
        alu(AluOp.ADD, R1, -16),
        call(Helper.PROBE_READ_KERNEL),
        mov(R0, 0),
        exit());
    accept(
        "reads with a masked size into written memory",
        ld(DW, R2, R1, 0),
        alu(AluOp.AND, R2, 7),
        mov(R3, 0),
        st(DW, R10, -8, 0),
        mov(R1, R10),
        alu(AluOp.ADD, R1, -8),
        call(Helper.PROBE_READ_KERNEL),
        ld(DW, R0, R10, -8),
        exit());
    refuse(
        "looks up with a key never written",
        "stack read of 8 bytes at fp-8, but nothing was written there",
        map(R1, "stats"),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        mov(R0, 0),
        exit());
    refuse(
        "looks up in a ring buffer",
        "map_lookup_elem takes a hash table or an array, but the map \"events\" is of type RINGBUF",
        st(DW, R10, -8, 0),
        map(R1, "events"),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        mov(R0, 0),
        exit());
    refuse(
        "looks up in no map",
        "map_lookup_elem takes a hash table or an array in r1, which is a number",
        st(DW, R10, -8, 0),
        mov(R1, 5),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        mov(R0, 0),
        exit());
    refuse("names no map", "there is no map \"nope\"", map(R1, "nope"), mov(R0, 0), exit());
    accept("takes a stack trace", map(R2, "stacks"), mov(R3, 0), call(Helper.GET_STACKID), exit());
    refuse(
        "takes a stack trace without the context",
        "get_stackid takes the context in r1, which is a number",
        mov(R1, 0),
        map(R2, "stacks"),
        mov(R3, 0),
        call(Helper.GET_STACKID),
        exit());
    refuse(
        "calls an unknown helper",
        "the helper number 9999 is not known",
        new Instruction.CallHelper(9999),
        mov(R0, 0),
        exit());
    refuse(
        "calls a kernel function",
        "calls of kernel functions are not supported; BTF id 7",
        new Instruction.CallKernel(7),
        mov(R0, 0),
        exit());
    refuse(
        "uses the length of a string beyond its buffer",
        "8 bytes at offsets 0 to 64 may be outside the 64-byte value of map \"single\"",
        stringInto(64));
    accept("uses the length of a string", stringInto(56));
  }

  private static Instruction[] stringInto(int size) {
    return code(
        new Instruction.LoadWide(R6, new WideSource.MapValue("single", 0)),
        mov(R1, R6),
        mov(R2, size),
        mov(R3, 0),
        call(Helper.PROBE_READ_KERNEL_STR),
        jump(JumpOp.JSLT, R0, 0, "out"),
        alu(AluOp.ADD, R6, R0),
        st(DW, R6, 0, 0),
        mark("out"),
        mov(R0, 0),
        exit());
  }

  private void programTypes() {
    refuseIn(
        ProgramType.TRACEPOINT,
        "overrides a return value where there is none",
        "override_return cannot be called in programs of type TRACEPOINT",
        mov(R2, 0),
        call(Helper.OVERRIDE_RETURN),
        mov(R0, 0),
        exit());
    refuseIn(
        ProgramType.FENTRY,
        "returns another number than 0 at a function's entry",
        "r0 must be 0 at the end of a program of type FENTRY",
        mov(R0, 1),
        exit());
    refuseIn(
        ProgramType.FEXIT,
        "reads an argument from its middle",
        "arguments of a function take 8 bytes each and are read from their start",
        ld(W, R2, R1, 4),
        mov(R0, 0),
        exit());
    acceptIn(
        ProgramType.FEXIT,
        "reads an argument and the returned value",
        mov(R6, R1),
        ld(W, R2, R6, 8),
        mov(R3, R10),
        alu(AluOp.ADD, R3, -8),
        mov(R1, R6),
        mov(R2, R3),
        call(Helper.GET_FUNC_RET),
        ld(DW, R0, R10, -8),
        mov(R0, 0),
        exit());
    accept(
        "loads a field of the running task",
        call(Helper.GET_CURRENT_TASK_BTF),
        ld(W, R0, R0, 16),
        exit());
    refuse(
        "writes a field of the running task",
        "r0 is the kernel's task_struct, which is read-only",
        call(Helper.GET_CURRENT_TASK_BTF),
        st(W, R0, 16, 0),
        mov(R0, 0),
        exit());
    accept(
        "prints with as many values as it likes",
        mov(R1, R10),
        alu(AluOp.ADD, R1, -8),
        st(DW, R10, -8, 37),
        mov(R2, 8),
        call(Helper.TRACE_PRINTK),
        exit());
  }

  private void records() {
    accept(
        "submits a record",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            st(DW, R0, 24, 1),
            mov(R1, R0),
            mov(R2, 0),
            call(Helper.RINGBUF_SUBMIT)));
    accept(
        "tests a record twice",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            mov(R1, R0),
            jump(JumpOp.JEQ, R1, 0, "out"),
            mov(R2, 0),
            call(Helper.RINGBUF_SUBMIT)));
    refuse(
        "forgets to submit a record",
        "the program ends with the record that instruction 4 reserved; submit or discard it on"
            + " every path",
        reserve(jump(JumpOp.JEQ, R0, 0, "out"), st(DW, R0, 24, 1)));
    refuse(
        "writes beyond a record",
        "offset 32 is outside the record of 32 bytes",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            st(DW, R0, 32, 1),
            mov(R1, R0),
            mov(R2, 0),
            call(Helper.RINGBUF_DISCARD)));
    refuse(
        "uses a record after its submission",
        "r6 is read, but the record it pointed to was given back",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            mov(R6, R0),
            mov(R1, R0),
            mov(R2, 0),
            call(Helper.RINGBUF_SUBMIT),
            st(DW, R6, 0, 1)));
    refuse(
        "submits a record that may be null",
        "r1 may be null: ringbuf_reserve found no room; test it first",
        reserve(mov(R1, R0), mov(R2, 0), call(Helper.RINGBUF_SUBMIT), jump("out")));
    refuse(
        "submits from the middle of a record",
        "ringbuf_submit takes the start of the record, not a place inside",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            mov(R1, R0),
            alu(AluOp.ADD, R1, 8),
            mov(R2, 0),
            call(Helper.RINGBUF_SUBMIT)));
    refuse(
        "reserves a size known at run time only",
        "ringbuf_reserve takes a constant in r2, which is known only at run time",
        ld(W, R2, R1, 0),
        map(R1, "events"),
        mov(R3, 0),
        call(Helper.RINGBUF_RESERVE),
        mov(R0, 0),
        exit());
  }

  private void controlFlow() {
    accept(
        "loops a known number of times",
        mov(R6, 0),
        mov(R0, 0),
        mark("loop"),
        alu(AluOp.ADD, R0, 2),
        alu(AluOp.ADD, R6, 1),
        jump(JumpOp.JLT, R6, 100, "loop"),
        exit());
    refuse(
        "loops for ever",
        "this loop may never end: it comes back here with nothing changed",
        mov(R0, 0),
        mark("loop"),
        jump("loop"));
    refuse(
        "loops until memory changes",
        "this loop may never end: it comes back here with nothing changed",
        mov(R6, R1),
        mov(R0, 0),
        mark("loop"),
        ld(DW, R1, R6, 0),
        jump(JumpOp.JNE, R1, 0, "loop"),
        exit());
    refuse(
        "leaves a loop in too many places",
        "the program is too complex: more than 8192 branches wait to be followed; shorten its"
            + " loops",
        mov(R6, R1),
        mov(R0, 0),
        mark("loop"),
        ld(DW, R1, R6, 0),
        jump(JumpOp.JEQ, R1, 0, "out"),
        alu(AluOp.ADD, R0, 1),
        jump(JumpOp.JLT, R0, 9000, "loop"),
        mark("out"),
        mov(R0, 0),
        exit());
    refuse(
        "loops too often",
        "the program is too complex: its paths have more than 1000000 instructions; shorten its"
            + " loops",
        mov(R6, 0),
        mov(R0, 0),
        mark("loop"),
        alu(AluOp.ADD, R6, 1),
        jump(JumpOp.JLT, R6, 1_000_000, "loop"),
        exit());
    refuse(
        "has code that no path reaches",
        "no path reaches this instruction; remove it",
        mov(R0, 0),
        exit(),
        mov(R0, 1),
        exit());
    refuse(
        "falls off its end",
        "the function falls off its end; end it with exit or a jump",
        mov(R0, 0));
    refuse(
        "jumps nowhere",
        "the label nowhere marks no place in the program",
        mov(R0, 0),
        jump(JumpOp.JEQ, R0, 0, "nowhere"),
        exit());
    refuse(
        "marks a label twice",
        "the label here marks two places",
        mov(R0, 0),
        jump(JumpOp.JEQ, R0, 0, "here"),
        mark("here"),
        mark("here"),
        exit());
    refuse(
        "loads a packet",
        "tracing programs have no packet to load from",
        mov(R6, R1),
        new Instruction.LoadPacket(W, java.util.Optional.empty(), 0),
        mov(R0, 0),
        exit());
    accept(
        "skips what can not happen",
        mov(R0, 0),
        jump(JumpOp.JEQ, R0, 0, "out"),
        mov(R0, R5),
        mark("out"),
        exit());
    refuse(
        "initialises on one path only",
        "r6 is read before anything was written to it",
        ld(DW, R1, R1, 0),
        jump(JumpOp.JEQ, R1, 0, "out"),
        mov(R6, 1),
        mark("out"),
        mov(R0, R6),
        exit());
    accept("has many paths that meet", manyBranches());
  }

  private void functions() {
    accept(
        "calls a function",
        mov(R1, 4),
        callLocal("double"),
        exit(),
        mark("double"),
        mov(R0, R1),
        alu(AluOp.ADD, R0, R1),
        exit());
    accept(
        "hands its stack to a function",
        st(DW, R10, -8, 1),
        mov(R1, R10),
        alu(AluOp.ADD, R1, -8),
        callLocal("read"),
        exit(),
        mark("read"),
        ld(DW, R0, R1, 0),
        exit());
    refuse(
        "returns the stack of a function",
        "r0 points to the stack, which ends with the function",
        callLocal("f"),
        mov(R0, 0),
        exit(),
        mark("f"),
        mov(R0, R10),
        exit());
    refuse(
        "calls itself for ever",
        "functions call each other more than 8 deep",
        callLocal("f"),
        mov(R0, 0),
        exit(),
        mark("f"),
        callLocal("f"),
        mov(R0, 0),
        exit());
    refuse(
        "uses too much stack with its functions",
        "the functions called here need 544 bytes of stack together with their callers, but there"
            + " are 512",
        st(DW, R10, -256, 0),
        callLocal("f"),
        mov(R0, 0),
        exit(),
        mark("f"),
        st(DW, R10, -264, 0),
        mov(R0, 0),
        exit());
    refuse(
        "jumps into another function",
        "the jump to inside leaves its function",
        callLocal("f"),
        mov(R0, 0),
        jump(JumpOp.JEQ, R0, 0, "inside"),
        exit(),
        mark("f"),
        mov(R0, 0),
        mark("inside"),
        exit());
    refuse(
        "leaves the lost arguments unread",
        "r8 is read before anything was written to it",
        callLocal("f"),
        mov(R0, 0),
        exit(),
        mark("f"),
        mov(R0, R8),
        exit());
  }

  private static Instruction[] manyBranches() {
    List<Instruction> code = new ArrayList<>();
    code.add(ld(DW, R6, R1, 0));
    code.add(mov(R0, 0));
    for (int i = 0; i < 30; i++) {
      code.add(jump(JumpOp.JSET, R6, 1 << i, "skip" + i));
      code.add(alu(AluOp.ADD, R0, i));
      code.add(mark("skip" + i));
    }
    code.add(exit());
    return code.toArray(Instruction[]::new);
  }

  private static Instruction[] lookup(Instruction... body) {
    return around(
        List.of(
            st(DW, R10, -8, 1),
            map(R1, "stats"),
            mov(R2, R10),
            alu(AluOp.ADD, R2, -8),
            call(Helper.MAP_LOOKUP_ELEM)),
        body);
  }

  private static Instruction[] reserve(Instruction... body) {
    return around(
        List.of(map(R1, "events"), mov(R2, 32), mov(R3, 0), call(Helper.RINGBUF_RESERVE)), body);
  }

  private static Instruction[] around(List<Instruction> head, Instruction... body) {
    List<Instruction> code = new ArrayList<>(head);
    code.addAll(List.of(body));
    code.addAll(List.of(mark("out"), mov(R0, 0), exit()));
    return code.toArray(Instruction[]::new);
  }

  private void accept(String name, Instruction... code) {
    add(name, program(code), List.of());
  }

  private void refuse(String name, String message, Instruction... code) {
    add(name, program(code), List.of(message));
  }

  private void acceptIn(ProgramType type, String name, Instruction... code) {
    add(name, new BpfProgram("test", type, 24, List.of(code)), List.of());
  }

  private void refuseIn(ProgramType type, String name, String message, Instruction... code) {
    add(name, new BpfProgram("test", type, 24, List.of(code)), List.of(message));
  }

  private void add(String name, BpfProgram program, List<String> messages) {
    cases.add(new Case(name, program, messages));
  }

  static BpfProgram program(Instruction... code) {
    return new BpfProgram("test", ProgramType.KPROBE, 168, List.of(code));
  }

  private static Instruction[] code(Instruction... code) {
    return code;
  }

  static Instruction mov(Register dst, int value) {
    return alu(AluOp.MOV, dst, value);
  }

  static Instruction mov(Register dst, Register src) {
    return alu(AluOp.MOV, dst, src);
  }

  static Instruction alu(AluOp op, Register dst, int value) {
    return new Instruction.Alu(Width.W64, op, dst, Operand.of(value));
  }

  static Instruction alu(AluOp op, Register dst, Register src) {
    return new Instruction.Alu(Width.W64, op, dst, src);
  }

  static Instruction alu32(AluOp op, Register dst, int value) {
    return new Instruction.Alu(Width.W32, op, dst, Operand.of(value));
  }

  static Instruction ld(Size size, Register dst, Register base, int offset) {
    return new Instruction.Load(size, Extension.ZERO, dst, base, offset);
  }

  static Instruction st(Size size, Register base, int offset, int value) {
    return new Instruction.Store(size, base, offset, Operand.of(value));
  }

  static Instruction stx(Size size, Register base, int offset, Register src) {
    return new Instruction.Store(size, base, offset, src);
  }

  static Instruction atomic(Size size, AtomicOp op, Register base, int offset, Register src) {
    return new Instruction.Atomic(size, op, base, offset, src);
  }

  static Instruction map(Register dst, String name) {
    return new Instruction.LoadWide(dst, new WideSource.Map(name));
  }

  static Instruction call(Helper helper) {
    return new Instruction.CallHelper(helper.number());
  }

  static Instruction callLocal(String label) {
    return new Instruction.CallLocal(new Label(label));
  }

  static Instruction jump(JumpOp op, Register left, int right, String label) {
    return new Instruction.Jump(Width.W64, op, left, Operand.of(right), new Label(label));
  }

  static Instruction jump(String label) {
    return new Instruction.Goto(new Label(label));
  }

  static Instruction mark(String label) {
    return new Instruction.LabelMark(new Label(label));
  }

  static Instruction exit() {
    return new Instruction.Exit();
  }
}
