package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.builtin.aggregate.EmitFunction;
import dev.ply.builtin.catalog.ErrorBuiltins;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.builtin.catalog.SystemBuiltins;
import dev.ply.diagnostic.Severity;
import dev.ply.result.Message;

/** Generates code that sends events. */
public final class EventCode {
  private EventCode() {}

  /** Adds the generators of the built-ins of events. */
  public static void addTo(BuiltinTable codes) {
    codes.event(EventBuiltins.PRINT, (clause, call) -> clause.events().print(call));
    codes.event(
        EventBuiltins.PRINTF, (clause, call) -> clause.events().printf(call, Message.PRINTF));
    codes.event(
        EventBuiltins.PRINT_TIME, (clause, call) -> clause.events().printf(call, Message.TIME));
    codes.event(EventBuiltins.JOIN, (clause, call) -> clause.events().join(call));
    codes.event(
        ErrorBuiltins.ERRORF, (clause, call) -> clause.events().report(call, Severity.ERROR));
    codes.event(
        ErrorBuiltins.WARNF, (clause, call) -> clause.events().report(call, Severity.WARNING));
    // What they check has been checked.
    codes.event(ErrorBuiltins.FAIL, (clause, call) -> {});
    codes.event(ErrorBuiltins.STATIC_ASSERT, (clause, call) -> {});
    codes.event(SystemBuiltins.SYSTEM, (clause, call) -> clause.events().command(call));
    codes.event(SystemBuiltins.CAT, (clause, call) -> clause.events().file(call));
    codes.event(EventBuiltins.CLEAR, (clause, call) -> clause.events().clear(call));
    codes.event(EventBuiltins.ZERO, (clause, call) -> clause.events().zero(call));
    codes.event(EventBuiltins.EXIT, (clause, call) -> clause.events().exit(call));
    codes.event(SystemBuiltins.UNWATCH, (clause, call) -> clause.events().unwatch(call));
    // Each probe that sends records, and each probe event, has a function of its own.
    codes.events(EmitFunction.class, (clause, call) -> clause.events().emit(call));
    codes.events(EventBuiltins.TracePrintf.class, (clause, call) -> clause.events().trace(call));
  }
}
