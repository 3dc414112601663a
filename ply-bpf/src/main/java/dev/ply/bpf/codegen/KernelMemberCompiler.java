package dev.ply.bpf.codegen;

import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Expr;
import dev.ply.target.KernelTypes.Member;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import java.util.Optional;

/**
 * Compiles reads of members of the kernel's structures, through any number of pointers. What cannot
 * be read is zero.
 */
final class KernelMemberCompiler {
  private final ClauseCompiler clause;
  private final CodeBuilder code;

  KernelMemberCompiler(ClauseCompiler clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Returns what a member of one of the kernel's structures is, empty if it is one of another. */
  Optional<Member> member(Expr.Member node) {
    Type base = clause.clause().typeOf(node.base());
    Type holder = base instanceof PointerType pointer ? pointer.target() : base;
    return holder instanceof KernelStruct struct
        ? clause.script().target().types().member(struct, node.name())
        : Optional.empty();
  }

  /** Gives a member that fits a register. */
  Scalar scalar(Expr.Member node, Member member) {
    IntType type = clause.expressions().typeOf(node);
    int last = member.shift() + member.bits();
    int bytes =
        member.isBitField()
            ? Math.max(1, Integer.highestOneBit((last + 7) / 8 * 2 - 1))
            : type.bytes();
    Memory.Scope scope = clause.memory().open();
    Place copy = clause.memory().allocate(Long.BYTES);
    read(node, copy, Math.min(bytes, Long.BYTES));
    Scalar value;
    if (member.isBitField()) {
      value = bits(copy, bytes, member, type);
    } else {
      value = clause.expressions().load(type, copy);
    }
    clause.memory().close(scope);
    return value;
  }

  /** Moves the bits to the top, and back down with zeroes or the sign. */
  private Scalar bits(Place from, int bytes, Member member, IntType type) {
    Register value = code.fresh();
    code.load(Size.ofBytes(bytes), value, from);
    int above = Long.SIZE - member.shift() - member.bits();
    if (above > 0) {
      code.alu(Width.W64, AluOp.LSH, value, above);
    }
    AluOp down = type.isSigned() ? AluOp.ARSH : AluOp.RSH;
    code.alu(Width.W64, down, value, Long.SIZE - member.bits());
    return new Scalar.InRegister(value);
  }

  /** Copies a member's bytes; zeroes where it cannot be read. */
  void read(Expr.Member node, Place to, int size) {
    Register address = address(node);
    code.call(Helper.PROBE_READ_KERNEL, code.address(to), code.value(size), code.value(address));
  }

  /** Gives the address of a member in a fresh register. */
  private Register address(Expr.Member node) {
    int offset = member(node).orElseThrow().offset();
    Expr base = node.base();
    Register address;
    if (clause.clause().typeOf(base) instanceof PointerType) {
      address = code.fresh();
      code.move(address, clause.arithmetic().register(clause.expressions().scalar(base)));
    } else {
      address = address((Expr.Member) base);
    }
    if (offset != 0) {
      code.alu(Width.W64, AluOp.ADD, address, offset);
    }
    return address;
  }
}
