package dev.ply.analysis.rewrite;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.StackShape;
import dev.ply.builtin.StackWalk;
import dev.ply.builtin.catalog.StackBuiltins;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.table.StackMode;
import java.util.Optional;

/** Adds the mode that a script sets for its stacks to the calls that name none. */
public final class ApplyStackMode extends Rewriter {
  private final String mode;

  private ApplyStackMode(String mode) {
    this.mode = mode;
  }

  public static Script apply(Script script) {
    return mode(script.configuration())
        .map(mode -> new ApplyStackMode(mode).rewrite(script))
        .orElse(script);
  }

  private static Optional<String> mode(Configuration configuration) {
    Optional<String> mode = configuration.value(Setting.STACK_MODE);
    boolean isOther = mode.filter(name -> !name.equals("bpftrace")).isPresent();
    return configuration.showsDebugInfo() && !isOther
        ? Optional.of(StackMode.LINES.canonicalName())
        : mode;
  }

  /** Returns whether an argument is a mode, or a word that is none; not how frames are found. */
  private static boolean isMode(Expr argument) {
    return argument instanceof Expr.StringLiteral word
        && StackWalk.named(word.value()).isEmpty()
        && !word.value().equals(StackShape.BOTH);
  }

  @Override
  public Expr visit(Expr.Call node) {
    Expr.Call call = (Expr.Call) super.visit(node);
    Builtin function = Builtin.of(call);
    boolean isStack = function == StackBuiltins.STACK || function == StackBuiltins.USTACK;
    boolean isWithout =
        function == StackBuiltins.STACK && mode.equals(StackMode.BUILD_ID.canonicalName());
    int before = function == StackBuiltins.STACK && StackShape.isOfBoth(call) ? 1 : 0;
    if (!isStack || isWithout || call.arguments().stream().anyMatch(ApplyStackMode::isMode)) {
      return call;
    }
    return new Expr.Call(
        function,
        ImmutableList.<Expr>builder()
            .addAll(call.arguments().subList(0, before))
            .add(new Expr.StringLiteral(mode, call.span()))
            .addAll(call.arguments().subList(before, call.arguments().size()))
            .build(),
        call.span());
  }
}
