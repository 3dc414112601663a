package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.FailureCause;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.target.KernelTypes.Member;
import dev.ply.type.AddressSpace;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import java.util.Optional;

/**
 * Compiles reads of memory through typed pointers: members, elements, dereferences, through any
 * number of hops. Unreadable memory is zero.
 */
public final class KernelMemoryCompiler {
  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates loads from the kernel's structures of a clause. */
  public KernelMemoryCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Returns whether an expression is a location in such memory. */
  public boolean isPlace(Expr expr) {
    if (expr instanceof Expr.Element element) {
      return isAddress(element.base()) || isPlace(element.base());
    }
    return expr instanceof Expr.Unary unary
        ? unary.op() == UnaryOp.DEREFERENCE && !isContext(unary.operand())
        : expr instanceof Expr.Member node
            && member(node).isPresent()
            && (isAddress(node.base()) || isPlace(node.base()));
  }

  /** A number is one where it is dereferenced. */
  private boolean isAddress(Expr expr) {
    return clause.clause().typeOf(expr).isScalar();
  }

  private boolean isContext(Expr expr) {
    return clause.clause().typeOf(expr) instanceof PointerType pointer
        && pointer.space() == AddressSpace.CONTEXT;
  }

  /**
   * Returns the member of a kernel structure that an expression denotes; empty for other
   * structures.
   */
  private Optional<Member> member(Expr.Member node) {
    Type base = clause.clause().typeOf(node.base());
    Type holder = base instanceof PointerType pointer ? pointer.target() : base;
    return holder instanceof KernelStruct struct
        ? clause.script().target().types().member(struct, node.name())
        : Optional.empty();
  }

  /** Computes a value that fits a register. */
  ScalarCode scalar(Expr node) {
    IntType type = clause.expressions().typeOf(node);
    Optional<Member> bitField =
        node instanceof Expr.Member member
            ? member(member).filter(Member::isBitField)
            : Optional.empty();
    int bytes = bitField.map(KernelMemoryCompiler::bytes).orElse(type.bytes());
    Memory.Scope scope = clause.memory().open();
    Place copy = clause.memory().allocate(Long.BYTES);
    read(node, copy, bytes);
    ScalarCode value =
        bitField
            .map(field -> bits(copy, field, type))
            .orElseGet(() -> clause.expressions().load(type, copy));
    clause.memory().close(scope);
    return value;
  }

  /** Returns the number of bytes to load for a bit-field. */
  private static int bytes(Member field) {
    int touched = (field.shift() + field.bits() + 7) / 8;
    return Math.min(Long.BYTES, Math.max(1, Integer.highestOneBit(touched * 2 - 1)));
  }

  /** Shifts the bits to the top, and down again with zero or sign extension. */
  ScalarCode bits(Place from, Member field, IntType type) {
    Register value = code.fresh();
    code.load(Size.ofBytes(bytes(field)), value, from);
    int above = field.bitsAbove(bytes(field), code.order());
    if (above > 0) {
      code.alu(Width.W64, AluOp.LSH, value, above);
    }
    AluOp down = type.isSigned() ? AluOp.ARSH : AluOp.RSH;
    code.alu(Width.W64, down, value, Long.SIZE - field.bits());
    return new ScalarCode.InRegister(value);
  }

  /** Copies memory; zeroes if it cannot be read. */
  void read(Expr node, Place to, int size) {
    Register address = address(node);
    Helper helper = reader(space(node));
    code.call(helper, code.address(to), code.value(size), code.value(address));
  }

  /** Returns the helper that reads memory of an address space. */
  public static Helper reader(AddressSpace space) {
    return switch (space) {
      case USER -> Helper.PROBE_READ_USER;
      case ANY -> Helper.PROBE_READ;
      case KERNEL, CONTEXT -> Helper.PROBE_READ_KERNEL;
    };
  }

  /** Returns the address space of the innermost pointer. */
  public AddressSpace space(Expr node) {
    Expr base =
        node instanceof Expr.Member member
            ? member.base()
            : node instanceof Expr.Element element ? element.base() : ((Expr.Unary) node).operand();
    return isAddress(base) ? clause.clause().spaceOf(base) : space(base);
  }

  /**
   * Returns the address of the program's own memory as a number: verifiers allow pointers neither
   * all arithmetic nor everywhere, and what a helper copies from the stack is a number to them.
   */
  ScalarCode number(Place place) {
    Memory.Scope scope = clause.memory().open();
    Place pointer = clause.memory().allocate(Long.BYTES);
    Place number = clause.memory().allocate(Long.BYTES);
    Register address = code.fresh();
    code.move(address, place.base());
    if (place.offset() != 0) {
      code.alu(Width.W64, AluOp.ADD, address, place.offset());
    }
    code.store(Size.DW, pointer, address);
    code.call(
        Helper.PROBE_READ_KERNEL,
        code.address(number),
        code.value(Long.BYTES),
        code.address(pointer));
    Register copy = code.fresh();
    code.load(Size.DW, copy, number);
    clause.memory().close(scope);
    return new ScalarCode.InRegister(copy);
  }

  /** Computes the address of a location in a new register. */
  public Register address(Expr node) {
    if (node instanceof Expr.Member member) {
      return plus(start(member.base()), member(member).orElseThrow().offset());
    }
    if (!(node instanceof Expr.Element element)) {
      return start(((Expr.Unary) node).operand());
    }
    int size = clause.clause().typeOf(node).size();
    if (element.index() instanceof Expr.IntLiteral index) {
      return plus(start(element.base()), Math.toIntExact(index.value() * size));
    }
    Register offset = code.fresh();
    code.move(
        offset,
        clause.arithmetic().register(clause.expressions().scalar(element.index(), IntType.S64)));
    checkBounds(element.base(), offset);
    code.alu(Width.W64, AluOp.MUL, offset, size);
    code.alu(Width.W64, AluOp.ADD, offset, start(element.base()));
    return offset;
  }

  /**
   * Reports an index that an array does not have. Those of one element or none may go on beyond it,
   * as do C's at the end of a structure.
   */
  private void checkBounds(Expr array, Register index) {
    if (clause.clause().typeOf(array) instanceof ArrayType type && type.length() > 1) {
      code.computations()
          .ifPresent(
              errors -> errors.checkBelow(index, type.length(), FailureCause.Operation.BEYOND));
    }
  }

  /** Computes the address of a pointer's target or of a location in a new register. */
  private Register start(Expr base) {
    if (!isAddress(base)) {
      return address(base);
    }
    Register address = code.fresh();
    code.move(address, clause.arithmetic().register(clause.expressions().scalar(base)));
    return address;
  }

  private Register plus(Register address, int offset) {
    if (offset != 0) {
      code.alu(Width.W64, AluOp.ADD, address, offset);
    }
    return address;
  }
}
