package dev.ply.bpf.asm;

import com.google.common.collect.ImmutableMap;
import dev.ply.bpf.asm.Token.Kind;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.diagnostic.Suggestions;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Parses one instruction in the mnemonic notation. */
final class MnemonicParser {
  private static final ImmutableMap<String, Function<MnemonicParser, Instruction>> MNEMONICS =
      mnemonics();
  private static final ImmutableMap<String, Function<MnemonicParser, Instruction>> LOCKED =
      locked();

  private final TokenReader in;

  MnemonicParser(TokenReader in) {
    this.in = in;
  }

  Instruction parse() {
    Token name = in.expect(Kind.WORD, "an instruction");
    if (!name.isWord("lock")) {
      return find(MNEMONICS, name, "an instruction").apply(this);
    }
    boolean fetch = in.peek().isWord("fetch");
    if (fetch) {
      in.take();
    }
    Token operation = in.expect(Kind.WORD, "an atomic operation");
    String key = (fetch ? "fetch_" : "") + operation.text();
    return find(LOCKED, new Token(Kind.WORD, key, operation.span()), "an atomic operation")
        .apply(this);
  }

  private static Function<MnemonicParser, Instruction> find(
      Map<String, Function<MnemonicParser, Instruction>> table, Token name, String description) {
    Function<MnemonicParser, Instruction> reader = table.get(name.text());
    if (reader == null) {
      throw new SyntaxException(
          name.span(),
          "expected " + description + ", found " + name,
          Suggestions.hint(name.text(), table.keySet().stream()));
    }
    return reader;
  }

  private static ImmutableMap<String, Function<MnemonicParser, Instruction>> mnemonics() {
    ImmutableMap.Builder<String, Function<MnemonicParser, Instruction>> table =
        ImmutableMap.builder();
    for (Width width : Width.values()) {
      String suffix = width == Width.W32 ? "32" : "";
      for (AluOp op : AluOp.values()) {
        table.put(name(op) + suffix, parser -> parser.alu(width, op));
      }
      for (JumpOp op : JumpOp.values()) {
        table.put(name(op) + suffix, parser -> parser.jump(width, op));
      }
      table.put("neg" + suffix, parser -> new Negate(width, parser.register()));
      table.put("ja" + suffix, parser -> new Goto(parser.in.labelOrDistance()));
    }
    for (Size size : Size.values()) {
      String suffix = name(size);
      table.put("ldx" + suffix, parser -> parser.load(size, Extension.ZERO));
      table.put("st" + suffix, parser -> parser.store(size, false));
      table.put("stx" + suffix, parser -> parser.store(size, true));
      if (size != Size.DW) {
        table.put("ldxs" + suffix, parser -> parser.load(size, Extension.SIGN));
        int bits = size.bytes() * Byte.SIZE;
        table.put("movsx" + bits + "64", parser -> parser.signExtend(Width.W64, size));
        if (size != Size.W) {
          table.put("movsx" + bits + "32", parser -> parser.signExtend(Width.W32, size));
        }
      }
    }
    for (int bits : new int[] {16, 32, 64}) {
      table.put("le" + bits, parser -> parser.swap(ByteSwap.Order.LITTLE, bits));
      table.put("be" + bits, parser -> parser.swap(ByteSwap.Order.BIG, bits));
      table.put("swap" + bits, parser -> parser.swap(ByteSwap.Order.SWAPPED, bits));
      table.put("bswap" + bits, parser -> parser.swap(ByteSwap.Order.SWAPPED, bits));
    }
    table.put("lddw", MnemonicParser::loadWide);
    table.put("call", MnemonicParser::call);
    table.put("exit", parser -> new Exit());
    return table.buildOrThrow();
  }

  private static ImmutableMap<String, Function<MnemonicParser, Instruction>> locked() {
    ImmutableMap.Builder<String, Function<MnemonicParser, Instruction>> table =
        ImmutableMap.builder();
    for (AtomicOp op : AtomicOp.values()) {
      table.put(name(op), parser -> parser.atomic(Size.DW, op));
      table.put(name(op) + "32", parser -> parser.atomic(Size.W, op));
    }
    return table.buildOrThrow();
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private Instruction alu(Width width, AluOp op) {
    Register dst = register();
    in.expect(",");
    return new Alu(width, op, dst, operand());
  }

  private Instruction jump(Width width, JumpOp op) {
    Register left = register();
    in.expect(",");
    Operand right = operand();
    in.expect(",");
    return new Jump(width, op, left, right, in.labelOrDistance());
  }

  private Instruction signExtend(Width width, Size from) {
    Register dst = register();
    in.expect(",");
    return new SignExtend(width, from, dst, register());
  }

  private Instruction swap(ByteSwap.Order order, int bits) {
    return new ByteSwap(order, bits, register());
  }

  private Instruction load(Size size, Extension extension) {
    Register dst = register();
    in.expect(",");
    MemoryOperand memory = memoryOperand();
    return new Load(size, extension, dst, memory.base(), memory.offset());
  }

  private Instruction store(Size size, boolean fromRegister) {
    MemoryOperand memory = memoryOperand();
    in.expect(",");
    Operand value = fromRegister ? register() : immediate();
    return new Store(size, memory.base(), memory.offset(), value);
  }

  private Instruction atomic(Size size, AtomicOp op) {
    MemoryOperand memory = memoryOperand();
    in.expect(",");
    return new Atomic(size, op, memory.base(), memory.offset(), register());
  }

  private Instruction loadWide() {
    Register dst = register();
    in.expect(",");
    boolean negative = in.accept("-");
    long value = in.wideNumber();
    return new LoadWide(dst, new WideSource.Constant(negative ? -value : value));
  }

  private Instruction call() {
    if (in.peek().isWord("local")) {
      in.take();
      return new CallLocal(in.labelOrDistance());
    }
    if (in.peek().isWord("helper")) {
      in.take();
    }
    return new CallHelper(in.integer());
  }

  private record MemoryOperand(Register base, int offset) {}

  private MemoryOperand memoryOperand() {
    in.expect("[");
    Register base = register();
    int offset = in.peek().is("]") ? 0 : (int) in.number(Short.MIN_VALUE, Short.MAX_VALUE);
    in.expect("]");
    return new MemoryOperand(base, offset);
  }

  private Operand operand() {
    return in.peek().text().startsWith("%") ? register() : immediate();
  }

  /** Parses an immediate; hexadecimal numbers are the 32 bits of the field, 0xffffffff is -1. */
  private Immediate immediate() {
    long most = in.peek().isHexadecimal() ? 0xffff_ffffL : Integer.MAX_VALUE;
    return new Immediate((int) in.number(Integer.MIN_VALUE, most));
  }

  private Register register() {
    String text = in.peek().text();
    Notation.SizedRegister register =
        Notation.MACHINE_REGISTERS.get(text.startsWith("%") ? text.substring(1) : "");
    if (register == null || register.width() != Width.W64) {
      throw in.expected("a register (%r0 to %r10)");
    }
    in.take();
    return register.register();
  }
}
