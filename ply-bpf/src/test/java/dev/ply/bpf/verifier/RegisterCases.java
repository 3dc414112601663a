package dev.ply.bpf.verifier;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R2;
import static dev.ply.bpf.isa.Register.R3;
import static dev.ply.bpf.isa.Register.R6;
import static dev.ply.bpf.isa.Size.B;
import static dev.ply.bpf.verifier.Code.alu;
import static dev.ply.bpf.verifier.Code.alu32;
import static dev.ply.bpf.verifier.Code.call;
import static dev.ply.bpf.verifier.Code.exit;
import static dev.ply.bpf.verifier.Code.mov;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Width;

/** What registers hold, and arithmetic on it. */
final class RegisterCases {
  private RegisterCases() {}

  static void addTo(VerifierCases cases) {
    registers(cases);
    arithmetic(cases);
  }

  private static void registers(VerifierCases cases) {
    cases.accept("returns a constant", mov(R0, 0), exit());
    cases.refuse(
        "reads an uninitialised register", "r3 is read before it is written", mov(R0, R3), exit());
    cases.refuse("returns an uninitialised r0", "r0 is read before it is written", exit());
    cases.refuse(
        "reads an argument after a call",
        "r1 is read, but a call has clobbered it",
        call(Helper.KTIME_GET_NS),
        mov(R0, R1),
        exit());
    cases.accept(
        "keeps r6 across calls", mov(R6, 1), call(Helper.KTIME_GET_NS), mov(R0, R6), exit());
    cases.refuse("writes r10", "r10 is read-only", mov(R10, 0), mov(R0, 0), exit());
    cases.refuse(
        "returns a pointer",
        "r0 is a pointer, but the program's result must be a number",
        mov(R0, R1),
        exit());
  }

  private static void arithmetic(VerifierCases cases) {
    cases.refuse(
        "divides by the constant zero",
        "division by the constant zero",
        mov(R0, 1),
        alu(AluOp.DIV, R0, 0),
        exit());
    cases.accept("divides by a register", mov(R0, 1), mov(R2, 0), alu(AluOp.DIV, R0, R2), exit());
    cases.refuse(
        "shifts too far",
        "a shift of 64 bits by 64; 0 to 63 are allowed",
        mov(R0, 1),
        alu(AluOp.LSH, R0, 64),
        exit());
    cases.refuse(
        "shifts 32 bits too far",
        "a shift of 32 bits by 32; 0 to 31 are allowed",
        mov(R0, 1),
        alu32(AluOp.RSH, R0, 32),
        exit());
    cases.refuse(
        "multiplies a pointer",
        "r1 is a pointer: only + and - are allowed, not *=",
        alu(AluOp.MUL, R1, 2),
        mov(R0, 0),
        exit());
    cases.refuse(
        "adds 32 bits to a pointer",
        "r2 is a pointer, which 32-bit arithmetic would truncate",
        mov(R2, R10),
        alu32(AluOp.ADD, R2, 2),
        mov(R0, 0),
        exit());
    cases.refuse(
        "subtracts from the frame pointer",
        "the kernel does not subtract from stack pointers; add a negative number to r2",
        mov(R2, R10),
        alu(AluOp.SUB, R2, 8),
        mov(R0, 0),
        exit());
    cases.accept(
        "subtracts two pointers", mov(R2, R10), mov(R0, R10), alu(AluOp.SUB, R0, R2), exit());
    cases.accept(
        "subtracts half of a pointer from a number",
        mov(R0, 1),
        new Instruction.Alu(Width.W32, AluOp.SUB, R0, R10),
        exit());
    cases.refuse(
        "subtracts a pointer from a number",
        "a pointer cannot be subtracted from the number in r0",
        mov(R0, 1),
        alu(AluOp.SUB, R0, R10),
        mov(R0, 0),
        exit());
    cases.refuse(
        "adds two pointers",
        "two pointers, r2 and r10, can only be subtracted",
        mov(R2, R10),
        alu(AluOp.ADD, R2, R10),
        mov(R0, 0),
        exit());
    cases.accept(
        "converts a pointer to a scalar",
        new Instruction.Negate(Width.W64, R1),
        new Instruction.Negate(Width.W64, R1),
        alu(AluOp.AND, R1, 7),
        mov(R0, R1),
        exit());
    cases.accept(
        "sign-extends and swaps numbers",
        mov(R0, 300),
        new Instruction.SignExtend(Width.W64, B, R0, R0),
        new Instruction.ByteSwap(Instruction.ByteSwap.Order.BIG, 16, R0),
        new Instruction.Negate(Width.W32, R0),
        exit());
  }
}
