package dev.ply.analysis.struct;

import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeArray;
import dev.ply.ir.TypeDefinition;
import dev.ply.ir.TypeName;
import dev.ply.ir.TypeReference;
import dev.ply.ir.Walker;
import dev.ply.target.Target;
import java.util.List;

/** Finds structures by name that neither the script nor the kernel has: those of the program. */
public final class ForeignTypes extends Walker {
  private final List<TypeDefinition> own;
  private final NamedType types;
  private boolean isFound;

  private ForeignTypes(List<TypeDefinition> own, Target target) {
    this.own = own;
    this.types = new NamedType(target);
  }

  /**
   * Returns whether a clause names one.
   *
   * @param own the types of the script
   */
  public static boolean areIn(Clause clause, List<TypeDefinition> own, Target target) {
    ForeignTypes search = new ForeignTypes(own, target);
    search.walk(clause);
    return search.isFound;
  }

  private void note(TypeReference type) {
    if (type instanceof TypeArray array) {
      note(array.element());
    } else if (type instanceof TypeName name && name.base().contains(" ")) {
      isFound |= !isOwn(name.base()) && types.find(new TypeName(name.base(), 0)).isEmpty();
    }
  }

  private boolean isOwn(String name) {
    return own.stream()
        .anyMatch(
            type -> type instanceof TypeDefinition.Struct struct && struct.name().equals(name));
  }

  @Override
  public Walker visit(Expr.Cast node) {
    note(node.type());
    return super.visit(node);
  }

  @Override
  public Walker visit(Expr.SizeOfType node) {
    note(node.type());
    return super.visit(node);
  }

  @Override
  public Walker visit(Expr.OffsetOf node) {
    note(node.type());
    return super.visit(node);
  }
}
