package dev.ply.analysis.typing;

import static dev.ply.diagnostic.DiagnosticCode.NOT_AVAILABLE_HERE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;
import static dev.ply.diagnostic.DiagnosticCode.UNKNOWN_FIELD;

import dev.ply.analysis.struct.NamedType;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.Provider.Offer;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.AddressSpace;
import dev.ply.type.Dialect;
import dev.ply.type.StructField;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.StructType;
import dev.ply.type.Type.TupleType;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Types members of the probe's context: a tracepoint's record, arguments or registers. */
public final class TypeMember {
  /** Record fields at offsets where the kernel passes programs something else. */
  private static final Set<String> HIDDEN_FIELDS = Set.of("common_flags", "common_preempt_count");

  private final AttachPoint point;
  private final Optional<TracepointFormat> tracepoint;
  private final Target target;
  private final Dialect dialect;
  private final Diagnostics diagnostics;

  TypeMember(
      AttachPoint point,
      Optional<TracepointFormat> tracepoint,
      Target target,
      Dialect dialect,
      Diagnostics diagnostics) {
    this.point = point;
    this.tracepoint = tracepoint;
    this.target = target;
    this.dialect = dialect;
    this.diagnostics = diagnostics;
  }

  private static boolean isOfContext(Type base) {
    return base instanceof PointerType pointer && pointer.space() == AddressSpace.CONTEXT;
  }

  /** Types a member of a value of type {@code base}. */
  Optional<Type> apply(Expr.Member node, Type base) {
    if (base instanceof TupleType tuple) {
      return ofTuple(node, tuple);
    }
    Type holder = base instanceof PointerType pointer ? pointer.target() : base;
    if (holder instanceof KernelStruct struct) {
      return ofKernel(node, base, struct);
    }
    if (point.provider().isEmpty() && isOfContext(base)) {
      // Members of an unknown probe's context are unknown, too.
      return Optional.empty();
    }
    if (!(holder instanceof StructType struct)) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.base().span(),
          TypeExpression.article(base) + " has no members, and no \"" + node.name() + "\" in it",
          base.isScalar()
              ? new String[] {"cast it: ((struct …)value)->" + node.name()}
              : new String[0]);
      return Optional.empty();
    }
    String context =
        point.offers(Offer.RECORD) ? "data" : point.offers(Offer.NAMED_ARGUMENTS) ? "args" : "regs";
    if (!isContext(node.base())) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.base().span(),
          "only \"" + context + "\" itself has members that can be read, not a copy of it",
          "write " + context + "->" + node.name());
      return Optional.empty();
    }
    // Other tracers allow a dot for fields of a record; none does for this.
    if (context.equals("regs")
        && (base instanceof PointerType) == (node.access() == Expr.Member.Access.DOT)) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.base().span(),
          base instanceof PointerType
              ? "\"regs\" is a pointer to the registers, not a structure"
              : "this is a structure, not a pointer to one",
          "write regs->" + node.name());
      return Optional.empty();
    }
    if (HIDDEN_FIELDS.contains(node.name())) {
      diagnostics.error(
          NOT_AVAILABLE_HERE,
          node.nameSpan(),
          "the kernel does not let probes read \"" + node.name() + "\"");
      return Optional.empty();
    }
    Optional<StructField> field = struct.field(node.name());
    if (field.isEmpty()) {
      diagnostics.error(
          UNKNOWN_FIELD,
          node.nameSpan(),
          owner(struct)
              + " has no "
              + (context.equals("regs") ? "member" : context.equals("args") ? "argument" : "field")
              + " \""
              + node.name()
              + "\"",
          fieldHint(node.name(), struct));
    }
    return field.map(this::type);
  }

  /**
   * Pointers in a record have their declared types, where the kernel knows them, and enumerations
   * their names, where the dialect prints those.
   */
  private Type type(StructField field) {
    Optional<Type> declared =
        tracepoint
            .flatMap(format -> format.field(field.name()))
            .flatMap(TracepointFormat.Field::declared)
            .flatMap(new NamedType(target)::find);
    if (declared.isPresent() && field.type() instanceof PointerType pointer) {
      return new PointerType(in(pointer.space(), declared.get()), pointer.space());
    }
    return declared.isPresent()
            && dialect == Dialect.BPFTRACE
            && declared.get() instanceof IntType enumeration
            && field.type() instanceof IntType number
        ? number.named(enumeration.names())
        : field.type();
  }

  /** Pointers in user memory point to user memory. */
  private static Type in(AddressSpace space, Type type) {
    return type instanceof PointerType pointer
        ? new PointerType(in(space, pointer.target()), space)
        : type;
  }

  private Optional<Type> ofTuple(Expr.Member node, TupleType tuple) {
    Optional<StructField> element = tuple.element(node.name());
    if (element.isEmpty() || node.access() == Expr.Member.Access.ARROW) {
      int last = tuple.elements().size() - 1;
      diagnostics.error(
          UNKNOWN_FIELD,
          node.nameSpan(),
          (tuple.isRecord() ? "the record has no " : "a tuple has no ")
              + (element.isEmpty() ? "element" : "member")
              + " \""
              + node.name()
              + "\"",
          tuple.isRecord()
              ? "it has "
                  + String.join(", ", tuple.names().stream().map(name -> "." + name).toList())
              : "its elements are numbered: " + (last == 0 ? ".0" : ".0 to ." + last));
      return Optional.empty();
    }
    return element.map(StructField::type);
  }

  /** Types a member of a kernel structure, by C's rules; a dot follows pointers, too. */
  private Optional<Type> ofKernel(Expr.Member node, Type base, KernelStruct struct) {
    if (!(base instanceof PointerType) && node.access() == Expr.Member.Access.ARROW) {
      diagnostics.error(
          TYPE_MISMATCH,
          node.base().span(),
          "this is a structure, not a pointer to one",
          "write ." + node.name());
      return Optional.empty();
    }
    Optional<KernelTypes.Member> member = target.types().member(struct, node.name());
    if (member.isEmpty()) {
      diagnostics.error(
          UNKNOWN_FIELD,
          node.nameSpan(),
          struct.name() + " has no member \"" + node.name() + "\"",
          new RenamedMember(target.types())
              .path(struct, node.name())
              .map(path -> new String[] {"did you mean \"" + path + "\"?"})
              .orElseGet(() -> Suggestions.hint(node.name(), target.types().memberNames(struct))));
    }
    return member.map(KernelTypes.Member::type);
  }

  private String owner(StructType struct) {
    if (point instanceof AttachPoint.RawTracepoint) {
      return point.definition();
    }
    if (point instanceof AttachPoint.Iterator) {
      return point.definition();
    }
    return point instanceof AttachPoint.Tracepoint tracepoint
        ? "tracepoint " + tracepoint.place().text()
        : point
            .typedFunction()
            .map(function -> "function " + function.name())
            .orElse("\"" + struct.name() + "\"");
  }

  /**
   * Returns whether the expression is {@code data}, {@code args} or {@code regs}, or a dereference
   * of one.
   */
  public static boolean isContext(Expr expr) {
    Expr base =
        expr instanceof Expr.Unary unary && unary.op() == UnaryOp.DEREFERENCE
            ? unary.operand()
            : expr;
    return base instanceof Expr.Call call
        && (call.function() == ContextBuiltins.DATA
            || call.function() == ContextBuiltins.CTX
            || call.function() == ContextBuiltins.REGS);
  }

  private static String[] fieldHint(String name, StructType struct) {
    List<String> names = struct.fields().stream().map(StructField::name).toList();
    List<String> own = names.stream().filter(field -> !field.startsWith("common_")).toList();
    return Suggestions.hint(name, names.stream(), "it has " + String.join(", ", own));
  }
}
