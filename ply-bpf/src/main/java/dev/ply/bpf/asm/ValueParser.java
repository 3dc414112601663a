package dev.ply.bpf.asm;

import dev.ply.bpf.asm.Notation.AtomicFunction;
import dev.ply.bpf.asm.Notation.MemoryType;
import dev.ply.bpf.asm.Notation.SizedRegister;
import dev.ply.bpf.asm.Notation.Swap;
import dev.ply.bpf.asm.Token.Kind;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadPacket;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import java.util.Optional;

/** Parses the right-hand side of {@code dst =}. */
record ValueParser(TokenReader in, SizedRegister dst) {
  Instruction parse() {
    Token start = in.peek();
    if (start.is("-") && in.peekSecond().kind() != Kind.NUMBER) {
      in.take();
      in.sameRegister(dst);
      return new Negate(dst.width(), dst.register());
    }
    if (start.is("(")) {
      return signExtension();
    }
    if (in.peekRegister().isPresent()) {
      return new Alu(dst.width(), AluOp.MOV, dst.register(), in.register(dst.width()));
    }
    if (start.kind() == Kind.NUMBER || start.is("-")) {
      return constant();
    }
    if (dst.width() == Width.W32) {
      throw in.expected("a 32-bit register, a number or a type in parentheses");
    }
    return value64();
  }

  private Instruction signExtension() {
    in.expect("(");
    boolean wide = dst.width() == Width.W64;
    MemoryType from =
        in.memoryType(
            type -> type.isSigned() && (wide || type.size() != Size.W),
            wide ? "s8, s16 or s32" : "s8 or s16");
    in.expect(")");
    return new SignExtend(dst.width(), from.size(), dst.register(), in.register(dst.width()));
  }

  /** Parses a constant: hexadecimal is a 64-bit immediate load, decimal a move. */
  private Instruction constant() {
    boolean negative = in.peek().is("-");
    Token number = negative ? in.peekSecond() : in.peek();
    if (dst.width() == Width.W64 && !negative && number.isHexadecimal()) {
      return new LoadWide(dst.register(), new WideSource.Constant(in.wideNumber()));
    }
    return new Alu(dst.width(), AluOp.MOV, dst.register(), new Immediate(in.integer()));
  }

  private Instruction value64() {
    Token start = in.peek();
    if (start.is("*")) {
      return load();
    }
    if (start.kind() == Kind.MAP) {
      return new LoadWide(dst.register(), map());
    }
    Swap swap = Notation.SWAPS.get(start.text());
    if (swap != null) {
      in.take();
      in.sameRegister(dst);
      return new ByteSwap(swap.order(), swap.bits(), dst.register());
    }
    AtomicFunction function = Notation.ATOMIC_FUNCTIONS.get(start.text());
    if (function != null) {
      in.take();
      return fetch(function);
    }
    if (start.isWord("btf")) {
      in.take();
      in.expect("[");
      WideSource variable = new WideSource.Variable(in.integer());
      in.expect("]");
      return new LoadWide(dst.register(), variable);
    }
    if (start.isWord("subprog")) {
      in.take();
      in.expect("[");
      WideSource address = new WideSource.Function(in.label());
      in.expect("]");
      return new LoadWide(dst.register(), address);
    }
    if (start.isWord("mapidx")) {
      in.take();
      return new LoadWide(dst.register(), indexedMap());
    }
    throw in.expected("a value");
  }

  private WideSource indexedMap() {
    in.expect("[");
    int index = in.integer();
    in.expect("]");
    if (!in.accept("[")) {
      return new WideSource.IndexedMap(index);
    }
    in.number(0, 0);
    in.expect("]");
    return new WideSource.IndexedMapValue(index, in.integer());
  }

  private WideSource map() {
    String name = in.take().text();
    if (!in.accept("[")) {
      return new WideSource.Map(name);
    }
    in.number(0, 0);
    in.expect("]");
    return new WideSource.MapValue(name, in.integer());
  }

  private Instruction load() {
    MemoryType type = in.pointerType(any -> true, "u8, u16, u32, u64, s8, s16 or s32");
    if (in.peek().isWord("skb")) {
      return packetLoad(type);
    }
    TokenReader.MemoryOperand memory = in.memoryOperand(type);
    return new Load(type.size(), type.extension(), dst.register(), memory.base(), memory.offset());
  }

  private Instruction packetLoad(MemoryType type) {
    Token packet = in.take();
    if (!dst.register().equals(Register.R0) || type.size() == Size.DW || type.isSigned()) {
      throw new SyntaxException(packet.span(), "packet loads put u8, u16 or u32 into r0");
    }
    in.expect("[");
    Optional<Register> index = Optional.empty();
    if (in.peekRegister().isPresent()) {
      index = Optional.of(in.register(Width.W64));
      in.expect("+");
    }
    int offset = in.integer();
    in.expect("]");
    return new LoadPacket(type.size(), index, offset);
  }

  private Instruction fetch(AtomicFunction function) {
    in.expect("(");
    in.expect("(");
    MemoryType operand = new MemoryType(function.size(), Extension.ZERO);
    in.memoryType(operand::equals, operand.toString());
    in.expect("*");
    in.expect(")");
    TokenReader.MemoryOperand memory = in.memoryOperand(operand);
    in.expect(",");
    if (function.op() == AtomicOp.CMPXCHG) {
      in.sameRegister(new SizedRegister(Width.W64, Register.R0));
      in.expect(",");
    }
    Token last = in.peek();
    Register src = in.register(Width.W64);
    Register result = function.op() == AtomicOp.CMPXCHG ? Register.R0 : src;
    if (!dst.register().equals(result)) {
      throw new SyntaxException(
          last.span(), function + " leaves the old value in " + result + ", not in " + dst);
    }
    in.expect(")");
    return new Atomic(function.size(), function.op(), memory.base(), memory.offset(), src);
  }
}
