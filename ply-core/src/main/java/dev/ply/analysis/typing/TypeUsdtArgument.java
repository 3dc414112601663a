package dev.ply.analysis.typing;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.machine.UsdtArgument;
import dev.ply.probe.AttachPoint;
import dev.ply.selector.UsdtSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.util.List;
import java.util.Optional;

/** Types the arguments of USDT probes, whose notes give their sizes. */
final class TypeUsdtArgument {
  private final BinaryCatalog binaries;
  private final Diagnostics diagnostics;

  TypeUsdtArgument(BinaryCatalog binaries, Diagnostics diagnostics) {
    this.binaries = binaries;
    this.diagnostics = diagnostics;
  }

  /**
   * Types an argument; a missing USDT probe has been reported, and has any number of them. Messages
   * have no number, which argdist counts from 1.
   */
  Optional<Type> apply(Expr.Argument node, AttachPoint.Usdt point) {
    if (!(point.place() instanceof UsdtSelector.Location place)) {
      return Optional.of(IntType.U64);
    }
    List<UsdtArgument> arguments = binaries.marks(place).get(0).arguments();
    if (node.index() >= arguments.size()) {
      diagnostics.error(
          DiagnosticCode.OUT_OF_RANGE,
          node.span(),
          point.definition() + " has no such argument",
          switch (arguments.size()) {
            case 0 -> "it has no arguments";
            case 1 -> "it has one argument";
            default -> "it has " + arguments.size() + " arguments";
          });
      return Optional.empty();
    }
    UsdtArgument argument = arguments.get(node.index());
    if (argument.operand() instanceof UsdtArgument.Elsewhere) {
      diagnostics.error(
          DiagnosticCode.NOT_AVAILABLE_HERE,
          node.span(),
          "this argument of " + point.definition() + " cannot be read",
          "probes cannot access it: " + argument.text());
      return Optional.empty();
    }
    if (argument.operand() instanceof UsdtArgument.AtSymbol symbol) {
      diagnostics.error(
          DiagnosticCode.NOT_AVAILABLE_HERE,
          node.span(),
          "this argument of " + point.definition() + " cannot be read: " + argument.text(),
          "the file's symbol table has no symbol \""
              + symbol.symbol()
              + "\", or several: a debug file may have it");
      return Optional.empty();
    }
    return Optional.of(argument.type());
  }
}
