package dev.ply.builtin.catalog;

import static dev.ply.diagnostic.DiagnosticCode.HIDDEN_ADDRESSES;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_NAME;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Availability;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeName;
import dev.ply.probe.Provider.Offer;
import dev.ply.selector.KernelSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.KernelSymbols;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import dev.ply.type.AddressSpace;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Symbols of the kernel and of programs: from names to addresses, and back. */
public final class SymbolBuiltins {
  /** The address of a kernel symbol: {@code kaddr("jiffies")}. */
  public static final Builtin KADDR =
      new Builtin(Signature.of(Parameter.SYMBOL), Effect.PURE, "kaddr") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return name(call, typing).flatMap(name -> address(name, call.arguments().get(0), typing));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "address",
              """
              The address of a kernel function or variable, from /proc/kallsyms. Its name must be
              unique, and addresses visible (kernel.kptr_restrict).
              """,
              """
              BEGIN { print(str(kaddr("linux_banner"))); exit(0); }
              """,
              "kaddr(\"symbol\")");
        }
      };

  /** The address of a per-CPU variable of the kernel: {@code percpu_kaddr("runqueues", 0)}. */
  public static final Builtin PERCPU_KADDR =
      new Builtin.Macro(
          Signature.of(Parameter.SYMBOL).optional(Parameter.NUMBER), Effect.PURE, "percpu_kaddr") {
        /** The kernel's table of the distances of CPUs' variables from their symbols. */
        private static final String OFFSETS = "__per_cpu_offset";

        @Override
        public Optional<Expr> expansion(Expr.Call call) {
          SourceSpan span = call.span();
          TypeName number = new TypeName("uint64", 0);
          TypeName pointer = new TypeName("uint64", 1);
          boolean isGiven = call.arguments().size() > 1;
          Expr cpu =
              isGiven
                  ? call.arguments().get(1)
                  : new Expr.Call(ThreadBuiltins.CPU, List.of(), span);
          Expr symbol =
              new Expr.Cast(
                  number, new Expr.Call(KADDR, call.arguments().subList(0, 1), span), span);
          Expr offsets =
              new Expr.Cast(
                  pointer,
                  new Expr.Call(KADDR, List.of(new Expr.StringLiteral(OFFSETS, span)), span),
                  span);
          Expr sum =
              new Expr.Binary(BinaryOp.ADD, symbol, new Expr.Element(offsets, cpu, span), span);
          Expr exists =
              new Expr.Binary(
                  BinaryOp.LT,
                  new Expr.Cast(number, cpu, span),
                  new Expr.Call(MachineBuiltins.NCPUS, List.of(), span),
                  span);
          Expr address =
              isGiven
                  ? new Expr.Conditional(
                      exists, Optional.of(sum), new Expr.IntLiteral(0, span), span)
                  : sum;
          return Optional.of(new Expr.Cast(pointer, address, span));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "pointer to u64",
              """
              The address of a per-CPU variable of the kernel, on the current CPU or a given one; 0
              for a CPU that the machine cannot have. Requires a kernel whose /proc/kallsyms lists
              variables (CONFIG_KALLSYMS_ALL).
              """,
              """
              interval:1s { print(*percpu_kaddr("process_counts", 0)); }
              """,
              "percpu_kaddr(\"symbol\")",
              "percpu_kaddr(\"symbol\", cpu)");
        }
      };

  /** The address of a symbol of the probed program: {@code uaddr("ps1_prompt")}. */
  public static final Builtin UADDR =
      new Builtin(
          Signature.of(Parameter.SYMBOL),
          Effect.INVARIANT,
          new Availability(
              "only probes in programs and libraries have their symbols", Offer.BINARY),
          "uaddr") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr argument = call.arguments().get(0);
          return name(call, typing)
              .flatMap(name -> userSymbol(name, argument, typing))
              .map(symbol -> new PointerType(integer(symbol.size()), AddressSpace.USER));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "pointer to an unsigned integer of the symbol's size",
              """
              The address of a function or variable of the probed program or library, in the
              process; a variable of a size other than 1, 2, 4 or 8 counts as 8. In a uretprobe on
              position-independent code, since Linux 6.6.
              """,
              """
              uprobe:c:puts { print(*uaddr("stdout")); }
              """,
              "uaddr(\"symbol\")");
        }
      };

  /** A kernel address, printed as symbol and offset. */
  public static final Builtin KSYM =
      new Builtin(Signature.of(Parameter.ADDRESS), Effect.PURE, "ksym") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing
              .number(call, 0, "the argument of \"ksym\"")
              .map(unused -> typing.word().printedAs(IntFormat.SYMBOL));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "address, printed as function+offset",
              """
              The address, printed as the kernel symbol that contains it; as a number without one.
              """,
              """
              kprobe:vfs_read { @[ksym(regs->rip)] = count(); }
              """,
              "ksym(address)");
        }
      };

  /** An address of the current process, printed as symbol and offset. */
  public static final Builtin USYM =
      new Builtin(Signature.of(Parameter.ADDRESS), Effect.PURE, "usym") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing
              .number(call, 0, "the argument of \"usym\"")
              .map(unused -> new Type.EncodedString(new Encoding.UserSymbol()));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The function of the current process that contains an address, and the offset; a number
              if unknown, or if the process has ended when it is printed.
              """,
              """
              uprobe:c:pthread_create { printf("%s\\n", usym(arg2)); }
              """,
              "usym(address)");
        }
      };

  /** Whether the kernel has a function, by its types. */
  public static final Builtin KFUNC_EXIST =
      new Builtin(Signature.of(Parameter.LITERAL), Effect.PURE, "kfunc_exist") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return name(call, typing).map(unused -> IntType.TRUTH);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "int",
              """
              1 if the kernel's types (BTF) have a function of this name, kfuncs included, else 0; a
              constant. Functions of modules do not count.
              """,
              """
              BEGIN { print(kfunc_exist("bpf_task_from_pid")); exit(0); }
              """,
              "kfunc_exist(\"function\")");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(KADDR, PERCPU_KADDR, UADDR, KSYM, USYM, KFUNC_EXIST);

  private SymbolBuiltins() {}

  /** Returns the name of the symbol, or reports that it is not a string. */
  private static Optional<String> name(Expr.Call call, Typing typing) {
    Expr argument = call.arguments().get(0);
    if (typing.apply(argument).isEmpty()) {
      return Optional.empty();
    }
    if (argument instanceof Expr.StringLiteral name) {
      return Optional.of(name.value());
    }
    String function = call.function().canonicalName();
    typing
        .diagnostics()
        .error(
            TYPE_MISMATCH,
            argument.span(),
            "\"" + function + "\" takes the name of a symbol as a string",
            "write " + function + "(\"jiffies\"), for example");
    return Optional.empty();
  }

  private static Optional<BinaryCatalog.BinarySymbol> userSymbol(
      String name, Expr argument, Typing typing) {
    try {
      return typing.binary().map(binary -> typing.target().binaries().symbol(binary, name));
    } catch (ProbeSiteNotFoundException e) {
      typing
          .diagnostics()
          .error(
              e.code(),
              argument.span(),
              String.valueOf(e.getMessage()),
              e.hints().toArray(String[]::new));
    } catch (UnreadableTargetException e) {
      typing
          .diagnostics()
          .error(UNKNOWN_NAME, argument.span(), name + " cannot be looked up: " + e.getMessage());
    }
    return Optional.empty();
  }

  /** ELF files have sizes, but no types. */
  private static IntType integer(long size) {
    return size == 1 ? IntType.U8 : size == 2 ? IntType.U16 : size == 4 ? IntType.U32 : IntType.U64;
  }

  private static Optional<Type> address(String name, Expr argument, Typing typing) {
    Diagnostics diagnostics = typing.diagnostics();
    KernelSymbols symbols = typing.target().symbols();
    List<Long> addresses = symbols.addresses(name);
    if (addresses.size() == 1) {
      return Optional.of(typing.word().printedAs(IntFormat.HEX));
    }
    Optional<String> required = symbols.hiddenUnless();
    if (required.isPresent()) {
      diagnostics.error(
          HIDDEN_ADDRESSES, argument.span(), "the kernel hides its addresses", required.get());
    } else if (addresses.isEmpty()) {
      diagnostics.error(
          UNKNOWN_NAME,
          argument.span(),
          "this kernel has no symbol \"" + name + "\"",
          Suggestions.hint(name, symbols.names()));
    } else {
      diagnostics.error(
          UNKNOWN_NAME,
          argument.span(),
          "this kernel has several symbols \"" + name + "\"",
          "write the address of one: "
              + addresses.stream()
                  .map(one -> new KernelSelector.Address(one).text())
                  .collect(Collectors.joining(", ")));
    }
    return Optional.empty();
  }
}
