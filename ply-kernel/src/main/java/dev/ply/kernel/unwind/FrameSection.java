package dev.ply.kernel.unwind;

import dev.ply.kernel.dwarf.BadDwarfException;
import dev.ply.kernel.dwarf.DwarfCursor;
import dev.ply.kernel.elf.LoadedSection;
import dev.ply.kernel.untrusted.Allowance;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The entries of {@code .eh_frame} or {@code .debug_frame}. Common entries are read once, so that
 * reading takes time proportional to the section's size. Not thread-safe.
 */
final class FrameSection {
  private static final long LONG_LENGTH = 0xffff_ffffL;

  /** The heap size of a common entry. */
  private static final int COMMON_BYTES = 300;

  /** Entries between two checks of the time. */
  private static final int PART = 1 << 10;

  private final LoadedSection section;
  private final boolean isDebug;
  private final FrameMachine machine;
  private final Allowance allowance;

  /** By their offsets in the section. */
  private final Map<Long, CommonEntry> common = new HashMap<>();

  private int damaged;

  /**
   * An entry.
   *
   * @param at its offset in the section
   * @param id the identifier: of a common entry, or where a function's is
   * @param content what follows
   */
  private record Entry(long at, boolean isCommon, long id, DwarfCursor content) {}

  /** Receives the entries of a section. */
  private interface Entries {
    void entry(Entry entry) throws IOException;
  }

  /** Receives functions. */
  interface Functions {
    /**
     * Receives a function.
     *
     * @param start its address in the file
     * @param at the offset of its entry in the section
     */
    void function(long start, int at) throws IOException;
  }

  /**
   * A function's entry.
   *
   * @param start its address in the file
   * @param size in bytes
   */
  record Function(CommonEntry common, long start, long size, DwarfCursor code) {}

  private FrameSection(
      LoadedSection section, boolean isDebug, FrameMachine machine, Allowance allowance) {
    this.section = section;
    this.isDebug = isDebug;
    this.machine = machine;
    this.allowance = allowance;
  }

  /**
   * Reads the common entries of a section.
   *
   * @param isDebug whether it is {@code .debug_frame}
   */
  static FrameSection read(
      LoadedSection section, boolean isDebug, FrameMachine machine, Allowance allowance)
      throws IOException {
    FrameSection frames = new FrameSection(section, isDebug, machine, allowance);
    frames.forEach(frames::addCommon);
    return frames;
  }

  private void addCommon(Entry entry) throws IOException {
    if (entry.isCommon()) {
      allowance.claim(COMMON_BYTES);
      try {
        common.put(entry.at(), CommonEntry.read(entry.content(), machine));
      } catch (BadDwarfException e) {
        damaged++;
      }
    }
  }

  /** Passes the functions, in the order of the section. */
  void functions(Functions functions) throws IOException {
    forEach(
        entry -> {
          if (!entry.isCommon()) {
            try {
              functions.function(function(entry).start(), (int) entry.at());
            } catch (BadDwarfException e) {
              damaged++;
            }
          }
        });
  }

  /** Reads the function whose entry is at an offset of the section. */
  Function function(int at) throws BadDwarfException {
    DwarfCursor section = cursor();
    section.skip(at);
    return function(entry(section));
  }

  /** Returns the number of entries that could not be read, and were skipped. */
  int damaged() {
    return damaged;
  }

  private DwarfCursor cursor() {
    return DwarfCursor.of(section.bytes());
  }

  private void forEach(Entries entries) throws IOException {
    DwarfCursor rest = cursor();
    for (int count = 1; rest.left() >= Integer.BYTES; count++) {
      Entry entry;
      try {
        if (rest.copy().unsigned(Integer.BYTES) == 0) {
          // What ends a list; linkers may concatenate several.
          rest.skip(Integer.BYTES);
          continue;
        }
        entry = entry(rest);
      } catch (BadDwarfException e) {
        damaged++;
        return;
      }
      entries.entry(entry);
      if (count % PART == 0) {
        allowance.requireTime();
      }
    }
  }

  /** Reads an entry, and moves the cursor past it. */
  private Entry entry(DwarfCursor section) throws BadDwarfException {
    long at = section.position();
    long length = section.unsigned(Integer.BYTES);
    boolean isLong = length == LONG_LENGTH;
    DwarfCursor content = section.part(isLong ? section.unsigned(Long.BYTES) : length);
    long position = content.position();
    long id = content.unsigned(isDebug && isLong ? Long.BYTES : Integer.BYTES);
    if (isDebug) {
      return new Entry(at, id == (isLong ? -1 : LONG_LENGTH), id, content);
    }
    return new Entry(at, id == 0, position - id, content);
  }

  private Function function(Entry entry) throws BadDwarfException {
    if (!common.containsKey(entry.id())) {
      throw new BadDwarfException("a function without common entry at offset " + entry.at());
    }
    CommonEntry shared = Objects.requireNonNull(common.get(entry.id()));
    DwarfCursor content = entry.content();
    long start = shared.pointers().read(content, section.address());
    long size = shared.pointers().size(content);
    if (shared.hasAugmentation()) {
      content.skip(content.uleb());
    }
    return new Function(shared, start, size, content);
  }
}
