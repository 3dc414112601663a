package dev.ply.analysis;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.MemoryBuiltins;
import dev.ply.builtin.StackBuiltins;
import dev.ply.ir.Configuration;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Setting;
import java.util.List;

/** Adds the arguments that calls omit and the script's settings determine. */
final class ApplySettings extends Rewriter {
  private final Configuration settings;

  private ApplySettings(Configuration settings) {
    this.settings = settings;
  }

  static Script apply(Script script) {
    Configuration settings = script.configuration();
    boolean isDefault =
        settings.value(Setting.MAX_STRLEN).isEmpty()
            && settings.value(Setting.STACK_MODE).isEmpty();
    return isDefault ? script : new ApplySettings(settings).rewrite(script);
  }

  @Override
  public Expr visit(Expr.Call node) {
    Expr.Call call = (Expr.Call) super.visit(node);
    Builtin function = call.function();
    if (function == MemoryBuiltins.STR && call.arguments().size() == 1) {
      return settings
          .value(Setting.MAX_STRLEN)
          .<Expr>map(
              size ->
                  with(
                      call,
                      call.arguments().get(0),
                      new Expr.IntLiteral(Long.parseLong(size), call.span())))
          .orElse(call);
    }
    boolean isRead = function == MemoryBuiltins.STR || function == MemoryBuiltins.BUF;
    if (isRead
        && call.arguments().size() == 2
        && !(call.arguments().get(1) instanceof Expr.IntLiteral)) {
      return settings
          .value(Setting.MAX_STRLEN)
          .<Expr>map(
              size ->
                  with(
                      call,
                      call.arguments().get(0),
                      call.arguments().get(1),
                      new Expr.IntLiteral(Long.parseLong(size), call.span())))
          .orElse(call);
    }
    boolean isStack = function == StackBuiltins.STACK || function == StackBuiltins.USTACK;
    if (isStack
        && call.arguments().stream().noneMatch(Expr.StringLiteral.class::isInstance)
        && settings.value(Setting.STACK_MODE).isPresent()) {
      String mode = settings.value(Setting.STACK_MODE).get();
      List<Expr> arguments =
          ImmutableList.<Expr>builder()
              .add(new Expr.StringLiteral(mode, call.span()))
              .addAll(call.arguments())
              .build();
      return with(call, arguments.toArray(Expr[]::new));
    }
    return call;
  }

  private static Expr with(Expr.Call call, Expr... arguments) {
    return new Expr.Call(call.function(), List.of(arguments), call.span());
  }
}
