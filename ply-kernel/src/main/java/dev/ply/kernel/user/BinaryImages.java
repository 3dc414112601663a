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
import dev.ply.kernel.untrusted.Claim;
import dev.ply.kernel.untrusted.FileFacts;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.user.BinaryFinder.Binary;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The programs and libraries that have been read: each once, and again when it has been replaced or
 * another needed its memory. Files are read one at a time. Thread-safe.
 */
final class BinaryImages {
  private final ReadBudget budget;
  private final Map<Path, BinaryImage> images = new HashMap<>();
  private final Map<FileFacts, ElfSymbols> variables = new HashMap<>();
  private final Map<FileFacts, Optional<CheapProbeOffset>> entries = new HashMap<>();

  BinaryImages(ReadBudget budget) {
    this.budget = budget;
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
   * @throws ProbeSiteNotFoundException if it is no program or library
   * @throws UnreadableTargetException if it cannot be read
   */
  synchronized BinaryImage of(Binary binary) {
    BinaryImage before = images.get(binary.path());
    if (before != null && isStill(before, binary.path())) {
      return before;
    }
    if (before != null) {
      variables.remove(before.file().facts());
      entries.remove(before.file().facts());
    }
    BinaryImage now = read(binary);
    images.put(binary.path(), now);
    return now;
  }

  /** Returns what was last read of a file; empty if nothing was, or its memory was needed. */
  synchronized Optional<BinaryImage> known(Path path) {
    return Optional.ofNullable(images.get(path));
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
    ElfSymbols known = variables.get(image.file().facts());
    if (known != null) {
      return known;
    }
    try {
      ElfSymbols found = read(image.file().path(), ElfSymbols::ofVariables);
      variables.put(image.file().facts(), found);
      return found;
    } catch (IOException e) {
      throw unreadable(image.file().path(), e);
    }
  }

  /**
   * Returns where calls of a file's functions are cheapest to probe; empty if that is unknown.
   *
   * @param offset of code in the file
   * @throws UnreadableTargetException if it cannot be read
   */
  synchronized Optional<CheapProbeOffset> entries(BinaryImage image, long offset) {
    Optional<CheapProbeOffset> known = entries.get(image.file().facts());
    if (known != null) {
      return known;
    }
    Optional<CheapProbeOffset> found = readEntries(image.file().path(), offset);
    entries.put(image.file().facts(), found);
    return found;
  }

  private Optional<CheapProbeOffset> readEntries(Path path, long offset) {
    try {
      return read(path, file -> CheapProbeOffset.of(file, offset));
    } catch (BadElfException e) {
      // That was said when the function was located; here the probe just stays at the start.
      return Optional.empty();
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** Reads something whose claims last until another file needs the memory. */
  synchronized <T> T read(Path path, Reading<T> reading) throws IOException {
    try (ElfFile file = ElfFile.open(path, budget)) {
      return reading.read(file);
    }
  }

  /** Reads something that takes no memory worth mentioning once it is known. */
  synchronized <T> T inspect(Path path, Reading<T> reading) throws IOException {
    Claim before = budget.claims();
    try {
      return read(path, reading);
    } finally {
      budget.handOver(before).release();
    }
  }

  /**
   * Returns the functions that a choice by names means, as far as the time of the file's owner
   * allows.
   *
   * @throws BudgetExceededException if the time is up
   */
  synchronized List<ElfSymbol> chosen(BinaryImage image, Choice choice)
      throws BudgetExceededException {
    try (Allowance time = budget.allowance(image.file().facts().isOfRoot())) {
      return image.matching(name -> isMeant(choice, name, time)).toList();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof BudgetExceededException exceeded) {
        throw exceeded;
      }
      throw e;
    }
  }

  private static boolean isMeant(Choice choice, String name, Allowance time) {
    try {
      return choice.isMeant(name, time);
    } catch (BudgetExceededException e) {
      throw new UncheckedIOException(e);
    }
  }

  private BinaryImage read(Binary binary) {
    try {
      return readInMemory(binary);
    } catch (BadElfException e) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_BINARY,
          String.valueOf(e.getMessage()),
          "scripts run in the program that their first line names: probe that");
    } catch (IOException e) {
      throw unreadable(binary.path(), e);
    } catch (OutOfMemoryError e) {
      forgetAll();
      throw new UnreadableTargetException(binary.path() + " cannot be read: memory ended");
    }
  }

  private static UnreadableTargetException unreadable(Path path, IOException e) {
    return new UnreadableTargetException(path + " cannot be read: " + e.getMessage());
  }

  /** Drops what is known of other files if it leaves too little memory. */
  private BinaryImage readInMemory(Binary binary) throws IOException {
    try {
      return open(binary);
    } catch (BudgetExceededException e) {
      forgetAll();
      return open(binary);
    }
  }

  private BinaryImage open(Binary binary) throws IOException {
    try (ElfFile file = ElfFile.open(binary.path(), budget)) {
      return new BinaryImage(
          file, BinarySymbols.of(file, binary.path(), binary.root()), UsdtNote.all(file));
    }
  }

  private void forgetAll() {
    images.clear();
    variables.clear();
    entries.clear();
    budget.releaseAll();
  }
}
