package dev.ply.kernel.user;

import dev.ply.ir.TypeName;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.machine.Architecture;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.UsdtProbe;
import dev.ply.target.UserLocation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The programs and libraries of the running system. Each file is read once per instance, and again
 * when it has been replaced. Thread-safe.
 */
public final class UserBinaries implements BinaryCatalog {
  /** CPU time for files of users other than root. */
  private static final Duration READING = Duration.ofSeconds(10);

  private final BinaryFinder finder;
  private final BinaryImages images;
  private final FunctionSites sites;
  private final MatchingFunctions functions;
  private final DeclaredFunctions declared;
  private final UsdtMarks marks;

  /**
   * Creates a catalog with the search paths of a process; the architecture is queried on demand.
   *
   * @param viewer the process, whose hits alone count; this process and all hits if empty
   * @param memory for the symbols of all files; others are dropped if one needs it
   */
  public UserBinaries(Supplier<Architecture> architecture, OptionalInt viewer, FileMemory memory) {
    this(new BinaryFinder(viewer, memory.budget()), architecture, memory);
  }

  UserBinaries(BinaryFinder finder, Supplier<Architecture> architecture, FileMemory memory) {
    this.finder = finder;
    this.images = new BinaryImages(ReadBudget.of(READING, memory.budget()), memory);
    this.sites = new FunctionSites(finder, images);
    this.functions = new MatchingFunctions(finder, images);
    this.declared = new DeclaredFunctions(sites, images);
    this.marks = new UsdtMarks(finder, images, architecture);
  }

  @Override
  public Matching matching(String pattern) {
    return new MatchingBinaries(finder).matching(pattern);
  }

  @Override
  public Optional<String> ownProgram() {
    return finder.viewer().isPresent()
        ? MatchingBinaries.program(finder, finder.viewer().getAsInt())
        : Optional.empty();
  }

  @Override
  public boolean isPattern(String binary) {
    return UserSelector.isPattern(binary) && !new MatchingBinaries(finder).isFile(binary);
  }

  @Override
  public List<UserLocation> locate(UserSelector place) {
    return sites.locate(place).stream().map(FunctionSites.Site::location).toList();
  }

  @Override
  public List<String> unreadable(String binary) {
    return sites.unreadable(binary);
  }

  @Override
  public List<UserSelector.Address> several(UserSelector place) {
    return sites.several(place);
  }

  @Override
  public List<String> withoutInstruction(UserSelector place) {
    return sites.withoutInstruction(place);
  }

  @Override
  public int outsideCode(UsdtSelector place) {
    return marks.outsideCode(place);
  }

  @Override
  public boolean isInstruction(UserSelector place) {
    return sites.isInstruction(place);
  }

  @Override
  public OptionalLong address(String binary, long offset) {
    return images.of(finder.find(binary).get(0)).file().address(offset);
  }

  @Override
  public BinarySymbol symbol(String binary, String name) {
    return sites.symbol(binary, name);
  }

  @Override
  public boolean movesStack(UserSelector place) {
    return sites.movesStack(place);
  }

  @Override
  public Selection select(UserSelector.Pattern pattern) {
    return functions.select(pattern);
  }

  @Override
  public Optional<FunctionPrototype> prototype(UserSelector place) {
    return declared.prototype(place);
  }

  @Override
  public Map<UserSelector, List<String>> declarations(List<UserSelector> places) {
    return declared.declarations(places);
  }

  @Override
  public Optional<TypeName> result(UserSelector place) {
    return declared.result(place);
  }

  @Override
  public void readResults(List<UserSelector> places) {
    declared.readResults(places);
  }

  @Override
  public List<UsdtProbe> marks(UsdtSelector place) {
    return marks.matching(place);
  }

  /** {@inheritDoc} Go passes arguments in registers that others change first. */
  @Override
  public UserLocation cheapest(UserLocation entry) {
    return images
        .known(entry.file())
        .filter(image -> !image.file().hasGo())
        .map(image -> cheapest(image, entry))
        .orElse(entry);
  }

  /** Some functions contain the start of others, as the uncancellable part of system calls. */
  private UserLocation cheapest(BinaryImage image, UserLocation entry) {
    long offset =
        images
            .entries(image, entry.offset())
            .map(entries -> entries.cheapest(entry.offset()))
            .orElse(entry.offset());
    OptionalLong start = image.file().address(entry.offset());
    boolean isMoved =
        offset != entry.offset()
            && start.isPresent()
            && !image
                .symbols()
                .hasStart(start.getAsLong(), start.getAsLong() + offset - entry.offset());
    return isMoved
        ? new UserLocation(entry.file(), offset, entry.semaphore(), entry.process())
        : entry;
  }
}
