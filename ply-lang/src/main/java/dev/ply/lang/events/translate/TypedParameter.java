package dev.ply.lang.events.translate;

import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.lang.events.Fetch;
import dev.ply.lang.events.ProbeError;
import dev.ply.lang.events.Problems;
import dev.ply.lang.events.Problems.Reported;
import dev.ply.result.TraceLine.Style;
import dev.ply.target.KernelTypes;
import dev.ply.target.KernelTypes.Member;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import java.util.List;
import java.util.Optional;

/** A value whose type the kernel's BTF knows: a parameter, a result, or a member they lead to. */
record TypedParameter(Expr value, Type type, boolean isBitField) {
  /** Follows the members of a path from a value. */
  static TypedParameter of(
      Nodes nodes,
      Expr value,
      Type type,
      List<Fetch.Step> path,
      KernelTypes types,
      Problems problems)
      throws Reported {
    if (path.isEmpty()) {
      return new TypedParameter(typed(nodes, value, type), type, false);
    }
    Type base = type;
    Expr expr = typed(nodes, value, type);
    boolean isBitField = false;
    for (Fetch.Step step : path) {
      KernelStruct struct = struct(base, step, problems);
      Optional<Member> member =
          step.member().isEmpty() ? Optional.empty() : types.member(struct, step.member());
      if (member.isEmpty()) {
        throw problems.error(
            ProbeError.NO_BTF_FIELD,
            step.span(),
            Problems.nearest(
                step.member(), types.memberNames(struct), "it is no member of " + struct.name()));
      }
      expr = step.isArrow() ? nodes.arrow(expr, step.member()) : nodes.dot(expr, step.member());
      base = member.get().type();
      isBitField = member.get().isBitField();
    }
    return new TypedParameter(expr, base, isBitField);
  }

  private static KernelStruct struct(Type base, Fetch.Step step, Problems problems)
      throws Reported {
    Optional<Type> target =
        base instanceof PointerType pointer ? Optional.of(pointer.target()) : Optional.empty();
    if (target.isPresent() == step.isArrow()
        && target.orElse(base) instanceof KernelStruct struct) {
      return struct;
    }
    String what = "it would be a member of " + base.withArticle();
    throw step.isArrow()
        ? problems.error(
            ProbeError.NO_PTR_STRCT,
            step.span(),
            base instanceof KernelStruct ? what + ": write ." : what)
        : problems.error(
            ProbeError.BAD_BTF_TID, step.span(), target.isPresent() ? what + ": write ->" : what);
  }

  /** Returns whether this is a pointer to characters, or an array of them. */
  boolean isText() {
    Type element =
        type instanceof PointerType pointer
            ? pointer.target()
            : type instanceof ArrayType array ? array.element() : type;
    return type != element
        && element instanceof IntType integer
        && integer.bytes() == 1
        && (integer.format() == IntFormat.CHARACTER || !integer.isSigned());
  }

  /** Returns how values are printed by default. */
  Style style() {
    if (isBitField) {
      return Style.UNSIGNED;
    }
    if (type instanceof IntType integer) {
      return integer.isSigned() && integer.format() != IntFormat.CHARACTER
          ? Style.SIGNED
          : Style.UNSIGNED;
    }
    return Style.HEX;
  }

  /** Returns the address of a string: a pointer's value, or where an array is. */
  Expr start(Nodes nodes) {
    return type instanceof ArrayType ? nodes.unary(UnaryOp.ADDRESS_OF, value) : value;
  }

  /** Returns a number, or the address of anything else, in 64 bits. */
  Expr word(Nodes nodes) {
    Expr number = type.isScalar() ? value : nodes.unary(UnaryOp.ADDRESS_OF, value);
    return nodes.cast("uint64", 0, number);
  }

  /** Returns a register's value in its type, where scripts can name that. */
  private static Expr typed(Nodes nodes, Expr value, Type type) {
    if (type instanceof IntType integer) {
      return nodes.cast(Nodes.integer(8 * integer.bytes(), integer.isSigned()), 0, value);
    }
    int pointers = 0;
    Type base = type;
    while (base instanceof PointerType pointer) {
      pointers++;
      base = pointer.target();
    }
    boolean isNamed = base instanceof KernelStruct struct && !struct.tag().isEmpty();
    return isNamed ? nodes.cast(base.name(), pointers, value) : value;
  }
}
