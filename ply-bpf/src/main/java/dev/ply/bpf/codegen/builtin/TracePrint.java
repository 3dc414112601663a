package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.Helper;
import dev.ply.ir.Expr;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.IntType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Generates prints to the kernel's trace buffer. */
final class TracePrint {
  /** The kernel reads strings at their addresses. */
  void print(ClauseCode clause, Expr.Call call) {
    CodeBuilder code = clause.code();
    byte[] format = TextBytes.encode(((Expr.StringLiteral) call.arguments().get(0)).value());
    byte[] terminated = Arrays.copyOf(format, format.length + 1);
    List<CodeBuilder.Argument> arguments = new ArrayList<>();
    for (Expr value : call.arguments().subList(1, call.arguments().size())) {
      arguments.add(
          clause.clause().typeOf(value).isText()
              ? code.address(clause.texts().place(value))
              : code.value(
                  clause.arithmetic().register(clause.expressions().scalar(value, IntType.U64))));
    }
    Place place = clause.memory().allocate(terminated.length);
    code.storeBytes(place, terminated);
    arguments.add(0, code.value(terminated.length));
    arguments.add(0, code.address(place));
    code.call(Helper.TRACE_PRINTK, arguments.toArray(CodeBuilder.Argument[]::new));
  }
}
