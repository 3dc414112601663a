package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.LossCounter;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.emit.ScalarCode.InRegister;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.EventSite;
import dev.ply.builtin.catalog.ObjectBuiltins;
import dev.ply.ir.Expr;
import dev.ply.result.Loss;
import dev.ply.target.KernelTypes.Member;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import java.util.List;
import java.util.Optional;

/**
 * Generates calls of helpers that take kernel objects. Their pointers are loaded from the context
 * and from object to object directly, which keeps their types known to the verifier.
 */
public final class ObjectCode {
  /** BPF_F_CTXLEN_MASK. */
  private static final int LONGEST_PACKET = 0xfffff;

  /** The bytes of a record after its headers, without padding. */
  private static final int LONGEST_SENT = 65_492;

  /** BPF_F_CURRENT_CPU. */
  private static final long CURRENT_CPU = 0xffff_ffffL;

  private static final int EFAULT = 14;
  private static final int ENOSPC = 28;

  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Where code continues if a pointer is null. */
  private final Label missing;

  private ObjectCode(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
    this.missing = code.label("missing");
  }

  /** Adds the generators of the built-ins of the kernel's objects. */
  public static void addTo(BuiltinTable codes) {
    codes.inMemory(ObjectBuiltins.PATH, Cost.MEMORY, new Path());
    codes.scalar(
        ObjectBuiltins.SOCKET_COOKIE,
        Cost.HELPER,
        (clause, call) -> new ObjectCode(clause).cookie(call.arguments().get(0)));
    codes.scalar(
        ObjectBuiltins.SKBOUTPUT, Cost.HELPER, (clause, call) -> new ObjectCode(clause).send(call));
  }

  /** Generates the read of a path. */
  private static final class Path implements BuiltinCode.InMemory {
    /** The helper leaves other bytes after the NUL, and moves them: only the string is copied. */
    @Override
    public void write(ClauseCode clause, Expr.Call call, Place to, int size) {
      CodeBuilder code = clause.code();
      ObjectCode objects = new ObjectCode(clause);
      Place copy = clause.memory().allocateInScratch(size);
      code.zero(to, size);
      Place path = objects.target(call.arguments().get(0));
      code.store(Size.B, copy, new Immediate(0));
      code.call(Helper.D_PATH, code.address(path), code.address(copy), code.value(size));
      code.call(
          Helper.PROBE_READ_KERNEL_STR, code.address(to), code.value(size), code.address(copy));
      code.place(objects.missing);
    }

    @Override
    public boolean isPadded() {
      return true;
    }
  }

  private ScalarCode cookie(Expr socket) {
    Register cookie = code.fresh();
    code.constant(cookie, 0);
    Place object = target(socket);
    code.call(Helper.GET_SOCKET_COOKIE, code.address(object));
    code.move(cookie, Register.R0);
    code.place(missing);
    return new InRegister(cookie);
  }

  /** Sends a packet to its file, and returns 0 or a negative error number. */
  private ScalarCode send(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    String path = ((Expr.StringLiteral) arguments.get(0)).value();
    int offset = Math.toIntExact(((Expr.IntLiteral) arguments.get(3)).value());
    EventSite site = clause.object().addEvent(id -> new EventSite.Packet(id, path, offset));
    Place header = clause.memory().allocate(site.layout().size());
    Register flags = code.fresh();
    Register result = code.fresh();
    code.move(
        flags,
        clause.arithmetic().register(clause.expressions().scalar(arguments.get(2), IntType.U64)));
    code.alu(Width.W64, AluOp.AND, flags, LONGEST_PACKET);
    code.store(Size.W, header, new Immediate(site.id()));
    code.store(Size.W, header.plus(Integer.BYTES), flags);
    code.store(Size.DW, header.plus(Long.BYTES), code.callForResult(Helper.KTIME_GET_BOOT_NS));
    // The record of a perf event has less than 64 KiB; the file says how much is missing.
    Label fits = code.label("fits");
    code.jump(Width.W64, JumpOp.JLE, flags, new Immediate(LONGEST_SENT), fits);
    code.constant(flags, LONGEST_SENT);
    code.place(fits);
    code.alu(Width.W64, AluOp.LSH, flags, Integer.SIZE);
    Register current = code.fresh();
    code.constant(current, CURRENT_CPU);
    code.alu(Width.W64, AluOp.OR, flags, current);
    code.constant(result, -EFAULT);
    Place packet = target(arguments.get(1));
    code.move(
        result,
        code.callForResult(
            Helper.SKB_OUTPUT,
            code.address(packet),
            code.map(clause.object().packets()),
            code.value(flags),
            code.address(header),
            code.value(site.layout().size())));
    Label lost = code.label("full");
    code.jump(Width.W64, JumpOp.JEQ, result, new Immediate(-ENOSPC), lost);
    code.place(missing);
    code.outOfLine(
        () -> {
          code.place(lost);
          new LossCounter(code, clause.object()).count(Loss.EVENTS, missing);
        });
    return new InRegister(result);
  }

  /** Returns the location of the structure that an expression is or points to. */
  private Place target(Expr expr) {
    return clause.clause().typeOf(expr) instanceof PointerType
        ? new Place(pointer(expr), 0)
        : place(expr);
  }

  /** Returns the location of a structure inside an object. */
  private Place place(Expr expr) {
    if (expr instanceof Expr.Member node) {
      return target(node.base()).plus(member(node).offset());
    }
    return target(((Expr.Unary) expr).operand());
  }

  /** Loads a pointer and checks that it is not null. */
  private Register pointer(Expr expr) {
    if (expr instanceof Expr.Unary unary) {
      // The address of a structure; a pointer to a pointer has no type for the verifier.
      Place place = place(unary.operand());
      Register address = code.fresh();
      code.address(place).load(address);
      return address;
    }
    Register pointer = code.fresh();
    code.load(Size.DW, pointer, location(expr));
    code.jumpIfNull(pointer, missing);
    return pointer;
  }

  private Place location(Expr expr) {
    Expr uncast = expr instanceof Expr.Cast cast ? cast.operand() : expr;
    if (ObjectBuiltins.origin(uncast).equals(Optional.of(uncast))) {
      return clause.layout().object(uncast);
    }
    Expr.Member node = (Expr.Member) expr;
    return target(node.base()).plus(member(node).offset());
  }

  private Member member(Expr.Member node) {
    Type base = clause.clause().typeOf(node.base());
    Type holder = base instanceof PointerType pointer ? pointer.target() : base;
    return clause
        .script()
        .target()
        .types()
        .member((KernelStruct) holder, node.name())
        .orElseThrow();
  }
}
