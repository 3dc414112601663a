package dev.ply.analysis;

import static dev.ply.diagnostic.DiagnosticCode.HIDDEN_ADDRESSES;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_NAME;

import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.ir.KernelSelector;
import dev.ply.target.KernelSymbols;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Types what goes from names of the kernel to addresses, and back. */
final class TypeSymbol {
  private final TypeExpression expressions;
  private final KernelSymbols symbols;
  private final Diagnostics diagnostics;

  TypeSymbol(TypeExpression expressions, KernelSymbols symbols, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.symbols = symbols;
    this.diagnostics = diagnostics;
  }

  /** Types an address that prints as function and offset. */
  Optional<Type> named(Expr.Call node) {
    Expr address = node.arguments().get(0);
    return expressions
        .apply(address)
        .flatMap(type -> expressions.integer(type, address, "the argument of \"ksym\""))
        .map(unused -> expressions.word().printedAs(IntFormat.SYMBOL));
  }

  /** Types the address of what the kernel has under a name. */
  Optional<Type> address(Expr.Call node) {
    Expr argument = node.arguments().get(0);
    if (expressions.apply(argument).isEmpty()) {
      return Optional.empty();
    }
    if (!(argument instanceof Expr.StringLiteral name)) {
      diagnostics.error(
          TYPE_MISMATCH,
          argument.span(),
          "\"kaddr\" takes the name of a symbol as a text",
          "write kaddr(\"jiffies\"), say");
      return Optional.empty();
    }
    List<Long> addresses = symbols.addresses(name.value());
    if (addresses.size() == 1) {
      return Optional.of(expressions.word().printedAs(IntFormat.HEX));
    }
    if (symbols.areHidden()) {
      diagnostics.error(
          HIDDEN_ADDRESSES,
          argument.span(),
          "the kernel hides its addresses",
          HiddenAddressNote.HINT);
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
