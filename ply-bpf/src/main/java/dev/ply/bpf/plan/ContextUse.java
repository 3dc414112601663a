package dev.ply.bpf.plan;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.StackShape;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.ObjectBuiltins;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.builtin.catalog.SymbolBuiltins;
import dev.ply.ir.Expr;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What clauses read of their program's context.
 *
 * @param intrinsics the built-ins they use, including those of members
 * @param arguments the function's arguments, by index
 * @param fields the fields of the record that are read separately
 * @param whole whether record or registers are used as a whole
 */
record ContextUse(
    Set<Builtin> intrinsics, Set<Integer> arguments, Set<String> fields, boolean whole) {
  static ContextUse of(List<AnalyzedClause> clauses) {
    Set<Builtin> intrinsics = new HashSet<>();
    Set<Integer> arguments = new TreeSet<>();
    Set<String> fields = new TreeSet<>();
    int contexts = 0;
    int members = 0;
    for (AnalyzedClause clause : clauses) {
      for (Expr expr : clause.expressions()) {
        if (expr instanceof Expr.Call call) {
          intrinsics.add(Builtin.of(call));
          if (call.function() == StackBuiltins.STACK && StackShape.isOfBoth(call)) {
            intrinsics.add(StackBuiltins.USTACK);
          }
          if (call.function() == ContextBuiltins.REG || call.function() == ContextBuiltins.SARG) {
            intrinsics.add(ContextBuiltins.REGS);
          }
          contexts += isContext(call) ? 1 : 0;
        } else if (expr instanceof Expr.Argument argument) {
          arguments.add(argument.index());
        } else if (expr instanceof Expr.Member member && isOfContext(member)) {
          fields.add(member.name());
          members++;
        }
      }
    }
    return new ContextUse(intrinsics, arguments, fields, contexts > members);
  }

  private static boolean isContext(Expr expr) {
    return expr instanceof Expr.Call call
        && (call.function() == ContextBuiltins.DATA || call.function() == ContextBuiltins.REGS);
  }

  private static boolean isOfContext(Expr.Member member) {
    return isContext(
        member.base() instanceof Expr.Unary dereferenced ? dereferenced.operand() : member.base());
  }

  boolean uses(Builtin intrinsic) {
    return intrinsics.contains(intrinsic);
  }

  /** Returns whether a helper takes objects of the kernel, whose types the verifier has to know. */
  boolean handsOnObjects() {
    return uses(ObjectBuiltins.PATH)
        || uses(ObjectBuiltins.SOCKET_COOKIE)
        || uses(ObjectBuiltins.SKBOUTPUT);
  }

  boolean readsRecord() {
    return whole || !fields.isEmpty();
  }

  /**
   * Returns whether clauses can observe the probed instruction, in the registers or the stack. If
   * not, a function can be probed at any instruction that all calls reach with the same arguments.
   */
  boolean seesInstruction() {
    return readsRecord()
        || uses(ContextBuiltins.CALLER)
        || uses(ContextBuiltins.REGS)
        || uses(ContextBuiltins.CTX)
        || uses(StackBuiltins.USTACK)
        || uses(SymbolBuiltins.UADDR);
  }
}
