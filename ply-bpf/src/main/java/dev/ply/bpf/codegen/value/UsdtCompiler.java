package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.machine.UsdtArgument;
import dev.ply.selector.UsdtSelector;
import dev.ply.type.Type.IntType;
import java.util.Optional;

/** Compiles the arguments of USDT probes, from the locations in their notes. */
final class UsdtCompiler {
  private final ClauseCode clause;
  private final CodeBuilder code;

  UsdtCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Compiles argument {@code index}, counted from 0. */
  ScalarCode argument(UsdtSelector place, int index) {
    UsdtArgument argument =
        clause.script().target().binaries().marks(place).get(0).arguments().get(index);
    if (argument.operand() instanceof UsdtArgument.Constant constant) {
      return new ScalarCode.Constant(constant.value());
    }
    if (argument.operand() instanceof UsdtArgument.Register register) {
      return narrowed(load(register.name()), register.shift(), argument.type());
    }
    if (argument.operand() instanceof UsdtArgument.Memory memory) {
      return read(memory, argument.type());
    }
    throw new IllegalArgumentException(argument.text() + " cannot be read");
  }

  private Register load(String register) {
    int offset = clause.script().target().architecture().registerOffset(register).orElseThrow();
    return clause.arithmetic().register(clause.expressions().word(offset));
  }

  private ScalarCode narrowed(Register value, int shift, IntType type) {
    if (shift > 0) {
      code.alu(Width.W64, AluOp.RSH, value, shift);
    }
    if (type.bytes() < Integer.BYTES) {
      int unused = Integer.SIZE - type.bytes() * Byte.SIZE;
      code.alu(Width.W32, AluOp.LSH, value, unused);
      code.alu(Width.W32, type.isSigned() ? AluOp.ARSH : AluOp.RSH, value, unused);
    }
    return new ScalarCode.InRegister(value);
  }

  /** The helper zeroes the value if memory cannot be read. */
  private ScalarCode read(UsdtArgument.Memory memory, IntType type) {
    Register address = code.fresh();
    code.constant(address, memory.displacement());
    memory.base().ifPresent(base -> code.alu(Width.W64, AluOp.ADD, address, load(base)));
    Optional<Register> index = memory.index().map(this::load);
    index.ifPresent(
        register -> {
          code.alu(Width.W64, AluOp.MUL, register, memory.scale());
          code.alu(Width.W64, AluOp.ADD, address, register);
        });
    Place value = clause.memory().allocate(8);
    code.call(
        Helper.PROBE_READ_USER, code.address(value), code.value(type.bytes()), code.value(address));
    return clause.expressions().load(type, value);
  }
}
