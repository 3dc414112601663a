package dev.ply.kernel.user;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Suggestions;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.user.BinaryFinder.Binary;
import dev.ply.selector.UserSelector;
import dev.ply.target.ProbeSiteNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why a location in a program or library cannot be probed, and the alternatives. */
final class MissingSymbols {
  private MissingSymbols() {}

  static ProbeSiteNotFoundException outsideCode(Binary file, long address) {
    return new ProbeSiteNotFoundException(
        DiagnosticCode.OUT_OF_RANGE,
        file.path() + " has no code at " + hex(address),
        "addresses are those of the file's own tables, as nm and objdump show them");
  }

  static ProbeSiteNotFoundException unknown(Binary file, String symbol, Stream<String> all) {
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_NAME,
        file.path() + " has no symbol \"" + symbol + "\"",
        Suggestions.hint(symbol, all));
  }

  static ProbeSiteNotFoundException ambiguous(Binary file, String symbol, List<ElfSymbol> found) {
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_NAME,
        "" + file.path() + " has several symbols named \"" + symbol + "\"",
        "they are at "
            + found.stream().map(one -> hex(one.address())).collect(Collectors.joining(", ")));
  }

  /** Returns that a file does not have a function. */
  static ProbeSiteNotFoundException unknown(UserSelector place, FoundImages.One one) {
    return unknown(place, new FoundImages(List.of(one), false, List.of()));
  }

  /** Returns that no file has a function. */
  static ProbeSiteNotFoundException unknown(UserSelector place, FoundImages files) {
    List<BinaryImage> images = files.all().stream().map(FoundImages.One::image).toList();
    String name =
        place instanceof UserSelector.Inside inside
            ? inside.function().name()
            : place instanceof UserSelector.Function function ? function.name() : place.text();
    List<String> hints =
        new ArrayList<>(
            List.of(
                Suggestions.hint(name, images.stream().flatMap(BinaryImage::names).distinct())));
    if (!files.isOfMany() && images.get(0).symbols().isStripped()) {
      int exports = images.get(0).symbols().exports().size();
      hints.add(
          exports == 0
              ? "it is stripped and has no function names, but addresses can be probed"
              : "it is stripped: only its " + exports + " exported functions have names");
    }
    hints.addAll(files.unreadable());
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_FUNCTION,
        (files.isOfMany() ? "process " + place.binary() : files.all().get(0).file().path())
            + " has no function \""
            + name
            + "\"",
        hints.toArray(String[]::new));
  }

  static ProbeSiteNotFoundException ambiguous(
      UserSelector.Function function, Binary file, List<ElfSymbol> symbols) {
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_FUNCTION,
        "" + file.path() + " has several functions named \"" + function.name() + "\"",
        "probe one of them by its address: "
            + symbols.stream()
                .map(
                    symbol ->
                        "uprobe:"
                            + new UserSelector.Address(function.binary(), symbol.address()).text())
                .collect(Collectors.joining(", ")));
  }

  static ProbeSiteNotFoundException indirect(
      UserSelector.Function function, Binary file, BinaryImage image) {
    List<String> others =
        image
            .matching(name -> name.contains("_" + function.name() + "_"))
            .map(ElfSymbol::name)
            .distinct()
            .limit(3)
            .toList();
    return new ProbeSiteNotFoundException(
        DiagnosticCode.NOT_OFFERED,
        "\""
            + function.name()
            + "\" of "
            + file.path()
            + " is an indirect function (IFUNC), which runs once to choose one for this CPU",
        others.isEmpty()
            ? "a debugger shows which one"
            : "it chooses one such as " + String.join(", ", others));
  }

  static ProbeSiteNotFoundException afterEnd(
      UserSelector.Function function, Binary file, long offset, long size) {
    return new ProbeSiteNotFoundException(
        DiagnosticCode.OUT_OF_RANGE,
        "\"" + function.name() + "\" of " + file.path() + " has no offset " + offset,
        "it ends before offset " + size);
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
