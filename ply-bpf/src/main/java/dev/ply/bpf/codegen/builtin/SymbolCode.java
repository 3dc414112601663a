package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.catalog.SymbolBuiltins;
import dev.ply.ir.Expr;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.Provider.Offer;
import dev.ply.probe.UserProbe;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.BinaryCatalog.BinarySymbol;

/** Generates code for symbols of the kernel and of programs. */
public final class SymbolCode {
  private SymbolCode() {}

  /** Adds the generators of the built-ins of symbols. */
  public static void addTo(BuiltinTable codes) {
    codes.scalar(SymbolBuiltins.KADDR, Cost.REGISTER, SymbolCode::address);
    codes.scalar(SymbolBuiltins.UADDR, Cost.HELPER, SymbolCode::userAddress);
    codes.scalar(SymbolBuiltins.KFUNC_EXIST, Cost.REGISTER, SymbolCode::exists);
    codes.scalar(
        SymbolBuiltins.KSYM,
        Cost.REGISTER,
        (clause, call) -> clause.expressions().scalar(call.arguments().get(0)));
  }

  private static ScalarCode exists(ClauseCode clause, Expr.Call call) {
    Expr.StringLiteral name = (Expr.StringLiteral) call.arguments().get(0);
    boolean exists = clause.script().target().types().function(name.value()).isPresent();
    return new ScalarCode.Constant(exists ? 1 : 0);
  }

  private static ScalarCode address(ClauseCode clause, Expr.Call call) {
    Expr.StringLiteral name = (Expr.StringLiteral) call.arguments().get(0);
    return new ScalarCode.Constant(
        clause.script().target().symbols().addresses(name.value()).get(0));
  }

  /**
   * In position-independent code, a symbol is as far from the probed instruction as it is in the
   * file.
   */
  private static ScalarCode userAddress(ClauseCode clause, Expr.Call call) {
    Expr.StringLiteral name = (Expr.StringLiteral) call.arguments().get(0);
    AttachPoint point = clause.clause().clause().point();
    BinaryCatalog binaries = clause.script().target().binaries();
    BinarySymbol symbol = binaries.symbol(point.binary().orElseThrow(), name.value());
    if (!symbol.isMoved()) {
      return new ScalarCode.Constant(symbol.address());
    }
    CodeBuilder code = clause.code();
    Register probed =
        point.offers(Offer.RETURN_VALUE)
            ? code.callForResult(Helper.GET_FUNC_IP, code.value(clause.context()))
            : clause.arithmetic().register(clause.layout().programCounter());
    Register address = code.fresh();
    code.constant(address, symbol.address() - site(point, binaries));
    code.alu(Width.W64, AluOp.ADD, address, probed);
    return new ScalarCode.InRegister(address);
  }

  /** Returns the address in the file of the probed instruction. */
  private static long site(AttachPoint point, BinaryCatalog binaries) {
    if (point instanceof AttachPoint.Usdt usdt) {
      return ((UsdtSelector.Location) usdt.place()).address();
    }
    UserSelector place = ((UserProbe) point).place();
    return binaries
        .address(place.binary(), binaries.locate(place).get(0).offset())
        .orElseThrow(() -> new IllegalStateException("no code at " + place.text()));
  }
}
