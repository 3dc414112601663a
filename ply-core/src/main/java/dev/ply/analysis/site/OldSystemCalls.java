package dev.ply.analysis.site;

import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Rewriter;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.selector.Glob;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Functions that implemented system calls before Linux 4.17, {@code SyS_read} and {@code sys_read}:
 * where a kernel has no such function, the name means the system call. A clause on one becomes a
 * clause on the call's tracepoint.
 */
public final class OldSystemCalls {
  private static final List<String> PREFIXES = List.of("SyS_", "sys_");
  private static final String CATEGORY = "syscalls";

  /** Where the first argument is in a record, and how far apart they are. */
  private static final int FIRST_ARGUMENT = 16;

  private static final int WORD = 8;

  private final Target target;
  private final Diagnostics diagnostics;

  /** The notes given: a clause on a return and the one on its entry have the same. */
  private final Set<String> told = new LinkedHashSet<>();

  private OldSystemCalls(Target target, Diagnostics diagnostics) {
    this.target = target;
    this.diagnostics = diagnostics;
  }

  public static Script apply(Script script, Target target, Diagnostics diagnostics) {
    OldSystemCalls names = new OldSystemCalls(target, diagnostics);
    List<Clause> clauses = new ArrayList<>();
    script.clauses().forEach(clause -> names.add(clauses, clause));
    return names.told.isEmpty() ? script : script.withClauses(clauses);
  }

  /**
   * Returns whether a function's name means a system call on a target, which has no such function.
   */
  public static boolean isSystemCall(AttachPoint point, Target target) {
    OldSystemCalls names = new OldSystemCalls(target, new Diagnostics());
    Optional<KernelSelector> place = place(point);
    Optional<String> prefix = place.flatMap(OldSystemCalls::prefix);
    try {
      return prefix.isPresent()
          && !names.exists(place.orElseThrow())
          && names.tracepoint(point, place.orElseThrow(), prefix.get()).isPresent();
    } catch (UnreadableTargetException e) {
      return false;
    }
  }

  private static Optional<String> prefix(KernelSelector place) {
    return PREFIXES.stream().filter(one -> place.text().startsWith(one)).findFirst();
  }

  private void add(List<Clause> clauses, Clause clause) {
    Optional<KernelSelector> place = place(clause.point());
    Optional<String> prefix = place.flatMap(OldSystemCalls::prefix);
    if (prefix.isEmpty()) {
      clauses.add(clause);
      return;
    }
    try {
      replace(clauses, clause, place.orElseThrow(), prefix.get());
    } catch (UnreadableTargetException e) {
      // The function is looked up as it is, which says what cannot be read.
      clauses.add(clause);
    }
  }

  private void replace(List<Clause> clauses, Clause clause, KernelSelector place, String prefix) {
    boolean exists = exists(place);
    Optional<TracepointSelector> tracepoint =
        exists && place instanceof KernelSelector.Function
            ? Optional.empty()
            : tracepoint(clause.point(), place, prefix);
    if (tracepoint.isEmpty()) {
      clauses.add(clause);
      return;
    }
    if (exists) {
      clauses.add(with(clause, clause.point(), new Names(prefix)));
    }
    AttachPoint.Tracepoint point = new AttachPoint.Tracepoint(tracepoint.get());
    note(clause, place, point);
    Optional<TracepointFormat> format =
        tracepoint.get() instanceof TracepointSelector.Event event
            ? target.tracepoints().find(event.category(), event.event())
            : Optional.empty();
    clauses.add(
        with(
            clause,
            point,
            new Body(prefix, place, clause.point() instanceof KernelProbe.Kprobe, format)));
  }

  private static Clause with(Clause clause, AttachPoint point, Rewriter body) {
    return new Clause(
        point,
        clause.pointSpan(),
        clause.predicate().map(body::rewrite),
        (Statement.Block) body.rewrite(clause.body()),
        clause.span());
  }

  private void note(Clause clause, KernelSelector place, AttachPoint point) {
    boolean isPattern = place instanceof KernelSelector.Functions;
    if (told.add(clause.pointSpan() + place.text())) {
      diagnostics.note(
          DiagnosticCode.REPLACED_FUNCTION,
          clause.pointSpan(),
          place.text() + (isPattern ? " means system calls here" : " is a system call here"),
          "attached is " + point.definition());
    }
  }

  private boolean exists(KernelSelector place) {
    KernelSelector.Functions functions =
        place instanceof KernelSelector.Functions pattern
            ? pattern
            : new KernelSelector.Functions(place.text());
    return !target.functions().selectTraced(functions).functions().isEmpty();
  }

  /** Returns the tracepoint of system calls, if there is one. */
  private Optional<TracepointSelector> tracepoint(
      AttachPoint point, KernelSelector place, String prefix) {
    String event =
        (point instanceof KernelProbe.Kprobe ? "sys_enter_" : "sys_exit_")
            + place.text().substring(prefix.length());
    TracepointSelector tracepoint =
        place instanceof KernelSelector.Functions
            ? new TracepointSelector.Events(new Glob(CATEGORY), new Glob(event))
            : new TracepointSelector.Event(CATEGORY, event);
    return Optional.of(tracepoint).filter(this::isKnown);
  }

  private boolean isKnown(TracepointSelector tracepoint) {
    if (tracepoint instanceof TracepointSelector.Event event) {
      return target.tracepoints().id(event.category(), event.event()).isPresent();
    }
    TracepointSelector.Events pattern = (TracepointSelector.Events) tracepoint;
    return target
        .tracepoints()
        .names()
        .map(name -> name.split(":", 2))
        .anyMatch(name -> pattern.matches(new TracepointSelector.Event(name[0], name[1])));
  }

  private static Optional<KernelSelector> place(AttachPoint point) {
    Optional<KernelSelector> place =
        point instanceof KernelProbe.Kprobe kprobe
            ? Optional.of(kprobe.place())
            : point instanceof KernelProbe.Kretprobe kretprobe
                ? Optional.of(kretprobe.place())
                : Optional.empty();
    return place.filter(
        one -> one instanceof KernelSelector.Function || one instanceof KernelSelector.Functions);
  }

  /** A clause that shows the names of functions, as written. */
  private static class Names extends Rewriter {
    private final String prefix;

    Names(String prefix) {
      this.prefix = prefix;
    }

    @Override
    public Expr visit(Expr.Call node) {
      boolean isName =
          node.function() == ContextBuiltins.CALLER || node.function() == ContextBuiltins.FUNC;
      if (!isName || !node.arguments().isEmpty()) {
        return super.visit(node);
      }
      Expr site = new Expr.Call(ContextBuiltins.PROBE, List.of(), node.span());
      Expr name = new Expr.StringLiteral(prefix, node.span());
      return new Expr.Call(ContextBuiltins.FUNC, List.of(site, name), node.span());
    }
  }

  /** A function's clause on the tracepoint. */
  private final class Body extends Names {
    private final KernelSelector place;
    private final boolean isEntry;
    private final Optional<TracepointFormat> format;

    Body(String prefix, KernelSelector place, boolean isEntry, Optional<TracepointFormat> format) {
      super(prefix);
      this.place = place;
      this.isEntry = isEntry;
      this.format = format;
    }

    @Override
    public Expr visit(Expr.Argument node) {
      if (!isEntry) {
        return node;
      }
      int offset = FIRST_ARGUMENT + node.index() * WORD;
      Optional<TracepointFormat.Field> field =
          format.stream()
              .flatMap(one -> one.fields().stream())
              .filter(one -> one.offset() == offset)
              .findFirst();
      if (field.isPresent()) {
        return member(field.get().name(), node);
      }
      diagnostics.error(
          DiagnosticCode.NOT_AVAILABLE_HERE,
          node.span(),
          format.isPresent()
              ? "the system call " + place.text() + " has no arg" + node.index()
              : "system calls have different arguments",
          format.isPresent()
              ? "its arguments are the fields of its tracepoint, from arg0"
              : "name one, such as SyS_read");
      return Expr.number(0, node.span());
    }

    @Override
    public Expr visit(Expr.Call node) {
      return !isEntry && node.function() == ContextBuiltins.RETVAL
          ? member("ret", node)
          : super.visit(node);
    }

    private static Expr member(String field, Expr node) {
      Expr record = new Expr.Call(ContextBuiltins.DATA, List.of(), node.span());
      return new Expr.Member(record, Expr.Member.Access.ARROW, field, node.span(), node.span());
    }
  }
}
