package dev.ply.kernel.user;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.TypeName;
import dev.ply.ir.UsdtSelector;
import dev.ply.ir.UserSelector;
import dev.ply.kernel.code.CheapProbeOffset;
import dev.ply.kernel.code.ProbeableCode;
import dev.ply.kernel.elf.BadElfException;
import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.ElfSymbols;
import dev.ply.kernel.elf.UsdtNote;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.user.BinaryFinder.Binary;
import dev.ply.symbol.Demangled;
import dev.ply.target.Architecture;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.FunctionPrototype;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UsdtArgument;
import dev.ply.target.UsdtArguments;
import dev.ply.target.UsdtProbe;
import dev.ply.target.UserLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The programs and libraries of the running system. Each file is read once per instance, and again
 * when it has been replaced. Thread-safe.
 */
public final class UserBinaries implements BinaryCatalog {
  /** CPU time for files of users other than root. */
  private static final Duration READING = Duration.ofSeconds(10);

  /** Stands in names for bytes that are not UTF-8. */
  private static final char UNDECODED = '\ufffd';

  private final ReadBudget budget;
  private final BinaryFinder finder;
  private final Supplier<Architecture> architecture;
  private final Map<Path, Code> known = new ConcurrentHashMap<>();

  /** Of the files that are known. */
  private final Map<Path, Optional<Map<String, Object>>> versions = new HashMap<>();

  private final Map<Path, ElfSymbols> variables = new ConcurrentHashMap<>();
  private final Map<Path, Optional<CheapProbeOffset>> entries = new ConcurrentHashMap<>();
  private final Map<UserLocation, Optional<FunctionPrototype>> prototypes =
      new ConcurrentHashMap<>();

  private final Map<UserLocation, Optional<TypeName>> results = new ConcurrentHashMap<>();

  /**
   * Creates a catalog with the search paths of a process; the architecture is queried on demand.
   *
   * @param viewer the process, whose hits alone count; this process and all hits if empty
   * @param memory for the symbols of all files; others are dropped if one needs it
   */
  public UserBinaries(
      Supplier<Architecture> architecture, OptionalInt viewer, MemoryBudget memory) {
    this(new BinaryFinder(viewer), architecture, memory);
  }

  UserBinaries(BinaryFinder finder, Supplier<Architecture> architecture, MemoryBudget memory) {
    this.budget = ReadBudget.of(READING, memory);
    this.finder = finder;
    this.architecture = architecture;
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

  /** A file's layout and functions. */
  private record Code(ElfFile file, BinarySymbols symbols, List<UsdtNote> marks) {
    List<ElfSymbol> named(String name) {
      List<ElfSymbol> own = symbols.table().named(name);
      List<ElfSymbol> all = distinct(own.isEmpty() ? symbols.exports().named(name) : own);
      List<ElfSymbol> inCode = all.stream().filter(this::isInCode).toList();
      return inCode.isEmpty() ? all : inCode;
    }

    private boolean isInCode(ElfSymbol symbol) {
      return file.codeOffset(symbol.address()).isPresent();
    }

    /** Returns whether a pattern can mean a symbol: it is in code, and can be found by its name. */
    boolean isUsable(ElfSymbol symbol) {
      return isInCode(symbol) && symbol.name().indexOf(UNDECODED) < 0;
    }

    /** Go's linker calls what is between these symbols Go's code; C's may be beside it. */
    boolean isGo(long address) {
      List<ElfSymbol> start = symbols.table().named("runtime.text");
      List<ElfSymbol> end = symbols.table().named("runtime.etext");
      return file.hasGo()
          && (start.isEmpty()
              || end.isEmpty()
              || (Long.compareUnsigned(address, start.get(0).address()) >= 0
                  && Long.compareUnsigned(address, end.get(0).address()) < 0));
    }

    Stream<ElfSymbol> matching(Predicate<String> wanted) {
      return Stream.concat(symbols.table().matching(wanted), symbols.exports().matching(wanted));
    }

    Stream<String> names() {
      return Stream.concat(symbols.table().names(), symbols.exports().names());
    }

    /** A function can be listed once for each of its versions. */
    private static List<ElfSymbol> distinct(List<ElfSymbol> symbols) {
      Map<Long, ElfSymbol> byAddress = new TreeMap<>();
      boolean isOld = symbols.stream().allMatch(ElfSymbol::isSuperseded);
      symbols.stream()
          .filter(symbol -> isOld || !symbol.isSuperseded())
          .forEach(symbol -> byAddress.putIfAbsent(symbol.address(), symbol));
      return List.copyOf(byAddress.values());
    }
  }

  @Override
  public List<UserLocation> locate(UserSelector place) {
    List<Binary> files = finder.find(place.binary());
    List<UserLocation> found = new ArrayList<>();
    for (Binary file : files) {
      Code code = code(file);
      OptionalLong address = address(code, place, file, files.size() > 1);
      if (address.isPresent()) {
        OptionalLong offset = code.file().codeOffset(address.getAsLong());
        if (offset.isEmpty() && files.size() == 1) {
          throw new ProbeSiteNotFoundException(
              DiagnosticCode.OUT_OF_RANGE,
              file.path() + " has no code at 0x" + Long.toHexString(address.getAsLong()),
              "addresses are those of the file's own tables, as nm and objdump show them");
        }
        long counter = place instanceof UserSelector.Address one ? one.counter() : 0;
        offset.ifPresent(
            at -> found.add(new UserLocation(file.path(), at, counter, file.process())));
      }
    }
    if (found.isEmpty()) {
      throw unknown(place, files);
    }
    return found;
  }

  @Override
  public List<UserSelector.Address> several(UserSelector.Function function) {
    List<Binary> files = finder.find(function.binary());
    if (files.size() != 1) {
      return List.of();
    }
    List<ElfSymbol> direct =
        code(files.get(0)).named(function.name()).stream()
            .filter(symbol -> !symbol.isIndirect())
            .toList();
    return direct.size() < 2
        ? List.of()
        : direct.stream()
            .map(
                symbol ->
                    new UserSelector.Address(
                        function.binary(), symbol.address(), 0, Optional.of(function.name())))
            .toList();
  }

  @Override
  public boolean isPattern(String binary) {
    return UserSelector.isPattern(binary) && !new MatchingBinaries(finder).isFile(binary);
  }

  @Override
  public boolean isInstruction(UserSelector place) {
    if (place instanceof UserSelector.Function
        || (place instanceof UserSelector.Address entry && entry.function().isPresent())) {
      return true;
    }
    List<Binary> files = finder.find(place.binary());
    boolean isKnown = true;
    for (Binary file : files) {
      Code code = code(file);
      OptionalLong address = address(code, place, file, files.size() > 1);
      isKnown &=
          address.isEmpty()
              || code.file().codeOffset(address.getAsLong()).isEmpty()
              || isInstruction(file, code.symbols(), address.getAsLong());
    }
    return isKnown;
  }

  private synchronized boolean isInstruction(Binary binary, BinarySymbols symbols, long address) {
    try (ElfFile file = ElfFile.open(binary.path(), budget)) {
      return ProbeableCode.isInstruction(file, symbols, address);
    } catch (IOException e) {
      throw new UnreadableTargetException(binary.path() + " cannot be read: " + e.getMessage());
    }
  }

  @Override
  public OptionalLong address(String binary, long offset) {
    return code(finder.find(binary).get(0)).file().address(offset);
  }

  @Override
  public BinarySymbol symbol(String binary, String name) {
    List<Binary> files = finder.find(binary);
    if (files.size() > 1) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_NAME,
          "process " + binary + " has many files, each with symbols of its own",
          "name the file: /proc/" + binary + "/exe");
    }
    Binary file = files.get(0);
    Code code = code(file);
    ElfSymbols variables = this.variables.computeIfAbsent(file.path(), this::readVariables);
    List<ElfSymbol> found = new ArrayList<>(Code.distinct(variables.named(name)));
    found.addAll(code.named(name));
    if (found.isEmpty()) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_NAME,
          file.path() + " has no symbol \"" + name + "\"",
          Suggestions.hint(name, Stream.concat(variables.names(), code.names()).distinct()));
    }
    if (found.size() > 1) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_NAME,
          "several symbols of " + file.path() + " are called \"" + name + "\"",
          "they are at "
              + found.stream().map(one -> hex(one.address())).collect(Collectors.joining(", ")));
    }
    ElfSymbol symbol = found.get(0);
    return new BinarySymbol(symbol.address(), symbol.size(), code.file().isMoved());
  }

  @Override
  public Optional<FunctionPrototype> prototype(UserSelector place) {
    List<UserSelector.Address> several =
        place instanceof UserSelector.Function function ? several(function) : List.of();
    if (!several.isEmpty()) {
      List<Optional<FunctionPrototype>> different =
          several.stream().map(this::prototype).distinct().toList();
      return different.size() == 1 ? different.get(0) : Optional.empty();
    }
    List<UserLocation> found = locate(place);
    String name =
        place instanceof UserSelector.Function function
            ? function.name()
            : place instanceof UserSelector.Address address ? address.function().orElse("") : "";
    return found.size() == 1
        ? prototypes.computeIfAbsent(found.get(0), location -> readPrototype(location, name))
        : Optional.empty();
  }

  @Override
  public Map<UserSelector, List<String>> declarations(List<UserSelector> places) {
    Map<Path, Map<UserSelector, UserLocation>> byFile = new LinkedHashMap<>();
    for (UserSelector place : places) {
      try {
        List<UserLocation> found = locate(place);
        if (found.size() == 1) {
          byFile
              .computeIfAbsent(found.get(0).file(), file -> new HashMap<>())
              .put(place, found.get(0));
        }
      } catch (ProbeSiteNotFoundException | UnreadableTargetException e) {
        // It is listed without.
      }
    }
    Map<UserSelector, List<String>> declared = new HashMap<>();
    byFile.forEach((path, locations) -> declared.putAll(declarations(path, locations)));
    return declared;
  }

  private synchronized Map<UserSelector, List<String>> declarations(
      Path path, Map<UserSelector, UserLocation> places) {
    Map<Long, String> functions = new HashMap<>();
    places.forEach((place, location) -> functions.put(location.offset(), symbol(place)));
    Map<UserSelector, List<String>> declared = new HashMap<>();
    try (ElfFile file = ElfFile.open(path, budget)) {
      Map<Long, List<String>> found = Prototypes.declarations(file, functions);
      places.forEach(
          (place, location) ->
              Optional.ofNullable(found.get(location.offset()))
                  .ifPresent(declarations -> declared.put(place, declarations)));
    } catch (IOException e) {
      // What cannot be read is unknown, as without debug information.
    }
    return declared;
  }

  private static String symbol(UserSelector place) {
    return place instanceof UserSelector.Function function ? function.name() : "";
  }

  @Override
  public Optional<TypeName> result(UserSelector place) {
    List<UserLocation> found = locate(place);
    if (found.size() != 1) {
      return Optional.empty();
    }
    Optional<TypeName> known = results.get(found.get(0));
    if (known == null) {
      readResults(List.of(place));
    }
    return results.getOrDefault(found.get(0), Optional.empty());
  }

  @Override
  public void readResults(List<UserSelector> places) {
    Map<Path, Map<UserLocation, String>> byFile = new LinkedHashMap<>();
    for (UserSelector place : places) {
      try {
        List<UserLocation> found = locate(place);
        String name = place instanceof UserSelector.Function function ? function.name() : "";
        if (found.size() == 1 && !results.containsKey(found.get(0))) {
          byFile
              .computeIfAbsent(found.get(0).file(), file -> new HashMap<>())
              .put(found.get(0), name);
        }
      } catch (ProbeSiteNotFoundException | UnreadableTargetException e) {
        // Reported where the place is looked up.
      }
    }
    byFile.forEach(this::readResults);
  }

  /** Damaged debug information says nothing of the types. */
  private synchronized void readResults(Path path, Map<UserLocation, String> places) {
    Map<Long, String> functions = new HashMap<>();
    places.forEach((location, name) -> functions.put(location.offset(), name));
    Map<Long, TypeName> types = Map.of();
    try (ElfFile file = ElfFile.open(path, budget)) {
      types = Prototypes.results(file, functions);
    } catch (IOException e) {
      // What cannot be read is unknown, as without debug information.
    }
    for (UserLocation location : places.keySet()) {
      results.put(location, Optional.ofNullable(types.get(location.offset())));
    }
  }

  private synchronized Optional<FunctionPrototype> readPrototype(
      UserLocation location, String name) {
    Claim before = budget.claims();
    try (ElfFile file = ElfFile.open(location.file(), budget)) {
      return Prototypes.read(file, location.offset(), name);
    } catch (IOException e) {
      throw new UnreadableTargetException(
          "the debug information of " + location.file() + " cannot be read: " + e.getMessage());
    } finally {
      // The sections are not kept.
      budget.handOver(before).release();
    }
  }

  private synchronized ElfSymbols readVariables(Path path) {
    try (ElfFile file = ElfFile.open(path, budget)) {
      return ElfSymbols.ofVariables(file);
    } catch (IOException e) {
      throw new UnreadableTargetException(path + " cannot be read: " + e.getMessage());
    }
  }

  @Override
  public boolean movesStack(UserSelector place) {
    List<Binary> files = finder.find(place.binary());
    return files.stream()
        .anyMatch(
            file -> {
              Code code = code(file);
              OptionalLong address = address(code, place, file, files.size() > 1);
              return address.isPresent() && code.isGo(address.getAsLong());
            });
  }

  /** {@inheritDoc} Go passes arguments in registers that others change first. */
  @Override
  public UserLocation cheapest(UserLocation entry) {
    Code known = this.known.get(entry.file());
    if (known != null && known.file().hasGo()) {
      return entry;
    }
    long offset =
        entries
            .computeIfAbsent(entry.file(), file -> emulated(file, entry.offset()))
            .map(emulated -> emulated.cheapest(entry.offset()))
            .orElse(entry.offset());
    return isOtherFunction(entry, offset)
        ? entry
        : new UserLocation(entry.file(), offset, entry.semaphore(), entry.process());
  }

  /**
   * Some functions contain the start of others, such as the uncancellable part of a syscall
   * wrapper.
   */
  private boolean isOtherFunction(UserLocation entry, long offset) {
    Code code = known.get(entry.file());
    if (offset == entry.offset() || code == null) {
      return offset != entry.offset();
    }
    OptionalLong start = code.file().address(entry.offset());
    return start.isEmpty()
        || code.symbols().hasStart(start.getAsLong(), start.getAsLong() + offset - entry.offset());
  }

  private synchronized Optional<CheapProbeOffset> emulated(Path path, long offset) {
    try (ElfFile file = ElfFile.open(path, budget)) {
      return CheapProbeOffset.of(file, offset);
    } catch (BadElfException e) {
      // The error has been reported when the function was located; here the probe just stays at the
      // start.
      return Optional.empty();
    } catch (IOException e) {
      throw new UnreadableTargetException(path + " cannot be read: " + e.getMessage());
    }
  }

  /** Returns the address of a location in a file, empty if this file does not have it. */
  private OptionalLong address(Code code, UserSelector place, Binary file, boolean isOneOfMany) {
    if (place instanceof UserSelector.Address address) {
      if (isOneOfMany) {
        throw new ProbeSiteNotFoundException(
            DiagnosticCode.UNKNOWN_FUNCTION,
            "process " + place.binary() + " has many files, each with addresses of its own",
            "name the file: uprobe:/proc/" + place.binary() + "/exe:" + hex(address.value()));
      }
      return OptionalLong.of(address.value());
    }
    UserSelector.Function function =
        place instanceof UserSelector.Inside inside
            ? inside.function()
            : (UserSelector.Function) place;
    List<ElfSymbol> symbols = code.named(function.name());
    if (symbols.isEmpty() && isOneOfMany) {
      return OptionalLong.empty();
    }
    if (symbols.size() > 1) {
      throw ambiguous(function, file, symbols);
    }
    if (symbols.isEmpty()) {
      throw unknown(place, List.of(file));
    }
    ElfSymbol symbol = symbols.get(0);
    if (symbol.isIndirect()) {
      throw indirect(function, file, code);
    }
    long offset = place instanceof UserSelector.Inside inside ? inside.offset() : 0;
    if (offset > 0 && symbol.size() > 0 && offset >= symbol.size()) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.OUT_OF_RANGE,
          "\"" + function.name() + "\" of " + file.path() + " has no offset " + offset,
          "it ends before offset " + symbol.size());
    }
    return OptionalLong.of(symbol.address() + offset);
  }

  @Override
  public Selection select(UserSelector.Pattern pattern) {
    Map<String, ElfSymbol> found = new TreeMap<>();
    Set<String> unusable = new HashSet<>();
    for (Binary file : finder.find(pattern.binary())) {
      Code code = code(file);
      for (ElfSymbol symbol : meant(pattern, code)) {
        if (code.isUsable(symbol)) {
          found.putIfAbsent(symbol.name(), symbol);
        } else {
          unusable.add(symbol.name());
        }
      }
    }
    unusable.removeAll(found.keySet());
    if (found.keySet().stream().anyMatch(pattern::isLiterally)) {
      found.keySet().removeIf(name -> !pattern.isLiterally(name));
    }
    // The kinds of a constructor often are one function with several symbols.
    Set<Long> addresses = new HashSet<>();
    List<UserSelector.Function> functions =
        found.values().stream()
            .filter(symbol -> !symbol.isIndirect())
            .filter(
                symbol ->
                    !(pattern instanceof UserSelector.CxxFunctions)
                        || addresses.add(symbol.address()))
            .map(symbol -> new UserSelector.Function(pattern.binary(), symbol.name()))
            .toList();
    long indirect = found.values().stream().filter(ElfSymbol::isIndirect).count();
    return new Selection(functions, Math.toIntExact(indirect), unusable.size());
  }

  /** Decoding the names of C++ and Rust costs time, of which files of others have little. */
  private synchronized List<ElfSymbol> meant(UserSelector.Pattern pattern, Code code) {
    try (Allowance comparing = budget.allowance(code.file().isOfRoot())) {
      return code.matching(
              name -> {
                if (pattern instanceof UserSelector.CxxFunctions && Demangled.isMangled(name)) {
                  requireTime(comparing);
                }
                return pattern.matches(name);
              })
          .filter(symbol -> UserSelector.Function.canBe(symbol.name()))
          .toList();
    } catch (UncheckedIOException e) {
      throw new UnreadableTargetException(
          "the functions of "
              + code.file().path()
              + " cannot be compared with "
              + pattern.text()
              + ": their names take too much time to decode");
    }
  }

  private static void requireTime(Allowance allowance) {
    try {
      allowance.requireTime();
    } catch (BudgetExceededException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<UsdtProbe> marks(UsdtSelector place) {
    List<Binary> files = finder.find(place.binary());
    List<UsdtProbe> found = new ArrayList<>();
    for (Binary file : files) {
      Code code = code(file);
      for (UsdtNote mark : code.marks()) {
        OptionalLong offset = code.file().codeOffset(mark.address());
        if (isMeant(place, mark) && offset.isPresent()) {
          found.add(probe(place.binary(), file, code, mark, offset.getAsLong()));
        }
      }
    }
    if (found.isEmpty()) {
      throw unmarked(place, files);
    }
    return found;
  }

  private static boolean isMeant(UsdtSelector place, UsdtNote mark) {
    return place instanceof UsdtSelector.Location location
        ? location.provider().equals(mark.provider())
            && location.name().equals(mark.name())
            && location.address() == mark.address()
        : ((UsdtSelector.Marks) place).matches(mark.provider(), mark.name());
  }

  private UsdtProbe probe(String binary, Binary file, Code code, UsdtNote mark, long offset) {
    long semaphore = mark.semaphore() == 0 ? 0 : code.file().dataOffset(mark.semaphore()).orElse(0);
    return new UsdtProbe(
        new UsdtSelector.Location(binary, mark.provider(), mark.name(), mark.address()),
        new UserLocation(file.path(), offset, semaphore, file.process()),
        UsdtArguments.parse(mark.arguments(), architecture.get()).stream()
            .map(argument -> resolved(argument, file, code, mark))
            .toList());
  }

  /** What is at a symbol is at a distance from the mark, wherever the file is loaded. */
  private UsdtArgument resolved(UsdtArgument argument, Binary file, Code code, UsdtNote mark) {
    if (!(argument.operand() instanceof UsdtArgument.AtSymbol symbol)) {
      return argument;
    }
    UsdtArgument.Memory rest = symbol.rest();
    boolean isRelative = rest.base().filter("rip"::equals).isPresent();
    List<ElfSymbol> found =
        Code.distinct(
            variables.computeIfAbsent(file.path(), this::readVariables).named(symbol.symbol()));
    if (found.size() != 1 || (!isRelative && code.file().isMoved())) {
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

  private ProbeSiteNotFoundException unmarked(UsdtSelector place, List<Binary> files) {
    String what = files.size() == 1 ? files.get(0).path().toString() : "process " + place.binary();
    List<String> marks =
        files.stream()
            .flatMap(file -> code(file).marks().stream())
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

  private Code code(Binary file) {
    forgetReplaced(file.path());
    Code code = known.get(file.path());
    if (code == null) {
      code = read(file);
      known.put(file.path(), code);
    }
    return code;
  }

  /** Forgets what is known of the file that was at a path before, as after a build. */
  private synchronized void forgetReplaced(Path path) {
    Optional<Map<String, Object>> now = version(path);
    Optional<Map<String, Object>> before = versions.put(path, now);
    if (before != null && !before.equals(now)) {
      known.remove(path);
      variables.remove(path);
      entries.remove(path);
      prototypes.keySet().removeIf(location -> location.file().equals(path));
      results.keySet().removeIf(location -> location.file().equals(path));
    }
  }

  /** Returns what is different for another file, and for one that has been written to. */
  private static Optional<Map<String, Object>> version(Path path) {
    try {
      return Optional.of(Files.readAttributes(path, "unix:dev,ino,size,lastModifiedTime,ctime"));
    } catch (IOException e) {
      // Reading it says why.
      return Optional.empty();
    }
  }

  private synchronized Code read(Binary binary) {
    try {
      return readInMemory(binary);
    } catch (BadElfException e) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_BINARY,
          String.valueOf(e.getMessage()),
          "scripts run in the program that their first line names: probe that");
    } catch (IOException e) {
      throw new UnreadableTargetException(binary.path() + " cannot be read: " + e.getMessage());
    } catch (OutOfMemoryError e) {
      forgetAll();
      throw new UnreadableTargetException(binary.path() + " cannot be read: memory ended");
    }
  }

  private void forgetAll() {
    known.clear();
    variables.clear();
    budget.releaseAll();
  }

  /** Drops what is known of other files if it leaves too little memory. */
  private Code readInMemory(Binary binary) throws IOException {
    try {
      return open(binary);
    } catch (BudgetExceededException e) {
      forgetAll();
      return open(binary);
    }
  }

  private Code open(Binary binary) throws IOException {
    try (ElfFile file = ElfFile.open(binary.path(), budget)) {
      return new Code(
          file, BinarySymbols.of(file, binary.path(), binary.root()), UsdtNote.all(file));
    }
  }

  private ProbeSiteNotFoundException unknown(UserSelector place, List<Binary> files) {
    String name =
        place instanceof UserSelector.Inside inside
            ? inside.function().name()
            : place instanceof UserSelector.Function function ? function.name() : place.text();
    List<String> hints =
        new ArrayList<>(
            List.of(
                Suggestions.hint(
                    name, files.stream().map(this::code).flatMap(Code::names).distinct())));
    if (files.size() == 1 && code(files.get(0)).symbols().isStripped()) {
      int exports = code(files.get(0)).symbols().exports().size();
      hints.add(
          exports == 0
              ? "it is stripped: it names no functions at all, but addresses can be probed"
              : "it is stripped: it only names the " + exports + " functions that it exports");
    }
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_FUNCTION,
        (files.size() == 1 ? files.get(0).path().toString() : "process " + place.binary())
            + " has no function \""
            + name
            + "\"",
        hints.toArray(String[]::new));
  }

  private static ProbeSiteNotFoundException ambiguous(
      UserSelector.Function function, Binary file, List<ElfSymbol> symbols) {
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_FUNCTION,
        "several functions of " + file.path() + " are called \"" + function.name() + "\"",
        "probe one of them by its address: "
            + symbols.stream()
                .map(
                    symbol ->
                        "uprobe:"
                            + new UserSelector.Address(function.binary(), symbol.address()).text())
                .collect(Collectors.joining(", ")));
  }

  private static ProbeSiteNotFoundException indirect(
      UserSelector.Function function, Binary file, Code code) {
    List<String> others =
        code.matching(name -> name.contains("_" + function.name() + "_"))
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
            ? "which one it chooses, a debugger shows"
            : "it chooses one such as " + String.join(", ", others));
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
