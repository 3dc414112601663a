package dev.ply.lang.preprocess;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Quotation;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.lang.c.directive.Headers;
import java.util.List;
import java.util.Optional;

/**
 * Finds headers among the files that were read for a script. Those of the kernel and of the C
 * library are built in, unless a directory has them that is searched for headers.
 */
public final class HeaderFiles implements Headers {
  private final Diagnostics diagnostics;

  public HeaderFiles(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  @Override
  public boolean has(Source from, String operand) {
    Optional<IncludedHeader> header = IncludedHeader.of(operand);
    return header.isPresent()
        && (header.get().isBuiltIn()
            || file(from, header.get()).stream().anyMatch(HeaderFiles::isRead));
  }

  @Override
  public List<Source> find(Source from, String operand, SourceSpan where) {
    Optional<IncludedHeader> named = IncludedHeader.of(operand);
    if (named.isEmpty()) {
      error(where, "#include names no header", "write #include \"header.h\"");
      return List.of();
    }
    IncludedHeader header = named.get();
    Optional<Source.Import> file = file(from, header);
    if (file.isPresent() && isRead(file.get())) {
      return file.get().files();
    }
    if (header.isBuiltIn()) {
      return List.of();
    }
    if (file.isPresent() && header.isQuoted()) {
      error(
          where,
          file.get().problem().orElse(""),
          "headers (.h) in quotes are looked for beside the script that includes them, and in the"
              + " directories of ply bt -I");
    } else if (header.isQuoted()) {
      error(
          where,
          "included files are not read here",
          "what parses the script has to provide them, as the commands ply and ply bt do");
    } else {
      error(
          where,
          "header <" + Quotation.shortened(header.path()) + "> not found",
          "types come from the kernel's BTF and constants are built in; a header beside the script"
              + " is included in quotes, #include \"file.h\"; ply bt -I adds directories");
    }
    return List.of();
  }

  private static Optional<Source.Import> file(Source from, IncludedHeader header) {
    return from.imports().stream().filter(one -> one.path().equals(header.named())).findFirst();
  }

  private static boolean isRead(Source.Import file) {
    return file.problem().isEmpty();
  }

  private void error(SourceSpan where, String message, String hint) {
    diagnostics.error(DiagnosticCode.SYNTAX, where, message, hint);
  }
}
