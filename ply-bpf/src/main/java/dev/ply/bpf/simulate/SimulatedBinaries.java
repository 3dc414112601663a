package dev.ply.bpf.simulate;

import com.google.common.collect.ImmutableListMultimap;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.machine.Architecture;
import dev.ply.machine.UsdtArguments;
import dev.ply.selector.Glob;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UsdtProbe;
import dev.ply.target.UserLocation;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.LongStream;

/**
 * Programs and libraries that have any function and USDT probe that a script names.
 *
 * @param functions those that patterns match
 * @param marks the arguments of USDT probes with other than the default ones, at each of their
 *     addresses
 */
record SimulatedBinaries(
    List<UserSelector.Function> functions, ImmutableListMultimap<String, String> marks)
    implements BinaryCatalog {
  /** Six arguments, in the argument registers of functions. */
  private static final String USUAL_ARGUMENTS = "-8@%rdi -8@%rsi -8@%rdx -8@%rcx -8@%r8 -8@%r9";

  /** The address of every symbol. */
  private static final long SYMBOL = 0x404010;

  @Override
  public List<UsdtProbe> marks(UsdtSelector place) {
    if (place instanceof UsdtSelector.Location location) {
      return List.of(mark(location));
    }
    UsdtSelector.Marks pattern = (UsdtSelector.Marks) place;
    String provider = pattern.provider().map(Glob::toString).orElse("");
    String name = pattern.name().toString();
    return LongStream.range(0, Math.max(1, marks.get(place.text()).size()))
        .mapToObj(at -> mark(new UsdtSelector.Location(pattern.binary(), provider, name, at)))
        .toList();
  }

  private UsdtProbe mark(UsdtSelector.Location location) {
    List<String> places = marks.get(location.text());
    String arguments =
        places.isEmpty() ? USUAL_ARGUMENTS : places.get(Math.toIntExact(location.address()));
    return new UsdtProbe(
        location,
        new UserLocation(path(location.binary()), location.address(), OptionalInt.empty()),
        UsdtArguments.parse(arguments, Architecture.X86_64));
  }

  @Override
  public List<UserLocation> locate(UserSelector place) {
    return List.of(new UserLocation(path(place.binary()), 0, OptionalInt.empty()));
  }

  @Override
  public BinarySymbol symbol(String binary, String name) {
    return new BinarySymbol(SYMBOL, Integer.BYTES, binary.contains(".so"));
  }

  private static Path path(String binary) {
    try {
      return Path.of(binary);
    } catch (InvalidPathException e) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_BINARY, "no file can have this name");
    }
  }

  @Override
  public Selection select(UserSelector.Pattern pattern) {
    return new Selection(
        functions.stream()
            .filter(one -> one.binary().equals(pattern.binary()))
            .filter(one -> pattern.matches(one.name()))
            .sorted(Comparator.comparing(UserSelector.Function::name))
            .toList(),
        0);
  }
}
