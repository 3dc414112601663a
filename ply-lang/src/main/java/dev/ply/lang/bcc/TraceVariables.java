package dev.ply.lang.bcc;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** trace's variables; to BCC {@code $pid} is a thread, and {@code $tgid} its process. */
record TraceVariables(ProbedFunction probe) implements SpecifierScope.Variables {
  private static final Pattern ARGUMENT = Pattern.compile("arg([1-9])");

  private static final Map<String, Builtin> OF_THREAD =
      Map.of(
          "$pid", ThreadBuiltins.KPID,
          "$tid", ThreadBuiltins.KPID,
          "$tgid", ThreadBuiltins.PID,
          "$uid", ThreadBuiltins.UID,
          "$gid", ThreadBuiltins.GID,
          "$comm", ThreadBuiltins.COMM,
          "$cpu", ThreadBuiltins.CPU,
          "$task", ThreadBuiltins.CURTASK);

  @Override
  public Optional<Expr> value(String name, SourceSpan span) throws SpecifierException {
    Optional<Builtin> ofThread = Optional.ofNullable(OF_THREAD.get(name));
    if (ofThread.isPresent()) {
      return ofThread.map(builtin -> new Expr.Call(builtin, List.of(), span));
    }
    if (name.equals("retval") || name.equals("$retval")) {
      if (probe.kind() != ProbedFunction.Kind.RETURN) {
        throw SpecifierScope.onlyAtReturns(name, span);
      }
      return Optional.of(ArgdistVariables.result(span));
    }
    Matcher argument = ARGUMENT.matcher(name);
    if (!argument.matches() || probe.kind() != ProbedFunction.Kind.ENTRY) {
      return Optional.empty();
    }
    Expr value = new Expr.Argument(Integer.parseInt(argument.group(1)) - 1, span);
    return Optional.of(value);
  }

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>();
    switch (probe.kind()) {
      case ENTRY -> names.addAll(List.of("arg1", "arg2", "arg3"));
      case RETURN -> names.add("retval");
      case TRACEPOINT, USDT -> {}
    }
    names.addAll(List.of("$pid", "$tgid", "$uid", "$gid", "$comm", "$cpu", "$task"));
    return names;
  }

  @Override
  public boolean haveEntries() {
    return false;
  }

  @Override
  public boolean haveConditions() {
    return true;
  }
}
