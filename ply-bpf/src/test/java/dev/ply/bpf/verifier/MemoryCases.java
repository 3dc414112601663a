package dev.ply.bpf.verifier;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Register.R6;
import static dev.ply.bpf.isa.Size.B;
import static dev.ply.bpf.isa.Size.DW;
import static dev.ply.bpf.isa.Size.H;
import static dev.ply.bpf.isa.Size.W;
import static dev.ply.bpf.verifier.Code.alu;
import static dev.ply.bpf.verifier.Code.atomic;
import static dev.ply.bpf.verifier.Code.call;
import static dev.ply.bpf.verifier.Code.exit;
import static dev.ply.bpf.verifier.Code.jump;
import static dev.ply.bpf.verifier.Code.ld;
import static dev.ply.bpf.verifier.Code.lookup;
import static dev.ply.bpf.verifier.Code.mark;
import static dev.ply.bpf.verifier.Code.mov;
import static dev.ply.bpf.verifier.Code.st;
import static dev.ply.bpf.verifier.Code.stx;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.object.ProgramType;
import java.util.List;

/** Loads and stores in the stack, in values of maps and in the context. */
final class MemoryCases {
  private MemoryCases() {}

  static void addTo(VerifierCases cases) {
    stack(cases);
    mapValues(cases);
    context(cases);
  }

  private static void stack(VerifierCases cases) {
    cases.accept("stores and loads", st(DW, R10, -8, 7), ld(DW, R0, R10, -8), exit());
    cases.refuse(
        "loads half-initialised stack",
        "stack read of 8 bytes at fp-24, of which only 4 are initialised",
        st(W, R10, -24, 0),
        ld(DW, R0, R10, -24),
        exit());
    cases.refuse(
        "stores below the stack",
        "stack write of 8 bytes at fp-520 is outside the 512 bytes below fp",
        st(DW, R10, -520, 0),
        mov(R0, 0),
        exit());
    cases.refuse(
        "stores above the stack",
        "stack write of 4 bytes at fp+0 is outside the 512 bytes below fp",
        st(W, R10, 0, 0),
        mov(R0, 0),
        exit());
    cases.refuse(
        "stores misaligned",
        "stack write of 8 bytes at fp-12 is not aligned to its size",
        st(DW, R10, -12, 0),
        mov(R0, 0),
        exit());
    cases.accept(
        "spills the context and loads from it",
        stx(DW, R10, -8, R1),
        ld(DW, R2, R10, -8),
        ld(DW, R0, R2, 0),
        exit());
    cases.refuse(
        "spills half a pointer",
        "r1 is a pointer, which only a store of 8 bytes preserves",
        stx(W, R10, -8, R1),
        mov(R0, 0),
        exit());
    cases.refuse(
        "loads half a spilled pointer",
        "stack read of 4 bytes at fp-8 splits a pointer",
        stx(DW, R10, -8, R1),
        ld(W, R0, R10, -8),
        exit());
    cases.accept(
        "indexes the stack by a masked number",
        st(DW, R10, -16, 0),
        st(DW, R10, -8, 0),
        ld(DW, R2, R1, 0),
        alu(AluOp.AND, R2, 15),
        mov(R3, R10),
        alu(AluOp.ADD, R3, R2),
        ld(B, R0, R3, -16),
        exit());
    cases.accept(
        "counts atomically on the stack",
        st(DW, R10, -8, 0),
        mov(R2, 1),
        atomic(DW, AtomicOp.FETCH_ADD, R10, -8, R2),
        mov(R0, R2),
        exit());
    cases.accept(
        "adds a number loaded from the stack to a pointer",
        mov(R2, 8),
        stx(DW, R10, -8, R2),
        atomic(DW, AtomicOp.FETCH_ADD, R10, -8, R2),
        mov(R3, R10),
        alu(AluOp.ADD, R3, R2),
        ld(B, R0, R3, -16),
        exit());
    cases.refuse(
        "loads through a number",
        "r2 is a number, not a pointer to accessible memory; read through addresses with"
            + " probe_read_kernel or probe_read_user",
        mov(R2, 4096),
        ld(DW, R0, R2, 0),
        exit());
  }

  private static void mapValues(VerifierCases cases) {
    cases.accept(
        "tests a value for null", lookup(jump(JumpOp.JEQ, R0, 0, "out"), ld(DW, R1, R0, 40)));
    cases.accept(
        "tests a copy for null",
        lookup(mov(R6, R0), jump(JumpOp.JEQ, R6, 0, "out"), ld(DW, R1, R0, 40)));
    cases.accept(
        "tests with not equal",
        lookup(jump(JumpOp.JNE, R0, 0, "found"), jump("out"), mark("found"), st(DW, R0, 8, 1)));
    cases.refuse(
        "omits the null test",
        "r0 may be null: map_lookup_elem found nothing; test it first",
        lookup(ld(DW, R1, R0, 0)));
    cases.refuse(
        "does arithmetic before the test",
        "r0 may be null; test it before arithmetic",
        lookup(alu(AluOp.ADD, R0, 8)));
    cases.refuse(
        "loads outside the value",
        "offset 700 is outside the 48-byte value of map \"stats\"",
        lookup(jump(JumpOp.JEQ, R0, 0, "out"), ld(DW, R1, R0, 700)));
    cases.refuse(
        "loads across the value's end",
        "8 bytes at offset 44 reach beyond the 48-byte value of map \"stats\"",
        lookup(jump(JumpOp.JEQ, R0, 0, "out"), ld(DW, R1, R0, 44)));
    cases.refuse(
        "indexes without a bound",
        "the number added to the pointer r0 is not bounded; compare it or mask it first",
        lookup(jump(JumpOp.JEQ, R0, 0, "out"), ld(DW, R1, R0, 0), alu(AluOp.ADD, R0, R1)));
    cases.accept(
        "indexes below a compared bound",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            ld(DW, R1, R0, 0),
            jump(JumpOp.JGT, R1, 5, "out"),
            alu(AluOp.LSH, R1, 3),
            alu(AluOp.ADD, R0, R1),
            st(DW, R0, 0, 1)));
    cases.refuse(
        "indexes below a bound too high",
        "8 bytes at offsets 0 to 48 may be outside the 48-byte value of map \"stats\"",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            ld(DW, R1, R0, 0),
            jump(JumpOp.JGT, R1, 6, "out"),
            alu(AluOp.LSH, R1, 3),
            alu(AluOp.ADD, R0, R1),
            st(DW, R0, 0, 1)));
    cases.refuse(
        "indexes by a possibly negative number",
        "the offset of r0 into the 48-byte value of map \"stats\" may be negative; compare it or"
            + " mask it first",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            new Instruction.Load(B, Extension.SIGN, R1, R0, 0),
            jump(JumpOp.JSGT, R1, 5, "out"),
            alu(AluOp.ADD, R0, R1),
            st(B, R0, 0, 1)));
    cases.accept(
        "bounds a number through its copy",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            ld(DW, R1, R0, 0),
            mov(R2, R1),
            jump(JumpOp.JGT, R2, 40, "out"),
            alu(AluOp.ADD, R0, R1),
            st(B, R0, 0, 1)));
    cases.accept(
        "bounds a spilled number",
        lookup(
            jump(JumpOp.JEQ, R0, 0, "out"),
            ld(DW, R1, R0, 0),
            stx(DW, R10, -16, R1),
            jump(JumpOp.JGT, R1, 40, "out"),
            ld(DW, R2, R10, -16),
            alu(AluOp.ADD, R0, R2),
            st(B, R0, 0, 1)));
    cases.accept(
        "addresses an array's value directly",
        new Instruction.LoadWide(R1, new WideSource.MapValue("single", 56)),
        st(DW, R1, 0, 1),
        mov(R0, 0),
        exit());
    cases.refuse(
        "addresses an array of several values",
        "values can be addressed directly in arrays of one entry only, but the map \"array\" has 4",
        new Instruction.LoadWide(R1, new WideSource.MapValue("array", 0)),
        mov(R0, 0),
        exit());
    cases.refuse(
        "addresses beyond an array's value",
        "offset 64 is outside the 64-byte value of map \"single\"",
        new Instruction.LoadWide(R1, new WideSource.MapValue("single", 64)),
        mov(R0, 0),
        exit());
    cases.refuse(
        "does a misaligned atomic operation",
        "an atomic operation of 8 bytes needs an offset that is a multiple of 8",
        lookup(jump(JumpOp.JEQ, R0, 0, "out"), mov(R1, 1), atomic(DW, AtomicOp.ADD, R0, 4, R1)));
  }

  private static void context(VerifierCases cases) {
    cases.accept("loads from the context", ld(DW, R0, R1, 160), exit());
    cases.accept("loads less from the context", ld(H, R0, R1, 2), exit());
    cases.refuse(
        "loads beyond the context",
        "8 bytes at offset 168 are outside the 168-byte context",
        ld(DW, R0, R1, 168),
        exit());
    cases.refuse(
        "loads misaligned from the context",
        "context read of 8 bytes at offset 4 is not aligned to its size",
        ld(DW, R0, R1, 4),
        exit());
    cases.refuse(
        "stores to the context", "the context is read-only", st(DW, R1, 0, 1), mov(R0, 0), exit());
    cases.refuse(
        "loads from a moved context",
        "r1 is the context plus an offset; move the offset into the load",
        alu(AluOp.ADD, R1, 8),
        ld(DW, R0, R1, 0),
        exit());
    cases.refuse(
        "loads from the context at a variable offset",
        "r1 is the context plus an offset; move the offset into the load",
        ld(H, R2, R1, 8),
        alu(AluOp.ADD, R1, R2),
        ld(DW, R0, R1, 0),
        exit());
    cases.accept(
        "probe-reads at a variable offset from the context",
        ld(H, R3, R1, 8),
        alu(AluOp.ADD, R3, R1),
        mov(R1, R10),
        alu(AluOp.ADD, R1, -8),
        mov(R2, 8),
        call(Helper.PROBE_READ_KERNEL),
        exit());
    cases.add(
        "loads the head of a tracepoint's context",
        new BpfProgram("test", ProgramType.TRACEPOINT, 64, List.of(ld(DW, R0, R1, 0), exit())),
        List.of("the first 8 bytes of a tracepoint context are reserved for the kernel"));
    cases.add(
        "loads a field of a tracepoint's context",
        new BpfProgram("test", ProgramType.TRACEPOINT, 64, List.of(ld(W, R0, R1, 8), exit())),
        List.of());
  }
}
