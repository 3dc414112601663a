package dev.ply.bpf.asm;

import dev.ply.bpf.asm.Notation.AtomicFunction;
import dev.ply.bpf.asm.Notation.MemoryType;
import dev.ply.bpf.asm.Notation.SizedRegister;
import dev.ply.bpf.asm.Notation.Swap;
import dev.ply.bpf.isa.AtomicOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.Alu;
import dev.ply.bpf.isa.Instruction.Atomic;
import dev.ply.bpf.isa.Instruction.ByteSwap;
import dev.ply.bpf.isa.Instruction.CallHelper;
import dev.ply.bpf.isa.Instruction.CallKernel;
import dev.ply.bpf.isa.Instruction.CallLocal;
import dev.ply.bpf.isa.Instruction.Exit;
import dev.ply.bpf.isa.Instruction.Goto;
import dev.ply.bpf.isa.Instruction.Jump;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Instruction.Load;
import dev.ply.bpf.isa.Instruction.LoadPacket;
import dev.ply.bpf.isa.Instruction.LoadWide;
import dev.ply.bpf.isa.Instruction.Negate;
import dev.ply.bpf.isa.Instruction.SignExtend;
import dev.ply.bpf.isa.Instruction.SourceMark;
import dev.ply.bpf.isa.Instruction.Store;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;

/** Prints one instruction in the kernel's notation. */
final class InstructionText implements Instruction.Visitor<String> {
  static final InstructionText INSTANCE = new InstructionText();

  private InstructionText() {}

  @Override
  public String visit(Alu alu) {
    return register(alu.width(), alu.dst())
        + " "
        + alu.op().symbol()
        + " "
        + (alu.src() instanceof Register register
            ? register(alu.width(), register)
            : alu.src().toString());
  }

  @Override
  public String visit(Negate negate) {
    String register = register(negate.width(), negate.dst());
    return register + " = -" + register;
  }

  @Override
  public String visit(SignExtend extend) {
    return register(extend.width(), extend.dst())
        + " = ("
        + new MemoryType(extend.from(), Extension.SIGN)
        + ")"
        + register(extend.width(), extend.src());
  }

  @Override
  public String visit(ByteSwap swap) {
    return swap.dst() + " = " + new Swap(swap.order(), swap.bits()) + " " + swap.dst();
  }

  @Override
  public String visit(LoadWide load) {
    return load.dst() + " = " + load.source().accept(new SourceText());
  }

  /** The text of a source. */
  private static final class SourceText implements WideSource.Visitor<String> {
    @Override
    public String visit(WideSource.Constant constant) {
      return "0x" + Long.toHexString(constant.value());
    }

    @Override
    public String visit(WideSource.Map map) {
      return "map[" + map.name() + "]";
    }

    @Override
    public String visit(WideSource.MapValue value) {
      return String.format("map[%s][0]%+d", value.name(), value.offset());
    }

    @Override
    public String visit(WideSource.Variable variable) {
      return "btf[" + variable.btfId() + "]";
    }

    @Override
    public String visit(WideSource.Function function) {
      return "subprog[" + function.target() + "]";
    }

    @Override
    public String visit(WideSource.IndexedMap map) {
      return "mapidx[" + map.index() + "]";
    }

    @Override
    public String visit(WideSource.IndexedMapValue value) {
      return String.format("mapidx[%d][0]%+d", value.index(), value.offset());
    }
  }

  @Override
  public String visit(Load load) {
    return load.dst()
        + " = "
        + memory(new MemoryType(load.size(), load.extension()), load.base(), load.offset());
  }

  @Override
  public String visit(Store store) {
    return memory(store.size(), store.base(), store.offset()) + " = " + store.src();
  }

  @Override
  public String visit(Atomic atomic) {
    if (!atomic.op().fetches()) {
      return String.format(
          "lock %s %s %s",
          memory(atomic.size(), atomic.base(), atomic.offset()),
          atomic.op().symbol(),
          atomic.src());
    }
    boolean compares = atomic.op() == AtomicOp.CMPXCHG;
    return String.format(
        "%s = %s((%s *)(%s %+d), %s%s)",
        compares ? Register.R0 : atomic.src(),
        new AtomicFunction(atomic.op(), atomic.size()),
        new MemoryType(atomic.size(), Extension.ZERO),
        atomic.base(),
        atomic.offset(),
        compares ? "r0, " : "",
        atomic.src());
  }

  @Override
  public String visit(LoadPacket load) {
    return String.format(
        "r0 = *(%s *)skb[%s%d]",
        new MemoryType(load.size(), Extension.ZERO),
        load.index().map(index -> index + " + ").orElse(""),
        load.offset());
  }

  @Override
  public String visit(Jump jump) {
    return String.format(
        "if %s %s %s goto %s",
        register(jump.width(), jump.left()),
        jump.op().symbol(),
        comparand(jump.width(), jump.right()),
        jump.target());
  }

  private static String comparand(Width width, Operand operand) {
    return operand instanceof Register register
        ? register(width, register)
        : "0x" + Integer.toHexString(((Immediate) operand).value());
  }

  @Override
  public String visit(Goto jump) {
    return "goto " + jump.target();
  }

  @Override
  public String visit(CallHelper call) {
    return "call "
        + call.helper().map(Notation::name).orElse(Notation.UNKNOWN_HELPER + "#" + call.number());
  }

  @Override
  public String visit(CallLocal call) {
    return (call.isGlobal() ? "call global " : "call ") + call.target();
  }

  @Override
  public String visit(CallKernel call) {
    return "call " + Notation.KERNEL_FUNCTION + "#" + call.btfId();
  }

  @Override
  public String visit(Exit exit) {
    return "exit";
  }

  @Override
  public String visit(LabelMark mark) {
    return mark.label() + ":";
  }

  @Override
  public String visit(SourceMark mark) {
    return "; " + mark.span();
  }

  private static String memory(Size size, Register base, int offset) {
    return memory(new MemoryType(size, Extension.ZERO), base, offset);
  }

  private static String memory(MemoryType type, Register base, int offset) {
    return String.format("*(%s *)(%s %+d)", type, base, offset);
  }

  private static String register(Width width, Register register) {
    return new SizedRegister(width, register).toString();
  }
}
