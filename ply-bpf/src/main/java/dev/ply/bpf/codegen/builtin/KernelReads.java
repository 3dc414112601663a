package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type.KernelStruct;

/** Generates reads of members of the kernel's own structures, which scripts do not name. */
final class KernelReads {
  private final ClauseCode clause;
  private final CodeBuilder code;

  KernelReads(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Reads a number at an address; zero if it cannot be read. */
  Register read(Size size, Register base, int offset) {
    Place copy = clause.memory().allocate(Long.BYTES);
    Register address = plus(base, offset);
    code.call(
        Helper.PROBE_READ_KERNEL,
        code.address(copy),
        code.value(size.bytes()),
        code.value(address));
    Register value = code.fresh();
    code.load(size, value, copy);
    return value;
  }

  Register plus(Register base, int offset) {
    Register address = code.fresh();
    code.move(address, base);
    if (offset != 0) {
      code.alu(Width.W64, AluOp.ADD, address, offset);
    }
    return address;
  }

  int offset(String tag, String member) {
    KernelTypes types = clause.script().target().types();
    return types.member(struct(tag), member).orElseThrow().offset();
  }

  KernelStruct struct(String tag) {
    return clause.script().target().types().struct(tag).orElseThrow();
  }
}
