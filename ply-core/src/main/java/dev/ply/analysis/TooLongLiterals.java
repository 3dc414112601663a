package dev.ply.analysis;

import dev.ply.analysis.typing.ConstantValue;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.catalog.MapBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.ParentBuiltins;
import dev.ply.builtin.catalog.StringBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import dev.ply.ir.Walker;
import dev.ply.type.BytePattern;
import dev.ply.type.Escapes;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.ArrayType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Warns of string literals that are compared with, looked for in, or looked up among strings that
 * cannot be as long: {@code comm == "a-name-of-20-letters"} is never true, since the kernel cuts
 * the names of threads to 15 bytes.
 */
final class TooLongLiterals {
  /** TASK_COMM_LEN. */
  private static final int THREAD_NAME_BYTES = 16;

  private static final Set<Builtin> THREAD_NAMES =
      Set.of(ThreadBuiltins.COMM, ParentBuiltins.PCOMM, ParentBuiltins.LEADER_COMM);

  /** In no particular order, as a clause's expressions are. */
  private final List<Warning> warnings = new ArrayList<>();

  private TooLongLiterals() {}

  private record Warning(SourceSpan span, String message, String hint) {}

  static void apply(Collection<AnalyzedClause> clauses, Diagnostics diagnostics) {
    TooLongLiterals literals = new TooLongLiterals();
    boolean hasLiterals = false;
    for (AnalyzedClause clause : clauses) {
      for (Expr expr : clause.expressions()) {
        hasLiterals |= expr instanceof Expr.StringLiteral;
        if (expr instanceof Expr.Binary binary) {
          literals.compared(clause, binary);
        } else if (expr instanceof Expr.Call call) {
          literals.called(clause, call);
        }
      }
    }
    if (hasLiterals) {
      literals.keys(clauses);
    }
    literals.warnings.sort(
        Comparator.<Warning>comparingInt(warning -> warning.span().line())
            .thenComparingInt(warning -> warning.span().column()));
    for (Warning warning : literals.warnings) {
      diagnostics.warning(
          DiagnosticCode.OUT_OF_RANGE, warning.span(), warning.message(), warning.hint());
    }
  }

  private void compared(AnalyzedClause clause, Expr.Binary node) {
    if (node.op() != BinaryOp.EQ && node.op() != BinaryOp.NE) {
      return;
    }
    String what = node.op() == BinaryOp.EQ ? "this is never true" : "this is always true";
    if (node.right() instanceof Expr.StringLiteral literal) {
      check(clause, node.left(), literal, bytes(literal), what);
    } else if (node.left() instanceof Expr.StringLiteral literal) {
      check(clause, node.right(), literal, bytes(literal), what);
    }
  }

  private void called(AnalyzedClause clause, Expr.Call call) {
    List<Expr> arguments = call.arguments();
    if (call.function() == StringBuiltins.STRCMP || call.function() == StringBuiltins.STRNCMP) {
      int most = Integer.MAX_VALUE;
      if (arguments.size() > 2) {
        var size = ConstantValue.of(arguments.get(2));
        if (size.isEmpty()) {
          return;
        }
        most = (int) Math.max(0, Math.min(most, size.getAsLong()));
      }
      String what = "\"" + call.function().canonicalName() + "\" is never 0";
      for (int i = 0; i < 2; i++) {
        if (arguments.get(i) instanceof Expr.StringLiteral literal) {
          check(clause, arguments.get(1 - i), literal, Math.min(most, bytes(literal)), what);
        }
      }
    } else if (call.function() == StringBuiltins.STRCONTAINS
        || call.function() == StringBuiltins.STRSTR) {
      if (arguments.get(1) instanceof Expr.StringLiteral literal) {
        check(clause, arguments.get(0), literal, bytes(literal), "this is never found");
      }
    } else if (call.function() == StringBuiltins.STRGLOB
        && arguments.get(1) instanceof Expr.StringLiteral literal) {
      int least = BytePattern.of(literal.value()).elements();
      OptionalInt most = capacity(clause, arguments.get(0));
      if (most.isPresent() && least > most.getAsInt()) {
        warn(
            literal.span(),
            "this never matches: "
                + named(arguments.get(0))
                + " has at most "
                + most.getAsInt()
                + " bytes, the pattern requires "
                + least,
            "* is any number of bytes");
      }
    }
  }

  private void check(
      AnalyzedClause clause, Expr string, Expr.StringLiteral literal, int bytes, String what) {
    OptionalInt most = capacity(clause, string);
    if (!(string instanceof Expr.StringLiteral) && most.isPresent() && bytes > most.getAsInt()) {
      warn(
          literal.span(),
          what
              + ": "
              + named(string)
              + " has at most "
              + most.getAsInt()
              + (bytes < bytes(literal) ? " bytes, compared are " : " bytes, this has ")
              + bytes,
          hint(string, literal, most.getAsInt()));
    }
  }

  private void warn(SourceSpan span, String message, String hint) {
    warnings.add(new Warning(span, message, hint));
  }

  /** Returns the most bytes of a string, without its NUL. */
  private static OptionalInt capacity(AnalyzedClause clause, Expr string) {
    if (!clause.isTyped(string)
        || !(clause.typeOf(string) instanceof ArrayType array)
        || !array.isText()) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(isTerminated(string, array) ? array.length() - 1 : array.length());
  }

  /** Returns whether the last byte is always a NUL, as it is not in memory that programs read. */
  private static boolean isTerminated(Expr string, ArrayType type) {
    return string instanceof Expr.Call call
        ? call.function() != MemoryBuiltins.MEM
        : type.marksCut() || isThreadName(string, type);
  }

  private static boolean isThreadName(Expr string, ArrayType type) {
    return string instanceof Expr.Member member
        && member.name().endsWith("comm")
        && type.length() == THREAD_NAME_BYTES;
  }

  private static String named(Expr string) {
    if (string instanceof Expr.Call call) {
      return "\"" + call.function().canonicalName() + "\"";
    }
    return string instanceof Expr.Member member ? "\"" + member.name() + "\"" : "the string";
  }

  private static String hint(Expr string, Expr.StringLiteral literal, int most) {
    boolean isThreadName =
        string instanceof Expr.Call call
            ? THREAD_NAMES.contains(call.function())
            : string instanceof Expr.Member member
                && member.name().endsWith("comm")
                && most == THREAD_NAME_BYTES - 1;
    if (isThreadName) {
      return "the kernel cuts names of threads to this: \"" + prefix(literal, most) + "\"";
    }
    return string instanceof Expr.Call call && call.function() == MemoryBuiltins.STR
        ? "str(address, " + (bytes(literal) + 1) + ") reads as many"
        : "compare with a prefix that fits: \"" + prefix(literal, most) + "\"";
  }

  private static String prefix(Expr.StringLiteral literal, int bytes) {
    byte[] all = TextBytes.encode(literal.value());
    return Escapes.escape(TextBytes.decode(Arrays.copyOf(all, Math.min(bytes, all.length))));
  }

  private static int bytes(Expr.StringLiteral literal) {
    return TextBytes.encode(literal.value()).length;
  }

  /** A literal that is looked up as a part of a key. */
  private record LookedUp(String map, int part, Expr.StringLiteral literal) {}

  /** The parts of all keys of a script: the most bytes that are stored, and what is looked up. */
  private static final class Keys extends Walker {
    private final Map<String, List<OptionalInt>> stored = new HashMap<>();
    private final List<LookedUp> lookedUp = new ArrayList<>();
    private AnalyzedClause clause;

    Keys(AnalyzedClause first) {
      this.clause = first;
    }

    void collect(AnalyzedClause next) {
      this.clause = next;
      next.clause().predicate().ifPresent(this::walk);
      walk(next.clause().body());
    }

    private void store(MapRef map) {
      List<OptionalInt> most = stored.computeIfAbsent(map.name(), unused -> new ArrayList<>());
      for (int i = 0; i < map.keys().size(); i++) {
        Expr key = map.keys().get(i);
        OptionalInt bytes =
            key instanceof Expr.StringLiteral literal
                ? OptionalInt.of(bytes(literal))
                : capacity(clause, key);
        if (i >= most.size()) {
          most.add(bytes);
        } else if (bytes.isEmpty() || most.get(i).isEmpty()) {
          most.set(i, OptionalInt.empty());
        } else {
          most.set(i, OptionalInt.of(Math.max(bytes.getAsInt(), most.get(i).getAsInt())));
        }
      }
    }

    private void lookUp(String map, List<Expr> keys) {
      for (int i = 0; i < keys.size(); i++) {
        if (keys.get(i) instanceof Expr.StringLiteral literal) {
          lookedUp.add(new LookedUp(map, i, literal));
        }
      }
    }

    @Override
    public Walker visit(Statement.Store node) {
      store(node.target());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Aggregate node) {
      store(node.target());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Update node) {
      store(node.target());
      return super.visit(node);
    }

    @Override
    public Walker visit(Statement.Delete node) {
      lookUp(node.target().name(), node.target().keys());
      return super.visit(node);
    }

    @Override
    public Walker visit(Expr.Step node) {
      if (node.target() instanceof Expr.MapRead read) {
        store(read.map());
      }
      return super.visit(node);
    }

    @Override
    public Walker visit(Expr.MapRead node) {
      lookUp(node.map().name(), node.map().keys());
      return super.visit(node);
    }

    @Override
    public Walker visit(Expr.Call node) {
      boolean looksUp =
          node.function() == MapBuiltins.HAS_KEY || node.function() == MapBuiltins.DELETE;
      if (looksUp
          && node.arguments().size() == 2
          && node.arguments().get(0) instanceof Expr.MapRead map) {
        Expr key = node.arguments().get(1);
        lookUp(map.map().name(), key instanceof Expr.Tuple tuple ? tuple.elements() : List.of(key));
      }
      return super.visit(node);
    }
  }

  private void keys(Collection<AnalyzedClause> clauses) {
    Keys keys = new Keys(clauses.iterator().next());
    clauses.forEach(keys::collect);
    for (LookedUp key : keys.lookedUp) {
      List<OptionalInt> stored = keys.stored.getOrDefault(key.map(), List.of());
      OptionalInt most = key.part() < stored.size() ? stored.get(key.part()) : OptionalInt.empty();
      int bytes = bytes(key.literal());
      if (most.isPresent() && bytes > most.getAsInt()) {
        warn(
            key.literal().span(),
            "map \""
                + key.map()
                + "\" never has this key: stored keys have at most "
                + most.getAsInt()
                + " bytes there, this has "
                + bytes,
            "look up what fits: \"" + prefix(key.literal(), most.getAsInt()) + "\"");
      }
    }
  }
}
