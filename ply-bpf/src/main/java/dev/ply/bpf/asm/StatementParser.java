package dev.ply.bpf.asm;

import dev.ply.bpf.asm.Notation.MemoryType;
import dev.ply.bpf.asm.Notation.SizedRegister;
import dev.ply.bpf.asm.Token.Kind;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallKernel;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.diagnostic.Suggestions;

/** Parses one instruction in the kernel's notation, by recursive descent. */
final class StatementParser {
  private final TokenReader in;

  StatementParser(TokenReader in) {
    this.in = in;
  }

  Instruction parse() {
    if (in.peek().is("*")) {
      return store();
    }
    if (in.peekRegister().isPresent()) {
      return assignment();
    }
    Token start = in.expect(Kind.WORD, "an instruction");
    return switch (start.text()) {
      case "exit" -> new Exit();
      case "goto", "gotol" -> new Goto(in.label());
      case "if" -> jump();
      case "call" -> call();
      case "lock" -> lockedUpdate();
      default -> throw new SyntaxException(start.span(), "expected an instruction, found " + start);
    };
  }

  private Instruction jump() {
    SizedRegister left = in.sizedRegister();
    JumpOp op = Notation.JUMP.get(in.peek().text());
    if (op == null) {
      throw in.expected("a comparison");
    }
    in.take();
    Operand right = comparand(left.width());
    if (!in.peek().isWord("goto")) {
      throw in.expected("\"goto\"");
    }
    in.take();
    return new Jump(left.width(), op, left.register(), right, in.label());
  }

  private Operand comparand(Width width) {
    if (in.peekRegister().isPresent()) {
      return in.register(width);
    }
    // The kernel prints the field as unsigned: 0xffffffff is -1.
    long most = in.peek().isHexadecimal() ? 0xffffffffL : Integer.MAX_VALUE;
    return new Immediate((int) in.number(Integer.MIN_VALUE, most));
  }

  private Instruction call() {
    Token name = in.peek();
    if (in.peekSecond().is("#")) {
      in.expect(Kind.WORD, "a function");
      in.expect("#");
      int number = in.integer();
      if (name.text().equals(Notation.KERNEL_FUNCTION)) {
        return new CallKernel(number);
      }
      String correct = Helper.ofNumber(number).map(Notation::name).orElse(Notation.UNKNOWN_HELPER);
      if (!name.text().equals(correct) && Notation.HELPERS.containsKey(name.text())) {
        throw new SyntaxException(
            name.span(), "helper " + number + " is not " + name.text() + " but " + correct);
      }
      return new CallHelper(number);
    }
    Helper helper = Notation.HELPERS.get(name.text());
    if (helper != null) {
      in.take();
      return new CallHelper(helper.number());
    }
    if (name.text().startsWith(Notation.HELPER_PREFIX)) {
      throw new SyntaxException(
          name.span(),
          "helper \"" + name.text() + "\" is unknown; write its number after \"#\"",
          Suggestions.hint(name.text(), Notation.HELPERS.keySet().stream()));
    }
    boolean isGlobal = name.isWord("global") && in.peekSecond().kind() == Kind.WORD;
    if (isGlobal) {
      in.take();
    }
    return new CallLocal(in.label(), isGlobal);
  }

  private Instruction store() {
    TokenReader.MemoryOperand memory =
        in.memoryOperand(in.pointerType(type -> !type.isSigned(), "u8, u16, u32 or u64"));
    in.expect("=");
    return new Store(memory.size(), memory.base(), memory.offset(), operand(Width.W64));
  }

  private Instruction lockedUpdate() {
    TokenReader.MemoryOperand memory =
        in.memoryOperand(in.pointerType(StatementParser::isAtomic, "u32 or u64"));
    AtomicOp op = Notation.ATOMIC.get(in.peek().text());
    if (op == null) {
      throw in.expected("one of " + String.join(" ", Notation.ATOMIC.keySet()));
    }
    in.take();
    return new Atomic(memory.size(), op, memory.base(), memory.offset(), in.register(Width.W64));
  }

  private Instruction assignment() {
    SizedRegister dst = in.sizedRegister();
    if (in.accept("=")) {
      return new ValueParser(in, dst).parse();
    }
    AluOp op = Notation.ALU.get(in.peek().text());
    if (op == null) {
      throw in.expected("an assignment");
    }
    in.take();
    return new Alu(dst.width(), op, dst.register(), operand(dst.width()));
  }

  private Operand operand(Width width) {
    return in.peekRegister().isPresent() ? in.register(width) : new Immediate(in.integer());
  }

  private static boolean isAtomic(MemoryType type) {
    return !type.isSigned() && type.size().bytes() >= Size.W.bytes();
  }
}
