package dev.ply.analysis;

import dev.ply.analysis.typing.MapSymbols;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.declaration.MapDeclaration;
import java.util.List;

/** Checks the declarations of a script's maps, and records them. */
final class CheckDeclaration {
  private CheckDeclaration() {}

  /** Records the declarations; reports those of unknown maps, and those that are repeated. */
  static void apply(
      List<MapDeclaration> declarations, MapSymbols symbols, Diagnostics diagnostics) {
    for (MapDeclaration declaration : declarations) {
      String map = declaration.map();
      if (symbols.content(map).isEmpty() && !symbols.isObscure(map)) {
        diagnostics.warning(
            DiagnosticCode.NO_EFFECT, declaration.span(), "map \"" + map + "\" is never assigned");
      } else if (!symbols.declare(declaration)) {
        diagnostics.error(
            DiagnosticCode.DECLARED_TWICE,
            declaration.span(),
            "map \"" + map + "\" is declared already");
      }
    }
  }
}
