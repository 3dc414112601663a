package dev.ply.bpf.codegen.clause;

import dev.ply.diagnostic.Severity;
import dev.ply.ir.Expr;
import dev.ply.result.Message;

/** Compiles calls that send events. */
public interface Events {
  /** Sends values to be printed, a line for each call. */
  void print(Expr.Call call);

  /** Sends values to be printed by a format. */
  void printf(Expr.Call call, Message message);

  /** Sends the hit of a probe event. */
  void trace(Expr.Call call);

  /** Sends a shell command to be run. */
  void command(Expr.Call call);

  /** Sends values to be reported by a format. */
  void report(Expr.Call call, Severity severity);

  /** Sends the path of a file whose content is printed. */
  void file(Expr.Call call);

  /** Sends the record of a probe. */
  void emit(Expr.Call call);

  /** Sends the request to clear a map. */
  void clear(Expr.Call call);

  /** Sends the request to set all values of a map to zero. */
  void zero(Expr.Call call);

  /** Sends the request to end the trace. */
  void exit(Expr.Call call);

  /** Sends the request to remove a watchpoint. */
  void unwatch(Expr.Call call);

  /** Sends the strings of an array of pointers, joined. */
  void join(Expr.Call call);
}
