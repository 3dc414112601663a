package dev.ply.bpf.verifier;

import static dev.ply.bpf.isa.Register.R0;
import static dev.ply.bpf.isa.Register.R1;
import static dev.ply.bpf.isa.Register.R10;
import static dev.ply.bpf.isa.Register.R5;
import static dev.ply.bpf.isa.Register.R6;
import static dev.ply.bpf.isa.Register.R8;
import static dev.ply.bpf.isa.Size.DW;
import static dev.ply.bpf.isa.Size.W;
import static dev.ply.bpf.verifier.Code.alu;
import static dev.ply.bpf.verifier.Code.callLocal;
import static dev.ply.bpf.verifier.Code.exit;
import static dev.ply.bpf.verifier.Code.jump;
import static dev.ply.bpf.verifier.Code.ld;
import static dev.ply.bpf.verifier.Code.mark;
import static dev.ply.bpf.verifier.Code.mov;
import static dev.ply.bpf.verifier.Code.st;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import java.util.ArrayList;
import java.util.List;

/** Jumps, loops, and functions of the program. */
final class FlowCases {
  private FlowCases() {}

  static void addTo(VerifierCases cases) {
    controlFlow(cases);
    functions(cases);
  }

  private static void controlFlow(VerifierCases cases) {
    cases.accept(
        "loops a known number of times",
        mov(R6, 0),
        mov(R0, 0),
        mark("loop"),
        alu(AluOp.ADD, R0, 2),
        alu(AluOp.ADD, R6, 1),
        jump(JumpOp.JLT, R6, 100, "loop"),
        exit());
    cases.refuse(
        "loops forever",
        "infinite loop: this instruction is reached again in the same state",
        mov(R0, 0),
        mark("loop"),
        jump("loop"));
    cases.refuse(
        "loops in an unchanged state",
        "infinite loop: this instruction is reached again in the same state",
        mov(R6, R1),
        mov(R0, 0),
        mark("loop"),
        ld(DW, R1, R6, 0),
        jump(JumpOp.JNE, R1, 0, "loop"),
        exit());
    cases.refuse(
        "has too many loop exits",
        "the program is too complex: more than 8192 branches are pending; shorten its" + " loops",
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
    cases.refuse(
        "loops too often",
        "the program is too complex: its paths have more than 1000000 instructions; shorten its"
            + " loops",
        mov(R6, 0),
        mov(R0, 0),
        mark("loop"),
        alu(AluOp.ADD, R6, 1),
        jump(JumpOp.JLT, R6, 1_000_000, "loop"),
        exit());
    cases.refuse(
        "has code that no path reaches",
        "no path reaches this instruction; remove it",
        mov(R0, 0),
        exit(),
        mov(R0, 1),
        exit());
    cases.refuse(
        "falls off its end",
        "the function falls off its end; end it with exit or a jump",
        mov(R0, 0));
    cases.refuse(
        "jumps to an undefined label",
        "label nowhere is not defined",
        mov(R0, 0),
        jump(JumpOp.JEQ, R0, 0, "nowhere"),
        exit());
    cases.refuse(
        "defines a label twice",
        "label here is defined twice",
        mov(R0, 0),
        jump(JumpOp.JEQ, R0, 0, "here"),
        mark("here"),
        mark("here"),
        exit());
    cases.refuse(
        "loads a packet",
        "tracing programs have no packet to load from",
        mov(R6, R1),
        new Instruction.LoadPacket(W, java.util.Optional.empty(), 0),
        mov(R0, 0),
        exit());
    cases.accept(
        "skips an infeasible branch",
        mov(R0, 0),
        jump(JumpOp.JEQ, R0, 0, "out"),
        mov(R0, R5),
        mark("out"),
        exit());
    cases.refuse(
        "initialises on one path only",
        "r6 is read before it is written",
        ld(DW, R1, R1, 0),
        jump(JumpOp.JEQ, R1, 0, "out"),
        mov(R6, 1),
        mark("out"),
        mov(R0, R6),
        exit());
    cases.accept("has many paths that meet", manyBranches());
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

  private static void functions(VerifierCases cases) {
    cases.accept(
        "calls a function",
        mov(R1, 4),
        callLocal("double"),
        exit(),
        mark("double"),
        mov(R0, R1),
        alu(AluOp.ADD, R0, R1),
        exit());
    cases.accept(
        "passes its stack to a function",
        st(DW, R10, -8, 1),
        mov(R1, R10),
        alu(AluOp.ADD, R1, -8),
        callLocal("read"),
        exit(),
        mark("read"),
        ld(DW, R0, R1, 0),
        exit());
    cases.refuse(
        "returns the stack of a function",
        "r0 points to the stack frame of the function, which is freed on return",
        callLocal("f"),
        mov(R0, 0),
        exit(),
        mark("f"),
        mov(R0, R10),
        exit());
    cases.refuse(
        "recurses forever",
        "calls nest more than 8 frames deep",
        callLocal("f"),
        mov(R0, 0),
        exit(),
        mark("f"),
        callLocal("f"),
        mov(R0, 0),
        exit());
    cases.refuse(
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
    cases.refuse(
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
    cases.refuse(
        "does not read clobbered arguments",
        "r8 is read before it is written",
        callLocal("f"),
        mov(R0, 0),
        exit(),
        mark("f"),
        mov(R0, R8),
        exit());
  }
}
