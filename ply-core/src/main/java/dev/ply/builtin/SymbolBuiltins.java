package dev.ply.builtin;

import static dev.ply.diagnostic.DiagnosticCode.HIDDEN_ADDRESSES;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_NAME;

import com.google.common.collect.ImmutableList;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.ir.KernelSelector;
import dev.ply.target.KernelSymbols;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Kernel symbols: from names to addresses, and back. */
public final class SymbolBuiltins {
  /** The address of a kernel symbol: {@code kaddr("jiffies")}. */
  public static final Builtin KADDR =
      new Builtin(Signature.of(Parameter.SYMBOL), Effect.PURE, "kaddr") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return address(call.arguments().get(0), typing);
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
              The same address, printed as the kernel symbol that contains it; as a number if there
              is none.
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
              The function of the current process that an address is in, and the offset; a number
              where none is known, or the process has ended when it is printed.
              """,
              """
              uprobe:c:pthread_create { printf("%s\\n", usym(arg2)); }
              """,
              "usym(address)");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(KADDR, KSYM, USYM);

  private SymbolBuiltins() {}

  private static Optional<Type> address(Expr argument, Typing typing) {
    if (typing.apply(argument).isEmpty()) {
      return Optional.empty();
    }
    Diagnostics diagnostics = typing.diagnostics();
    if (!(argument instanceof Expr.StringLiteral name)) {
      diagnostics.error(
          TYPE_MISMATCH,
          argument.span(),
          "\"kaddr\" takes the name of a symbol as a string",
          "write kaddr(\"jiffies\"), say");
      return Optional.empty();
    }
    KernelSymbols symbols = typing.target().symbols();
    List<Long> addresses = symbols.addresses(name.value());
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
          "this kernel has no symbol \"" + name.value() + "\"",
          Suggestions.hint(name.value(), symbols.names()));
    } else {
      diagnostics.error(
          UNKNOWN_NAME,
          argument.span(),
          "this kernel has several symbols \"" + name.value() + "\"",
          "write the address of one: "
              + addresses.stream()
                  .map(one -> new KernelSelector.Address(one).text())
                  .collect(Collectors.joining(", ")));
    }
    return Optional.empty();
  }
}
