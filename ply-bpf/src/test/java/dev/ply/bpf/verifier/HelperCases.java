package dev.ply.bpf.verifier;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Register.R4;
import static dev.ply.bpf.isa.Register.R6;
import static dev.ply.bpf.isa.Size.DW;
import static dev.ply.bpf.isa.Size.W;
import static dev.ply.bpf.verifier.Code.alu;
import static dev.ply.bpf.verifier.Code.call;
import static dev.ply.bpf.verifier.Code.code;
import static dev.ply.bpf.verifier.Code.exit;
import static dev.ply.bpf.verifier.Code.jump;
import static dev.ply.bpf.verifier.Code.ld;
import static dev.ply.bpf.verifier.Code.map;
import static dev.ply.bpf.verifier.Code.mark;
import static dev.ply.bpf.verifier.Code.mov;
import static dev.ply.bpf.verifier.Code.reserve;
import static dev.ply.bpf.verifier.Code.st;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.object.ProgramType;

/** Calls of helpers, what programs of which type may call, and records. */
final class HelperCases {
  private HelperCases() {}

  static void addTo(VerifierCases cases) {
    helpers(cases);
    mapsOfMaps(cases);
    programTypes(cases);
    records(cases);
  }

  private static void mapsOfMaps(VerifierCases cases) {
    cases.accept(
        "looks up in a map of maps",
        st(DW, R10, -8, 0),
        map(R1, "maps"),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        jump(JumpOp.JEQ, R0, 0, "out"),
        mov(R1, R0),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        jump(JumpOp.JEQ, R0, 0, "out"),
        ld(DW, R0, R0, 56),
        mark("out"),
        mov(R0, 0),
        exit());
    cases.refuse(
        "looks up in a map that may be missing",
        "map_lookup_elem takes a hash or array map in r1, which may be null; compare it with 0"
            + " first",
        st(DW, R10, -8, 0),
        map(R1, "maps"),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        mov(R1, R0),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        mov(R0, 0),
        exit());
    cases.refuse(
        "updates a map of maps",
        "map_update_elem takes a hash or array map, but the map \"maps\" is of type ARRAY_OF_MAPS",
        st(DW, R10, -8, 0),
        map(R1, "maps"),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        mov(R3, R2),
        mov(R4, 0),
        call(Helper.MAP_UPDATE_ELEM),
        mov(R0, 0),
        exit());
  }

  private static void helpers(VerifierCases cases) {
    cases.accept(
        "fills a buffer",
        mov(R1, R10),
        alu(AluOp.ADD, R1, -16),
        mov(R2, 16),
        call(Helper.GET_CURRENT_COMM),
        ld(DW, R0, R10, -16),
        exit());
    cases.refuse(
        "fills a buffer of size 0",
        "the size in r2 for get_current_comm may be zero",
        mov(R1, R10),
        alu(AluOp.ADD, R1, -16),
        mov(R2, 0),
        call(Helper.GET_CURRENT_COMM),
        mov(R0, 0),
        exit());
    cases.refuse(
        "fills beyond a buffer",
        "stack write of 24 bytes at fp-16 is outside the 512 bytes below fp",
        mov(R1, R10),
        alu(AluOp.ADD, R1, -16),
        mov(R2, 24),
        call(Helper.GET_CURRENT_COMM),
        mov(R0, 0),
        exit());
    cases.refuse(
        "reads with a size that is not bounded",
        "the size in r2 for probe_read_kernel may be negative; compare it or mask it first",
        ld(DW, R2, R1, 0),
        mov(R3, 0),
        mov(R1, R10),
        alu(AluOp.ADD, R1, -16),
        call(Helper.PROBE_READ_KERNEL),
        mov(R0, 0),
        exit());
    cases.accept(
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
    cases.refuse(
        "looks up an uninitialised key",
        "stack read of 8 bytes at fp-8, which is uninitialised",
        map(R1, "stats"),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        mov(R0, 0),
        exit());
    cases.refuse(
        "looks up in a ring buffer",
        "map_lookup_elem takes a hash or array map, but the map \"events\" is of type RINGBUF",
        st(DW, R10, -8, 0),
        map(R1, "events"),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        mov(R0, 0),
        exit());
    cases.refuse(
        "looks up in a number",
        "map_lookup_elem takes a hash or array map in r1, which is a number",
        st(DW, R10, -8, 0),
        mov(R1, 5),
        mov(R2, R10),
        alu(AluOp.ADD, R2, -8),
        call(Helper.MAP_LOOKUP_ELEM),
        mov(R0, 0),
        exit());
    cases.refuse(
        "refers to a missing map", "map \"nope\" not found", map(R1, "nope"), mov(R0, 0), exit());
    cases.accept(
        "takes a stack trace", map(R2, "stacks"), mov(R3, 0), call(Helper.GET_STACKID), exit());
    cases.refuse(
        "takes a stack trace without the context",
        "get_stackid takes the context in r1, which is a number",
        mov(R1, 0),
        map(R2, "stacks"),
        mov(R3, 0),
        call(Helper.GET_STACKID),
        exit());
    cases.refuse(
        "calls an unknown helper",
        "helper 9999 is unknown",
        new Instruction.CallHelper(9999),
        mov(R0, 0),
        exit());
    cases.refuse(
        "calls a kernel function",
        "calls of kernel functions are not supported; BTF ID 7",
        new Instruction.CallKernel(7),
        mov(R0, 0),
        exit());
    cases.refuse(
        "uses the length of a string beyond its buffer",
        "8 bytes at offsets 0 to 64 may be outside the 64-byte value of map \"single\"",
        stringInto(64));
    cases.accept("uses the length of a string", stringInto(56));
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

  private static void programTypes(VerifierCases cases) {
    cases.refuseIn(
        ProgramType.TRACEPOINT,
        "overrides a return value in a tracepoint",
        "override_return cannot be called in programs of type TRACEPOINT",
        mov(R2, 0),
        call(Helper.OVERRIDE_RETURN),
        mov(R0, 0),
        exit());
    cases.refuseIn(
        ProgramType.FENTRY,
        "returns another number than 0 at a function's entry",
        "r0 must be 0 at the end of a program of type FENTRY",
        mov(R0, 1),
        exit());
    cases.refuseIn(
        ProgramType.FEXIT,
        "reads an argument from its middle",
        "arguments are 8 bytes each and are read from their start",
        ld(W, R2, R1, 4),
        mov(R0, 0),
        exit());
    cases.acceptIn(
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
    cases.accept(
        "loads a field of the running task",
        call(Helper.GET_CURRENT_TASK_BTF),
        ld(W, R0, R0, 16),
        exit());
    cases.refuse(
        "writes a field of the running task",
        "r0 is the kernel's task_struct, which is read-only",
        call(Helper.GET_CURRENT_TASK_BTF),
        st(W, R0, 16, 0),
        mov(R0, 0),
        exit());
    cases.accept(
        "prints with any number of values",
        mov(R1, R10),
        alu(AluOp.ADD, R1, -8),
        st(DW, R10, -8, 37),
        mov(R2, 8),
        call(Helper.TRACE_PRINTK),
        exit());
  }

  private static void records(VerifierCases cases) {
    cases.accept(
        "submits a record",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            st(DW, R0, 24, 1),
            mov(R1, R0),
            mov(R2, 0),
            call(Helper.RINGBUF_SUBMIT)));
    cases.accept(
        "tests a record twice",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            mov(R1, R0),
            jump(JumpOp.JEQ, R1, 0, "out"),
            mov(R2, 0),
            call(Helper.RINGBUF_SUBMIT)));
    cases.refuse(
        "leaks a record",
        "the program exits with the record that instruction 4 reserved; submit or discard it on"
            + " every path",
        reserve(jump(JumpOp.JEQ, R0, 0, "out"), st(DW, R0, 24, 1)));
    cases.refuse(
        "writes beyond a record",
        "offset 32 is outside the record of 32 bytes",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            st(DW, R0, 32, 1),
            mov(R1, R0),
            mov(R2, 0),
            call(Helper.RINGBUF_DISCARD)));
    cases.refuse(
        "uses a record after its submission",
        "r6 is read, but the record it pointed to was released",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            mov(R6, R0),
            mov(R1, R0),
            mov(R2, 0),
            call(Helper.RINGBUF_SUBMIT),
            st(DW, R6, 0, 1)));
    cases.refuse(
        "submits a record that may be null",
        "r1 may be null: ringbuf_reserve found no room; test it first",
        reserve(mov(R1, R0), mov(R2, 0), call(Helper.RINGBUF_SUBMIT), jump("out")));
    cases.refuse(
        "submits from the middle of a record",
        "ringbuf_submit takes the start of the record, not an address inside it",
        reserve(
            jump(JumpOp.JEQ, R0, 0, "out"),
            mov(R1, R0),
            alu(AluOp.ADD, R1, 8),
            mov(R2, 0),
            call(Helper.RINGBUF_SUBMIT)));
    cases.refuse(
        "reserves a size known at run time only",
        "ringbuf_reserve takes a constant in r2, which is known only at run time",
        ld(W, R2, R1, 0),
        map(R1, "events"),
        mov(R3, 0),
        call(Helper.RINGBUF_RESERVE),
        mov(R0, 0),
        exit());
  }
}
