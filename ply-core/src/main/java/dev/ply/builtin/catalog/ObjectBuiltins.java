package dev.ply.builtin.catalog;

import static dev.ply.builtin.Parameter.NUMBER;
import static dev.ply.builtin.Parameter.SIZE;
import static dev.ply.builtin.Parameter.VALUE;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.ply.builtin.Availability;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.probe.Provider.Offer;
import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import java.util.Optional;

/**
 * Functions on kernel objects that the kernel itself evaluates. It takes only pointers whose type
 * its verifier has followed from the program's context.
 */
public final class ObjectBuiltins {
  /** The default size of a path in bytes, including its NUL. */
  private static final int DEFAULT_PATH_SIZE = 256;

  /** The functions in which the kernel offers bpf_d_path (btf_allowlist_d_path in bpf_trace.c). */
  private static final ImmutableSet<String> PATH_FUNCTIONS =
      ImmutableSet.of(
          "security_file_permission",
          "security_inode_getattr",
          "security_file_open",
          "security_path_truncate",
          "vfs_truncate",
          "vfs_fallocate",
          "dentry_open",
          "vfs_getattr",
          "filp_close");

  /** The full path of a file. */
  public static final Builtin PATH =
      new Builtin(
          Signature.of(VALUE).optional(SIZE),
          Effect.PURE,
          new Availability(
              "the kernel resolves paths only in fentry, fexit and iter; the name of the file is"
                  + " str(p->dentry->d_name.name)",
              Offer.KERNEL_OBJECTS),
          "path") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Optional<KernelStruct> struct = object(call, 0, typing);
          Optional<Integer> size = size(call, typing);
          if (struct.isEmpty() || size.isEmpty()) {
            return Optional.empty();
          }
          Expr argument = call.arguments().get(0);
          if (!struct.get().tag().equals("path")) {
            return wrong(call, argument, struct.get(), "struct path", "args->file->f_path", typing);
          }
          Optional<String> function = typing.function().map(KernelSelector.Function::name);
          if (!typing.isIterator() && !function.filter(PATH_FUNCTIONS::contains).isPresent()) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.NOT_AVAILABLE_HERE,
                    call.span(),
                    "the kernel resolves no paths in "
                        + function.map(name -> "\"" + name + "\"").orElse("this probe"),
                    "it does in " + String.join(", ", PATH_FUNCTIONS));
            return Optional.empty();
          }
          return size.map(ArrayType::chars);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
                  "string",
                  """
                  The full path of a struct path, in at most size bytes including the NUL: 256, or 1
                  to 16384. A longer one loses its start, and is empty before Linux 5.14. The
                  argument must be reached from the probe's own arguments, so that the kernel can
                  check it: variables and computed addresses are refused. In iter, and in fentry and
                  fexit of security_file_permission, security_inode_getattr, security_file_open,
                  security_path_truncate, vfs_truncate, vfs_fallocate, dentry_open, vfs_getattr and
                  filp_close.
                  """,
                  """
                  fentry:security_file_open { @[path(args->file->f_path)] = count(); }
                  """,
                  "path(struct)",
                  "path(struct, size)")
              .since(5, 10);
        }
      };

  /** The kernel's number of a socket. */
  public static final Builtin SOCKET_COOKIE =
      new Builtin(
          Signature.of(VALUE),
          Effect.PURE,
          new Availability(
              "socket cookies are available only in fentry, fexit, rawtracepoint and iter;"
                  + " elsewhere read sk->__sk_common.skc_cookie.counter, 0 if not set",
              Offer.KERNEL_OBJECTS),
          "socket_cookie") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Optional<KernelStruct> struct = object(call, 0, typing);
          if (struct.isEmpty()) {
            return Optional.empty();
          }
          return isSocket(struct.get(), typing.target().types())
              ? Optional.of(IntType.U64)
              : wrong(
                  call, call.arguments().get(0), struct.get(), "struct sock", "args->sk", typing);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
                  "u64",
                  """
                  The kernel's cookie of a socket, unique since boot; 0 for a null pointer. The
                  argument is a struct sock reached from the probe's own arguments, so that the
                  kernel can check it. In fentry, fexit, rawtracepoint and iter.
                  """,
                  """
                  fentry:tcp_sendmsg { @[socket_cookie(args->sk)] = sum(args->size); }
                  """,
                  "socket_cookie(socket)")
              .since(5, 12);
        }
      };

  /** Writes a packet to a file. */
  public static final Builtin SKBOUTPUT =
      new Builtin(
          Signature.of(Parameter.LITERAL, VALUE, NUMBER, Parameter.CONSTANT),
          Effect.CHANGE,
          new Availability(
              "packets can be copied only in fentry, fexit and rawtracepoint",
              Offer.KERNEL_OBJECTS),
          "skboutput") {
        private static final int MOST_LEFT_OUT = 0xfffff;

        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Optional<KernelStruct> struct = object(call, 1, typing);
          Optional<IntType> length = typing.number(call, 2, "the length");
          boolean isPath = check(call, 0, Expr.StringLiteral.class, "path", typing);
          boolean isOffset = check(call, 3, Expr.IntLiteral.class, "offset", typing);
          if (struct.isEmpty() || length.isEmpty() || !isPath || !isOffset) {
            return Optional.empty();
          }
          Expr packet = call.arguments().get(1);
          return struct.get().tag().equals("sk_buff")
              ? Optional.of(IntType.S32)
              : wrong(call, packet, struct.get(), "struct sk_buff", "…, args->skb, …", typing);
        }

        private static boolean check(
            Expr.Call call, int index, Class<? extends Expr> literal, String what, Typing typing) {
          Expr argument = call.arguments().get(index);
          if (typing.apply(argument).isEmpty()) {
            return false;
          }
          boolean fits =
              literal.isInstance(argument)
                  && !(argument instanceof Expr.StringLiteral path && path.value().isEmpty())
                  && !(argument instanceof Expr.IntLiteral number
                      && (number.value() < 0 || number.value() > MOST_LEFT_OUT));
          if (!fits) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.TYPE_MISMATCH,
                    argument.span(),
                    "the " + what + " of \"skboutput\" must be a constant",
                    "skboutput(\"packets.pcap\", args->skb, args->skb->len, 14) leaves out 14"
                        + " bytes");
          }
          return fits;
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
                  "s32",
                  """
                  Writes the first length bytes of a packet, without the first offset ones, to a
                  file that tcpdump and wireshark read; 0, or a negative error number, for example
                  if the packet is shorter. The link type is raw IP: the offset is that of the IP
                  header, 14 after an Ethernet header. The file is created when the trace starts,
                  for its owner only, and replaces an existing one. Packets that arrive faster than
                  they are written are lost and counted. The packet is reached from the probe's own
                  arguments. In fentry, fexit and rawtracepoint.
                  """,
                  """
                  fentry:__dev_queue_xmit { @[skboutput("out.pcap", args->skb, args->skb->len, 14)] = count(); }
                  """,
                  "skboutput(\"path\", packet, length, offset)")
              .since(5, 10);
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(PATH, SOCKET_COOKIE, SKBOUTPUT);

  private ObjectBuiltins() {}

  /**
   * Returns the context value or member that a pointer or structure is reached from; empty if the
   * verifier loses its type on the way.
   */
  public static Optional<Expr> origin(Expr expr) {
    if (expr instanceof Expr.Member member) {
      return isContext(member.base()) ? Optional.of(expr) : origin(member.base());
    }
    if (expr instanceof Expr.Unary unary) {
      boolean keeps = unary.op() == UnaryOp.DEREFERENCE || unary.op() == UnaryOp.ADDRESS_OF;
      return keeps ? origin(unary.operand()) : Optional.empty();
    }
    if (expr instanceof Expr.Cast cast && cast.operand() instanceof Expr.Argument) {
      return origin(cast.operand());
    }
    boolean isValue =
        expr instanceof Expr.Argument
            || (expr instanceof Expr.Call call && call.function() == ContextBuiltins.RETVAL);
    return isValue ? Optional.of(expr) : Optional.empty();
  }

  private static boolean isContext(Expr expr) {
    Expr base =
        expr instanceof Expr.Unary unary && unary.op() == UnaryOp.DEREFERENCE
            ? unary.operand()
            : expr;
    return base instanceof Expr.Call call
        && (call.function() == ContextBuiltins.DATA || call.function() == ContextBuiltins.CTX);
  }

  /** Returns the structure that an argument is or points to, or reports an error. */
  private static Optional<KernelStruct> object(Expr.Call call, int index, Typing typing) {
    Expr argument = call.arguments().get(index);
    Optional<Type> type = typing.apply(argument);
    if (type.isEmpty()) {
      return Optional.empty();
    }
    String name = call.function().canonicalName();
    Type target = type.get() instanceof PointerType pointer ? pointer.target() : type.get();
    if (!(target instanceof KernelStruct struct)) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.TYPE_MISMATCH,
              argument.span(),
              "\"" + name + "\" takes a kernel structure, not " + type.get().withArticle());
      return Optional.empty();
    }
    if (origin(argument).isEmpty() || !keepsType(argument, typing)) {
      typing
          .diagnostics()
          .error(
              DiagnosticCode.TYPE_MISMATCH,
              argument.span(),
              "\"" + name + "\" takes only values reached from the probe's own arguments",
              "the kernel refuses other addresses; write the whole path from args in the call");
      return Optional.empty();
    }
    return Optional.of(struct);
  }

  /** Returns whether a cast of an argument is to the type that the kernel knows of it. */
  private static boolean keepsType(Expr expr, Typing typing) {
    if (expr instanceof Expr.Member member && !isContext(member.base())) {
      return keepsType(member.base(), typing);
    }
    if (expr instanceof Expr.Unary unary) {
      return keepsType(unary.operand(), typing);
    }
    return !(expr instanceof Expr.Cast cast)
        || (cast.operand() instanceof Expr.Argument argument
            && typing.knownType(argument).flatMap(ObjectBuiltins::struct).isPresent()
            && typing
                .knownType(argument)
                .flatMap(ObjectBuiltins::struct)
                .equals(typing.apply(cast).flatMap(ObjectBuiltins::struct)));
  }

  private static Optional<String> struct(Type type) {
    return type instanceof PointerType pointer && pointer.target() instanceof KernelStruct struct
        ? Optional.of(struct.name())
        : Optional.empty();
  }

  private static Optional<Type> wrong(
      Expr.Call call,
      Expr argument,
      KernelStruct found,
      String wanted,
      String example,
      Typing typing) {
    typing
        .diagnostics()
        .error(
            DiagnosticCode.TYPE_MISMATCH,
            argument.span(),
            "\""
                + call.function().canonicalName()
                + "\" takes a "
                + wanted
                + "; this is a "
                + found.name(),
            "write " + call.function().canonicalName() + "(" + example + "), for example");
    return Optional.empty();
  }

  /** All kinds of sockets begin with what is common to them. */
  private static boolean isSocket(KernelStruct struct, KernelTypes types) {
    if (struct.tag().equals("sock_common")) {
      return true;
    }
    return types
        .memberNames(struct)
        .findFirst()
        .flatMap(first -> types.member(struct, first))
        .filter(member -> member.type() instanceof KernelStruct inner && isSocket(inner, types))
        .isPresent();
  }

  private static Optional<Integer> size(Expr.Call call, Typing typing) {
    if (call.arguments().size() < 2) {
      int size = typing.stringSize().orElse(DEFAULT_PATH_SIZE);
      return Optional.of(Math.max(1, Math.min(size, MemoryBuiltins.MAX_STRING_SIZE)));
    }
    Expr size = call.arguments().get(1);
    typing.apply(size);
    if (size instanceof Expr.IntLiteral literal
        && literal.value() >= 1
        && literal.value() <= MemoryBuiltins.MAX_STRING_SIZE) {
      return Optional.of((int) literal.value());
    }
    typing
        .diagnostics()
        .error(
            DiagnosticCode.OUT_OF_RANGE,
            size.span(),
            "the size of a path must be a constant, 1 to " + MemoryBuiltins.MAX_STRING_SIZE);
    return Optional.empty();
  }
}
