package dev.ply.kernel.user;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Suggestions;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.UsdtNote;
import dev.ply.kernel.user.BinaryFinder.Binary;
import dev.ply.machine.Architecture;
import dev.ply.machine.UsdtArgument;
import dev.ply.machine.UsdtArguments;
import dev.ply.selector.UsdtSelector;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UsdtProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The USDT probes that programs and libraries are marked with. Thread-safe. */
final class UsdtMarks {
  private final BinaryFinder finder;
  private final BinaryImages images;
  private final Supplier<Architecture> architecture;

  UsdtMarks(BinaryFinder finder, BinaryImages images, Supplier<Architecture> architecture) {
    this.finder = finder;
    this.images = images;
    this.architecture = architecture;
  }

  /**
   * Returns the USDT probes that match.
   *
   * @throws ProbeSiteNotFoundException if not found
   */
  List<UsdtProbe> matching(UsdtSelector place) {
    FoundImages files = FoundImages.of(finder.find(place.binary()), images);
    List<UsdtProbe> found = new ArrayList<>();
    for (FoundImages.One one : files.all()) {
      BinaryImage image = one.image();
      for (UsdtNote mark : image.marks()) {
        OptionalLong offset = image.file().codeOffset(mark.address());
        if (isMeant(place, mark) && offset.isPresent()) {
          found.add(probe(place.binary(), one.file(), image, mark, offset.getAsLong()));
        }
      }
    }
    if (found.isEmpty()) {
      throw unmarked(place, files);
    }
    return found;
  }

  /** Returns how many of the USDT probes that match are outside code. */
  int outsideCode(UsdtSelector place) {
    return FoundImages.of(finder.find(place.binary()), images).all().stream()
        .mapToInt(one -> outsideCode(place, one.image()))
        .sum();
  }

  private static int outsideCode(UsdtSelector place, BinaryImage image) {
    return (int)
        image.marks().stream()
            .filter(mark -> isMeant(place, mark))
            .filter(mark -> image.file().codeOffset(mark.address()).isEmpty())
            .count();
  }

  private static boolean isMeant(UsdtSelector place, UsdtNote mark) {
    return place instanceof UsdtSelector.Location location
        ? location.provider().equals(mark.provider())
            && location.name().equals(mark.name())
            && location.address() == mark.address()
        : ((UsdtSelector.Marks) place).matches(mark.provider(), mark.name());
  }

  private UsdtProbe probe(
      String binary, Binary file, BinaryImage image, UsdtNote mark, long offset) {
    long semaphore =
        mark.semaphore() == 0 ? 0 : image.file().dataOffset(mark.semaphore()).orElse(0);
    return new UsdtProbe(
        new UsdtSelector.Location(binary, mark.provider(), mark.name(), mark.address()),
        file.location(offset, semaphore),
        UsdtArguments.parse(mark.arguments(), architecture.get()).stream()
            .map(argument -> resolved(argument, image, mark))
            .toList());
  }

  /** The distance from the mark to a symbol is the same wherever the file is loaded. */
  private UsdtArgument resolved(UsdtArgument argument, BinaryImage image, UsdtNote mark) {
    if (!(argument.operand() instanceof UsdtArgument.AtSymbol symbol)) {
      return argument;
    }
    UsdtArgument.Memory rest = symbol.rest();
    boolean isRelative = rest.base().filter("rip"::equals).isPresent();
    List<ElfSymbol> found = BinaryImage.distinct(images.variables(image).named(symbol.symbol()));
    if (found.size() != 1 || (!isRelative && image.file().isMoved())) {
      return argument;
    }
    long address = found.get(0).address() + rest.displacement();
    return new UsdtArgument(
        argument.type(),
        new UsdtArgument.Memory(
            rest.base(),
            rest.index(),
            rest.scale(),
            isRelative ? address - mark.address() : address),
        argument.text());
  }

  private static ProbeSiteNotFoundException unmarked(UsdtSelector place, FoundImages files) {
    String what =
        files.isOfMany()
            ? "process " + place.binary()
            : files.all().get(0).file().path().toString();
    List<String> marks =
        files.all().stream()
            .flatMap(one -> one.image().marks().stream())
            .map(mark -> mark.provider() + ":" + mark.name())
            .distinct()
            .toList();
    if (marks.isEmpty()) {
      return new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_FUNCTION,
          what + " has no USDT probes",
          "it was built without; functions can be probed: uprobe");
    }
    String wanted = place.in("").text().replaceFirst("^:", "");
    if (files.all().stream().anyMatch(one -> outsideCode(place, one.image()) > 0)) {
      return new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_FUNCTION,
          "the USDT probe " + wanted + " of " + what + " is outside code",
          "the file's notes are damaged: functions can be probed, uprobe");
    }
    boolean isQualified = wanted.indexOf(':') > 0;
    String[] nearest =
        Suggestions.hint(
            wanted.replaceAll("[*?\\[\\]]", ""),
            marks.stream().map(mark -> isQualified ? mark : mark.substring(mark.indexOf(':') + 1)));
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_FUNCTION,
        what + " has no USDT probe " + wanted,
        nearest.length > 0
            ? nearest
            : new String[] {"it has " + marks.size() + ", such as " + marks.get(0)});
  }
}
