package dev.ply.kernel.user;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.kernel.code.ProbeableCode;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.ElfSymbols;
import dev.ply.kernel.user.BinaryFinder.Binary;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog.BinarySymbol;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Where functions and addresses of programs and libraries are. Thread-safe. */
final class FunctionSites {
  private final BinaryFinder finder;
  private final BinaryImages images;

  FunctionSites(BinaryFinder finder, BinaryImages images) {
    this.finder = finder;
    this.images = images;
  }

  /** A location, and the file that contains it. */
  record Site(BinaryImage image, UserLocation location) {}

  /**
   * Returns the locations of a probe in one file, or in those of a process.
   *
   * @throws ProbeSiteNotFoundException if not found
   * @throws UnreadableTargetException if a file cannot be read
   */
  List<Site> locate(UserSelector place) {
    FoundImages files = found(place.binary());
    List<Site> found = new ArrayList<>();
    for (FoundImages.One one : files.all()) {
      BinaryImage image = one.image();
      for (long address : addresses(place, one, files.isOfMany())) {
        OptionalLong offset = image.file().codeOffset(address);
        if (offset.isEmpty() && !files.isOfMany()) {
          throw MissingSymbols.outsideCode(one.file(), address);
        }
        long counter = place instanceof UserSelector.Address at ? at.counter() : 0;
        offset.ifPresent(at -> found.add(new Site(image, one.file().location(at, counter))));
      }
    }
    if (found.isEmpty()) {
      throw none(place, files);
    }
    return found;
  }

  /** Returns why files of a process are left out. */
  List<String> unreadable(String binary) {
    return found(binary).unreadable();
  }

  private FoundImages found(String binary) {
    return FoundImages.of(finder.find(binary), images);
  }

  private ProbeSiteNotFoundException none(UserSelector place, FoundImages files) {
    if (place instanceof UserSelector.Inside inside) {
      for (FoundImages.One one : files.all()) {
        for (ElfSymbol symbol : direct(one.image(), inside.function())) {
          return whyNot(inside, one.file(), one.image(), symbol)
              .orElseGet(() -> MissingSymbols.outsideCode(one.file(), symbol.address()));
        }
      }
    }
    if (place instanceof UserSelector.Function function) {
      for (FoundImages.One one : files.all()) {
        if (!one.image().named(function.name()).isEmpty()) {
          return MissingSymbols.indirect(function, one.file(), one.image());
        }
      }
    }
    return MissingSymbols.unknown(place, files);
  }

  /**
   * Returns the addresses of all functions with one name in a file; at an offset, those of the
   * functions that have an instruction there.
   *
   * @throws ProbeSiteNotFoundException if none of several has the instruction
   */
  List<UserSelector.Address> several(UserSelector place) {
    List<Binary> files = finder.find(place.binary());
    if (files.size() != 1) {
      return List.of();
    }
    BinaryImage image = images.of(files.get(0));
    List<ElfSymbol> direct = direct(image, function(place));
    if (direct.size() < 2) {
      return List.of();
    }
    if (!(place instanceof UserSelector.Inside inside)) {
      Optional<String> name = Optional.of(function(place).name());
      return direct.stream()
          .map(symbol -> new UserSelector.Address(place.binary(), symbol.address(), 0, name))
          .toList();
    }
    List<UserSelector.Address> found =
        direct.stream()
            .filter(symbol -> whyNot(inside, files.get(0), image, symbol).isEmpty())
            .map(symbol -> symbol.address() + inside.offset())
            .map(address -> new UserSelector.Address(place.binary(), address))
            .toList();
    if (found.isEmpty()) {
      throw whyNot(inside, files.get(0), image, direct.get(0)).orElseThrow();
    }
    return found;
  }

  /**
   * Returns why functions of a name, of which others do, do not have the instruction of a probe.
   */
  List<String> withoutInstruction(UserSelector place) {
    if (!(place instanceof UserSelector.Inside inside)) {
      return List.of();
    }
    List<String> reasons = new ArrayList<>();
    FoundImages files = found(place.binary());
    for (FoundImages.One one : files.all()) {
      List<ElfSymbol> direct = direct(one.image(), inside.function());
      if (direct.size() > 1 || files.isOfMany()) {
        for (ElfSymbol symbol : direct) {
          whyNot(inside, one.file(), one.image(), symbol)
              .ifPresent(reason -> reasons.add(String.valueOf(reason.getMessage())));
        }
      }
    }
    return reasons;
  }

  /** Returns why a function does not have an instruction at an offset, if it does not. */
  private Optional<ProbeSiteNotFoundException> whyNot(
      UserSelector.Inside inside, Binary file, BinaryImage image, ElfSymbol symbol) {
    if (endsBefore(inside.offset(), symbol)) {
      return Optional.of(
          MissingSymbols.afterEnd(inside.function(), file, inside.offset(), symbol.size()));
    }
    try {
      boolean unused = isInstruction(image, symbol.address() + inside.offset());
      return Optional.empty();
    } catch (ProbeSiteNotFoundException e) {
      return Optional.of(e);
    }
  }

  private static boolean endsBefore(long offset, ElfSymbol symbol) {
    return offset > 0 && symbol.size() > 0 && offset >= symbol.size();
  }

  private static UserSelector.Function function(UserSelector place) {
    return place instanceof UserSelector.Inside inside
        ? inside.function()
        : (UserSelector.Function) place;
  }

  private static List<ElfSymbol> direct(BinaryImage image, UserSelector.Function function) {
    return image.named(function.name()).stream().filter(symbol -> !symbol.isIndirect()).toList();
  }

  /** Returns whether an instruction is known to start at each location of a place. */
  boolean isInstruction(UserSelector place) {
    if (place instanceof UserSelector.Function
        || (place instanceof UserSelector.Address entry && entry.function().isPresent())) {
      return true;
    }
    FoundImages files = found(place.binary());
    boolean isKnown = true;
    for (FoundImages.One one : files.all()) {
      for (long address : addresses(place, one, files.isOfMany())) {
        isKnown &=
            one.image().file().codeOffset(address).isEmpty() || isInstruction(one.image(), address);
      }
    }
    return isKnown;
  }

  private boolean isInstruction(BinaryImage image, long address) {
    try {
      return images.inspect(
          image.file().path(), file -> ProbeableCode.isInstruction(file, image.symbols(), address));
    } catch (IOException e) {
      throw new UnreadableTargetException(
          image.file().path() + " cannot be read: " + e.getMessage());
    }
  }

  /** Returns whether a function may move its stack while it runs. */
  boolean movesStack(UserSelector place) {
    FoundImages files = found(place.binary());
    return files.all().stream()
        .anyMatch(
            one -> addresses(place, one, files.isOfMany()).stream().anyMatch(one.image()::isGo));
  }

  /** Returns the function or variable of a name, which exactly one file has. */
  BinarySymbol symbol(String binary, String name) {
    List<Binary> files = finder.find(binary);
    if (files.size() > 1) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_NAME,
          "process " + binary + " has many files, each with symbols of its own",
          "name the file: /proc/" + binary + "/exe");
    }
    BinaryImage image = images.of(files.get(0));
    ElfSymbols variables = images.variables(image);
    List<ElfSymbol> found = new ArrayList<>(BinaryImage.distinct(variables.named(name)));
    found.addAll(image.named(name));
    if (found.isEmpty()) {
      throw MissingSymbols.unknown(
          files.get(0), name, Stream.concat(variables.names(), image.names()).distinct());
    }
    if (found.size() > 1) {
      throw MissingSymbols.ambiguous(files.get(0), name, found);
    }
    ElfSymbol symbol = found.get(0);
    return new BinarySymbol(symbol.address(), symbol.size(), image.file().isMoved());
  }

  /**
   * Returns the addresses of a place in a file. Of many files, those that do not have it have none,
   * and one that has several functions of the name has all of them: they are no reason to refuse
   * those of the others.
   */
  private List<Long> addresses(UserSelector place, FoundImages.One one, boolean isOneOfMany) {
    if (place instanceof UserSelector.Address address) {
      if (isOneOfMany) {
        throw new ProbeSiteNotFoundException(
            DiagnosticCode.UNKNOWN_FUNCTION,
            "process " + place.binary() + " has many files, each with addresses of its own",
            "name the file: uprobe:/proc/"
                + place.binary()
                + "/exe:0x"
                + Long.toHexString(address.value()));
      }
      return List.of(address.value());
    }
    UserSelector.Function function = function(place);
    List<ElfSymbol> symbols = one.image().named(function.name());
    if (isOneOfMany) {
      symbols =
          direct(one.image(), function).stream()
              .filter(
                  symbol ->
                      !(place instanceof UserSelector.Inside inside)
                          || whyNot(inside, one.file(), one.image(), symbol).isEmpty())
              .toList();
    } else if (symbols.isEmpty()) {
      throw MissingSymbols.unknown(place, one);
    } else if (symbols.size() > 1) {
      throw MissingSymbols.ambiguous(function, one.file(), symbols);
    } else if (symbols.get(0).isIndirect()) {
      throw MissingSymbols.indirect(function, one.file(), one.image());
    }
    return symbols.stream().map(symbol -> address(place, function, one.file(), symbol)).toList();
  }

  private static long address(
      UserSelector place, UserSelector.Function function, Binary file, ElfSymbol symbol) {
    long offset = place instanceof UserSelector.Inside inside ? inside.offset() : 0;
    if (endsBefore(offset, symbol)) {
      throw MissingSymbols.afterEnd(function, file, offset, symbol.size());
    }
    return symbol.address() + offset;
  }
}
