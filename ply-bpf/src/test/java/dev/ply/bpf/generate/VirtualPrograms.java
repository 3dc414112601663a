package dev.ply.bpf.generate;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes random programs over virtual registers that end with a number made of all of them, and
 * places them in the plainest way there is.
 */
public final class VirtualPrograms {
  private static final AluOp[] OPERATIONS = {
    AluOp.ADD, AluOp.SUB, AluOp.MUL, AluOp.XOR, AluOp.OR, AluOp.AND, AluOp.MOV, AluOp.MOV
  };
  private static final JumpOp[] CONDITIONS = {JumpOp.JEQ, JumpOp.JNE, JumpOp.JGT, JumpOp.JSLT};

  private final Random random;
  private final int registers;
  private final List<Instruction> code = new ArrayList<>();

  private VirtualPrograms(Random random, int registers) {
    this.random = random;
    this.registers = registers;
  }

  /** Returns a program of {@code steps} random steps over {@code registers} virtual registers. */
  public static List<Instruction> program(Random random, int registers, int steps) {
    return new VirtualPrograms(random, registers).program(steps);
  }

  private Register register() {
    return new Register(Register.FIRST_VIRTUAL + random.nextInt(registers));
  }

  private Operand operand() {
    return random.nextInt(3) == 0 ? new Immediate(random.nextInt(1000) - 500) : register();
  }

  private List<Instruction> program(int steps) {
    for (int i = 0; i < registers; i++) {
      Register each = new Register(Register.FIRST_VIRTUAL + i);
      code.add(new Instruction.Alu(Width.W64, AluOp.MOV, each, new Immediate(random.nextInt(99))));
    }
    List<Label> open = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      step(i, open);
    }
    open.forEach(label -> code.add(new Instruction.LabelMark(label)));
    Register sum = register();
    for (int i = 0; i < registers; i++) {
      Register each = new Register(Register.FIRST_VIRTUAL + i);
      code.add(new Instruction.Alu(Width.W64, AluOp.MUL, sum, new Immediate(31)));
      code.add(new Instruction.Alu(Width.W64, AluOp.ADD, sum, each));
    }
    code.add(new Instruction.Alu(Width.W64, AluOp.MOV, Register.R0, sum));
    code.add(new Instruction.Exit());
    return List.copyOf(code);
  }

  /** Adds an operation, a call, a jump ahead, or a place to jump to. */
  private void step(int number, List<Label> open) {
    switch (random.nextInt(10)) {
      case 0 -> {
        code.add(new Instruction.CallHelper(Helper.GET_SMP_PROCESSOR_ID.number()));
        code.add(new Instruction.Alu(Width.W64, AluOp.MOV, register(), Register.R0));
      }
      case 1, 2 -> {
        Label label = new Label("L" + number);
        JumpOp condition = CONDITIONS[random.nextInt(CONDITIONS.length)];
        code.add(new Instruction.Jump(Width.W64, condition, register(), operand(), label));
        open.add(label);
      }
      case 3, 4 -> {
        if (!open.isEmpty()) {
          code.add(new Instruction.LabelMark(open.remove(random.nextInt(open.size()))));
        }
      }
      default -> {
        Width width = random.nextInt(4) == 0 ? Width.W32 : Width.W64;
        AluOp op = OPERATIONS[random.nextInt(OPERATIONS.length)];
        code.add(new Instruction.Alu(width, op, register(), operand()));
      }
    }
  }

  /** Returns the program with a word of stack for each virtual register. */
  public static List<Instruction> onStack(List<Instruction> virtual) {
    List<Instruction> placed = new ArrayList<>();
    for (Instruction instruction : virtual) {
      RegisterUse use = RegisterUse.of(instruction);
      List<Register> named = new ArrayList<>(use.reads());
      named.addAll(use.writes());
      List<Register> places = named.stream().filter(Register::isVirtual).distinct().toList();
      for (Register read : use.reads()) {
        if (read.isVirtual()) {
          placed.add(
              new Instruction.Load(
                  Size.DW, Extension.ZERO, place(places, read), Register.R10, slot(read)));
        }
      }
      placed.add(
          RegisterUse.rename(
              instruction, register -> register.isVirtual() ? place(places, register) : register));
      for (Register written : use.writes()) {
        if (written.isVirtual()) {
          placed.add(
              new Instruction.Store(Size.DW, Register.R10, slot(written), place(places, written)));
        }
      }
    }
    return List.copyOf(placed);
  }

  private static Register place(List<Register> places, Register register) {
    return new Register(6 + places.indexOf(register));
  }

  private static int slot(Register register) {
    return -8 * (register.number() - Register.FIRST_VIRTUAL + 1);
  }
}
