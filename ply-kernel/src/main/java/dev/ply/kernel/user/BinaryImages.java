package dev.ply.kernel.user;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.kernel.code.CheapProbeOffset;
import dev.ply.kernel.elf.BadElfException;
import dev.ply.kernel.elf.BinarySymbols;
import dev.ply.kernel.elf.ElfFile;
import dev.ply.kernel.elf.ElfSymbol;
import dev.ply.kernel.elf.ElfSymbols;
import dev.ply.kernel.elf.UsdtNote;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.FileMemory;
import dev.ply.kernel.untrusted.FileMemory.Kept;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.user.BinaryFinder.Binary;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The programs and libraries that have been read: each once, and again when it has been replaced or
 * another needed its memory. Files are read one at a time. Thread-safe.
 */
final class BinaryImages {
  /** The heap bytes of a function that a pattern selects, without its name. */
  private static final int CHOSEN = 160;

  private final ReadBudget budget;
  private final FileMemory memory;
  private final Map<Path, Kept<BinaryImage>> images = new HashMap<>();
  private final Map<FileFacts, Kept<ElfSymbols>> variables = new HashMap<>();
  private final Map<FileFacts, Kept<Optional<CheapProbeOffset>>> entries = new HashMap<>();

  BinaryImages(ReadBudget budget, FileMemory memory) {
    this.budget = budget;
    this.memory = memory;
  }

  /** Reads something of an open file. */
  interface Reading<T> {
    T read(ElfFile file) throws IOException;
  }

  /** Decides by a name, within a time, whether a function is meant. */
  interface Choice {
    boolean isMeant(String name, Allowance time) throws BudgetExceededException;
  }

  /**
   * Returns what a file contains now.
   *
   * @throws ProbeSiteNotFoundException if it is not a program or library
   * @throws UnreadableTargetException if it cannot be read
   */
  synchronized BinaryImage of(Binary binary) {
    Optional<BinaryImage> before = known(binary.path());
    if (before.isPresent() && isStill(before.get(), binary.path())) {
      return before.get();
    }
    before.ifPresent(image -> forget(image.file().facts()));
    Optional.ofNullable(images.remove(binary.path())).ifPresent(Kept::drop);
    Kept<BinaryImage> now = read(binary);
    images.put(binary.path(), now);
    return now.get().orElseThrow(() -> noMemory(binary.path()));
  }

  private void forget(FileFacts facts) {
    Optional.ofNullable(variables.remove(facts)).ifPresent(Kept::drop);
    Optional.ofNullable(entries.remove(facts)).ifPresent(Kept::drop);
  }

  /** Returns what was last read of a file; empty if nothing was, or its memory was needed. */
  synchronized Optional<BinaryImage> known(Path path) {
    return Optional.ofNullable(images.get(path)).flatMap(Kept::get);
  }

  private static boolean isStill(BinaryImage image, Path path) {
    try {
      return FileFacts.of(path).equals(image.file().facts());
    } catch (IOException e) {
      // Reading it says why.
      return false;
    }
  }

  /**
   * Returns the variables of a file.
   *
   * @throws UnreadableTargetException if it cannot be read
   */
  synchronized ElfSymbols variables(BinaryImage image) {
    return kept(variables, image, ElfSymbols::ofVariables);
  }

  /**
   * Returns where calls of a file's functions are cheapest to probe; empty if that is unknown.
   *
   * @param offset of code in the file
   * @throws UnreadableTargetException if it cannot be read
   */
  synchronized Optional<CheapProbeOffset> entries(BinaryImage image, long offset) {
    return kept(entries, image, file -> readEntries(file, offset));
  }

  private static Optional<CheapProbeOffset> readEntries(ElfFile file, long offset)
      throws IOException {
    try {
      return CheapProbeOffset.of(file, offset);
    } catch (BadElfException e) {
      // This was reported when the function was located; here the probe just stays at the start.
      return Optional.empty();
    }
  }

  /** Returns something that is read of a file unless it is known. */
  private <T> T kept(Map<FileFacts, Kept<T>> known, BinaryImage image, Reading<T> reading) {
    Path path = image.file().path();
    Optional<T> before = Optional.ofNullable(known.get(image.file().facts())).flatMap(Kept::get);
    if (before.isPresent()) {
      return before.get();
    }
    try {
      Kept<T> now = memory.read(budget, () -> read(path, reading));
      known.put(image.file().facts(), now);
      return now.get().orElseThrow(() -> noMemory(path));
    } catch (IOException e) {
      throw unreadable(path, e);
    } catch (OutOfMemoryError e) {
      memory.dropAll();
      throw noMemory(path);
    }
  }

  private <T> T read(Path path, Reading<T> reading) throws IOException {
    try (ElfFile file = ElfFile.open(path, budget)) {
      return reading.read(file);
    }
  }

  /** Reads something that takes no memory worth mentioning once it is known. */
  synchronized <T> T inspect(Path path, Reading<T> reading) throws IOException {
    FileMemory.Held<T> held = hold(path, reading);
    held.claim().release();
    return held.content();
  }

  /** Reads something that is kept as long as its memory is not needed. */
  synchronized <T> Kept<T> keep(Path path, Reading<T> reading) throws IOException {
    try {
      return memory.read(budget, () -> read(path, reading));
    } catch (OutOfMemoryError e) {
      memory.dropAll();
      throw noMemory(path);
    }
  }

  private <T> FileMemory.Held<T> hold(Path path, Reading<T> reading) throws IOException {
    try {
      return memory.hold(budget, () -> read(path, reading));
    } catch (OutOfMemoryError e) {
      memory.dropAll();
      throw noMemory(path);
    }
  }

  /**
   * Returns the functions that a choice by names means, as far as the time of the file's owner and
   * the tracer's memory allow.
   *
   * @return the functions, whose memory is claimed until they have been looked through
   * @throws BudgetExceededException if the time or the memory is up
   */
  synchronized FileMemory.Held<List<ElfSymbol>> chosen(BinaryImage image, Choice choice)
      throws IOException {
    try {
      return memory.hold(budget, () -> read(image, choice));
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof BudgetExceededException exceeded) {
        throw exceeded;
      }
      throw e;
    } catch (OutOfMemoryError e) {
      memory.dropAll();
      throw noMemory(image.file().path());
    }
  }

  private List<ElfSymbol> read(BinaryImage image, Choice choice) throws BudgetExceededException {
    List<ElfSymbol> chosen = new ArrayList<>();
    try (Allowance allowance = budget.allowance(image.file().facts().isOfRoot())) {
      Iterator<ElfSymbol> meant =
          image.matching(name -> isMeant(choice, name, allowance)).iterator();
      while (meant.hasNext()) {
        ElfSymbol symbol = meant.next();
        allowance.claimKept(CHOSEN + 2L * symbol.name().length());
        chosen.add(symbol);
      }
    }
    return chosen;
  }

  private static boolean isMeant(Choice choice, String name, Allowance time) {
    try {
      return choice.isMeant(name, time);
    } catch (BudgetExceededException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Kept<BinaryImage> read(Binary binary) {
    try {
      return memory.read(budget, () -> open(binary));
    } catch (BadElfException e) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_BINARY,
          String.valueOf(e.getMessage()),
          "a script runs in the interpreter on its first line: probe that");
    } catch (IOException e) {
      throw unreadable(binary.path(), e);
    } catch (OutOfMemoryError e) {
      memory.dropAll();
      throw noMemory(binary.path());
    }
  }

  private static UnreadableTargetException noMemory(Path path) {
    return new UnreadableTargetException(path + " cannot be read: out of memory");
  }

  private static UnreadableTargetException unreadable(Path path, IOException e) {
    return new UnreadableTargetException(path + " cannot be read: " + e.getMessage());
  }

  private BinaryImage open(Binary binary) throws IOException {
    try (ElfFile file = ElfFile.open(binary.path(), budget)) {
      return new BinaryImage(
          file, BinarySymbols.of(file, binary.path(), binary.root()), UsdtNote.all(file));
    }
  }
}
