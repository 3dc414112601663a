package dev.ply.builtin.catalog;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Availability;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.probe.Provider.Offer;
import dev.ply.type.AddressSpace;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.util.List;
import java.util.Optional;

/**
 * The arguments of a probe's program from the kernel: registers, arguments, records, the probe
 * site.
 */
public final class ContextBuiltins {
  /**
   * The result of the probed function, of the type that is known; with an argument, the whole
   * register.
   */
  public static final Builtin RETVAL =
      new Builtin(
          Signature.NONE.optional(Parameter.LITERAL),
          Effect.INVARIANT,
          new Availability(
              "only a probe on the return of a function has a return value", Offer.RETURN_VALUE),
          "retval") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          if (!call.arguments().isEmpty()
              && !(call.arguments().get(0) instanceof Expr.StringLiteral what
                  && (what.value().equals(WHOLE_REGISTER) || what.value().equals(ELSE_UNSIGNED)))) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.UNKNOWN_NAME,
                    call.arguments().get(0).span(),
                    "\"retval\" takes no argument but \"" + WHOLE_REGISTER + "\"",
                    "it is then the result with all bits of its register");
            return Optional.empty();
          }
          call.arguments().forEach(typing::apply);
          return typing.result(call);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "number of the function's type, or signed machine word",
              """
              The result of the probed function, in a kretprobe, uretprobe or fexit. Its type comes
              from the kernel's BTF or the program's debug information (gcc -g, a debug package): -1
              of an int is -1, and addresses are printed in hexadecimal. Without a type it is the
              whole register, as retval("register") always is. A function that returns an int sets
              only the lower half: (int32)retval.
              """,
              """
              kretprobe:vfs_read / retval < 0 / { @[retval] = count(); }
              """,
              "retval");
        }
      };

  /** The argument of {@link #RETVAL} with which it has no type of its own. */
  public static final String WHOLE_REGISTER = "register";

  /** The argument of {@link #RETVAL} with which it is unsigned where its type is unknown. */
  public static final String ELSE_UNSIGNED = "unsigned";

  /** Returns whether a result is read as what the function returns. */
  public static boolean isTyped(Expr.Call retval) {
    return retval.arguments().isEmpty()
        || (retval.arguments().get(0) instanceof Expr.StringLiteral what
            && what.value().equals(ELSE_UNSIGNED));
  }

  /** The probed address. */
  public static final Builtin CALLER =
      new Builtin(
          Signature.NONE,
          Effect.INVARIANT,
          new Availability("only a kprobe has a probed address", Offer.PROBED_ADDRESS),
          "caller") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return Optional.of(typing.word().printedAs(IntFormat.SYMBOL));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "address, printed as function+offset",
              """
              The program counter, in a kprobe. On x86-64 it is one byte after the probed address.
              """,
              """
              kprobe:vfs_read { @[caller] = count(); }
              """,
              "caller");
        }
      };

  /** The address of the probed function. */
  public static final Builtin FUNC_IP =
      new Builtin(
          Signature.NONE,
          Effect.INVARIANT,
          new Availability("only kprobes and uprobes have an address", Offer.REGISTERS),
          "func_ip") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return Optional.of(typing.word().printedAs(IntFormat.HEX));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
                  "address",
                  """
                  The address of the probed function, on its return too. In a uprobe or uretprobe,
                  its address in the process since Linux 6.6, 0 before.
                  """,
                  """
                  uretprobe:c:puts { printf("0x%x <- 0x%x\\n", regs->rip, func_ip); }
                  """,
                  "func_ip")
              .since(5, 15);
        }
      };

  /** Whether the CPU was in user mode. */
  public static final Builtin USERMODE =
      new Builtin.Value(IntType.S32, Effect.INVARIANT, "usermode") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              1 if the CPU was in user mode when the probe fired, 0 if it was in the kernel. In
              probes of timers and counters, on x86-64; elsewhere it is a constant: 1 in probes of
              programs, BEGIN and END, 0 in those of the kernel.
              """,
              """
              profile:99hz { @[usermode] = count(); }
              """,
              "usermode");
        }
      };

  /** A saved register, by its name. */
  public static final Builtin REG =
      new Builtin(
          Signature.of(Parameter.LITERAL),
          Effect.PURE,
          new Availability(
              "only probes on functions, timers and counters have saved registers",
              Offer.REGISTERS),
          "reg") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr name = call.arguments().get(0);
          typing.apply(name);
          if (name instanceof Expr.StringLiteral literal
              && typing.target().architecture().register(literal.value()).isPresent()) {
            return Optional.of(typing.word().printedAs(IntFormat.HEX));
          }
          typing
              .diagnostics()
              .error(
                  DiagnosticCode.UNKNOWN_NAME,
                  name.span(),
                  name instanceof Expr.StringLiteral literal
                      ? "unknown register \"" + literal.value() + "\""
                      : "\"reg\" takes the name of a register as a string literal",
                  "registers are " + String.join(" ", typing.target().architecture().registers()));
          return Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "machine word",
              """
              A saved register by its name, a member of regs; pc and sp on all architectures. On
              x86-64, names without r are accepted: ax, ip, flags.
              """,
              """
              kprobe:vfs_read { @[ksym(reg("ip"))] = count(); }
              """,
              "reg(\"name\")");
        }
      };

  /** A word of the stack above the return address, where a function's last arguments are. */
  public static final Builtin SARG =
      new Builtin(
          Signature.of(Parameter.CONSTANT),
          Effect.PURE,
          new Availability(
              "only probes on functions, timers and counters have saved registers",
              Offer.REGISTERS),
          "sarg") {
        private static final int MOST = 99;

        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr index = call.arguments().get(0);
          typing.apply(index);
          if (index instanceof Expr.IntLiteral number
              && number.value() >= 0
              && number.value() <= MOST) {
            return Optional.of(typing.word());
          }
          typing
              .diagnostics()
              .error(
                  DiagnosticCode.OUT_OF_RANGE,
                  index.span(),
                  "\"sarg\" takes a number written out, 0 to " + MOST);
          return Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "machine word",
              """
              An argument on the stack, at the first instruction of a function: sarg0 is the first
              one that is not in a register, arg6 on x86-64. At other instructions, another word of
              the stack.
              """,
              """
              uprobe:libc:malloc { @[sarg0] = count(); }
              """,
              "sarg0",
              "sarg(number)");
        }
      };

  /** The saved registers. */
  public static final Builtin REGS =
      new Builtin(
          Signature.NONE,
          Effect.PURE,
          new Availability(
              "only probes on functions, timers and counters have saved registers",
              Offer.REGISTERS),
          "regs") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return Optional.of(context(typing.registers()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "pointer to struct pt_regs",
              """
              The registers of the probed function by the platform's names, on x86-64 rdi, rsi, rsp,
              rip, …. In a kprobe or kretprobe.
              """,
              """
              kprobe:vfs_read { print(regs->rdi); }
              """,
              "regs->name",
              "*regs");
        }
      };

  /** The tracepoint's record, or the arguments of the probed function by name. */
  public static final Builtin DATA =
      new Builtin(
          Signature.NONE,
          Effect.PURE,
          new Availability(
              "only a tracepoint has a record, and rawtracepoint, fentry and fexit have arguments"
                  + " by name; kprobe and uprobe have arg0, arg1, …",
              Offer.RECORD,
              Offer.NAMED_ARGUMENTS),
          "data",
          "args") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing.record(call).map(ContextBuiltins::context);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "pointer to the record, or to the arguments",
              """
              In a tracepoint, its record, with the fields that
              /sys/kernel/tracing/events/CATEGORY/EVENT/format lists. In a fentry, fexit or
              rawtracepoint, the arguments by name. A variable can stand for it: $a = args;
              print($a.pid);
              """,
              """
              tracepoint:sched:sched_switch { @[data->prev_comm, data->next_comm] = count(); }
              """,
              "data->field",
              "data.field",
              "*data");
        }
      };

  /** The probe's context as the kernel passes it: registers or a record. */
  public static final Builtin CTX =
      new Builtin(Signature.NONE, Effect.PURE, "ctx") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing.isIterator()
              ? typing.record(call).map(ContextBuiltins::context)
              : Optional.of(context(new VoidType()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "address",
              """
              The address of the context that the kernel passes to the program. In an iterator, the
              same as args.
              """,
              """
              tracepoint:sched:sched_switch { print(ctx); }
              """,
              "ctx");
        }
      };

  /** The definition of the probe site that was hit. */
  public static final Builtin PROBE =
      new Builtin.Value(IntType.U32.printedAs(IntFormat.PROBE), Effect.PURE, "probe") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "probe site, printed as its definition",
              """
              The definition of the probe site that was hit, one of those that a pattern or list
              selects. It can be compared with a string, probe == "kprobe:vfs_read", and searched,
              strcontains(probe, "read"); each site then has a program of its own.
              """,
              """
              tracepoint:syscalls:sys_enter_* { @[probe] = count(); }
              """,
              "probe");
        }
      };

  /**
   * The probed function; with an argument, that of a probe site by number, and with another the
   * prefix of system calls in place of {@code sys_enter_}.
   */
  public static final Builtin FUNC =
      new Builtin(
          Signature.NONE.optional(Parameter.VALUE).optional(Parameter.LITERAL),
          Effect.PURE,
          "func") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          call.arguments().forEach(typing::apply);
          String prefix =
              call.arguments().size() > 1
                      && call.arguments().get(1) instanceof Expr.StringLiteral literal
                  ? literal.value()
                  : "";
          return Optional.of(new Type.EncodedString(new Encoding.ProbedFunction(prefix)));
        }

        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          if (!call.arguments().isEmpty()) {
            return Optional.empty();
          }
          Expr site = new Expr.Call(PROBE, List.of(), call.span());
          return Optional.of(new Expr.Call(call.function(), List.of(site), call.span()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The name of the probed function, without module and offset; for other probes, the last
              part of the definition. It can be compared and searched as probe can.
              """,
              """
              kprobe:vfs_read { @[func] = count(); }
              """,
              "func");
        }
      };

  /** The kind of the probe. */
  public static final Builtin PROBETYPE =
      new Builtin(Signature.NONE, Effect.INVARIANT, "probetype") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return Optional.of(Type.ArrayType.chars(PROBE_TYPE_BYTES));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string of at most 15 bytes",
              """
              The provider of the probe: kprobe, tracepoint, profile; special for BEGIN and END.
              """,
              """
              kretprobe:vfs_read { @[probetype] = count(); }
              """,
              "probetype");
        }
      };

  /** The size of a kind of probe as a string, with its NUL. */
  public static final int PROBE_TYPE_BYTES = 16;

  /** The settings of the script; expanded where the script is known. */
  public static final Builtin CONFIG =
      new Builtin.Macro(Signature.NONE, Effect.PURE, "config") {
        @Override
        public Documentation documentation() {
          return new Documentation(
              "record of numbers and strings",
              """
              The settings of the trace by name: from the script's config block, bpftrace's
              environment variables, and defaults. Settings without an effect, and max_map_keys in
              ply, are there only if the script sets them.
              """,
              """
              BEGIN { printf("%d, %s\\n", config.max_strlen, config.missing_probes); exit(0); }
              """,
              "config");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(
          RETVAL, CALLER, FUNC_IP, REG, SARG, USERMODE, REGS, DATA, CTX, PROBE, PROBETYPE, FUNC,
          CONFIG);

  private ContextBuiltins() {}

  private static Type context(Type target) {
    return new PointerType(target, AddressSpace.CONTEXT);
  }
}
