package dev.ply.kernel.dwarf;

import dev.ply.kernel.elf.DebugSection;
import dev.ply.kernel.elf.ElfFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Where variables are at one instruction: {@code .debug_loc}, and since DWARF 5 {@code
 * .debug_loclists} (section 7.7.3). Not thread-safe.
 */
final class LocationLists {
  private static final int MOST_ENTRIES = 1 << 16;

  private static final int END = 0;
  private static final int BASE_INDEX = 1;
  private static final int INDEX_TO_INDEX = 2;
  private static final int INDEX_AND_LENGTH = 3;
  private static final int OFFSETS = 4;
  private static final int DEFAULT = 5;
  private static final int BASE = 6;
  private static final int ADDRESSES = 7;
  private static final int ADDRESS_AND_LENGTH = 8;

  /** GNU's view numbers, which have no locations. */
  private static final int VIEWS = 9;

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final ElfFile file;
  private Optional<ByteBuffer> old = Optional.empty();
  private Optional<ByteBuffer> lists = Optional.empty();

  LocationLists(ElfFile file) {
    this.file = file;
  }

  /**
   * Returns where a variable is at an address of its function; empty if that is not known, or it is
   * nowhere.
   *
   * @param unit the entry that describes the variable's unit
   */
  Optional<Location> at(long address, Entry variable, Entry function, Entry unit)
      throws IOException {
    boolean isCallFrame = isCallFrame(function);
    Optional<DwarfCursor> expression = variable.expression(Dwarf.LOCATION);
    if (expression.isPresent()) {
      return Location.of(expression.get(), isCallFrame, false);
    }
    if (!variable.has(Dwarf.LOCATION)) {
      return Optional.empty();
    }
    Optional<DwarfCursor> listed =
        variable.unit().version() < 5
            ? inOldList(address, variable, unit)
            : inList(address, variable, unit);
    return listed.isEmpty() ? Optional.empty() : Location.of(listed.get(), isCallFrame, true);
  }

  private static boolean isCallFrame(Entry function) throws BadDwarfException {
    Optional<DwarfCursor> base = function.expression(Dwarf.FRAME_BASE);
    Optional<Location> location =
        base.isEmpty() ? Optional.empty() : Location.of(base.get(), false, false);
    return location
        .filter(
            one ->
                one.pieces().get(0).storage() instanceof Location.Storage.CallFrame frame
                    && frame.offset() == 0)
        .isPresent();
  }

  private Optional<DwarfCursor> inOldList(long address, Entry variable, Entry unit)
      throws IOException {
    OptionalLong offset = variable.number(Dwarf.LOCATION);
    if (offset.isEmpty()) {
      return Optional.empty();
    }
    if (old.isEmpty()) {
      old = Optional.of(DebugSection.read(file, ".debug_loc").orElse(NONE));
    }
    DwarfCursor bytes = DwarfCursor.of(old.get());
    bytes.skip(offset.getAsLong());
    int size = variable.unit().addressSize();
    long base = unit.address(Dwarf.LOW_PC).orElse(0);
    long highest = size == Integer.BYTES ? 0xffff_ffffL : -1;
    for (int i = 0; i < MOST_ENTRIES; i++) {
      long begin = bytes.unsigned(size);
      long end = bytes.unsigned(size);
      if (begin == 0 && end == 0) {
        return Optional.empty();
      }
      if (begin == highest) {
        base = end;
        continue;
      }
      DwarfCursor expression = bytes.part(bytes.unsigned(2));
      if (isWithin(address, base + begin, base + end)) {
        return Optional.of(expression);
      }
    }
    return Optional.empty();
  }

  private Optional<DwarfCursor> inList(long address, Entry variable, Entry unit)
      throws IOException {
    if (lists.isEmpty()) {
      lists = Optional.of(DebugSection.read(file, ".debug_loclists").orElse(NONE));
    }
    DwarfCursor bytes = DwarfCursor.of(lists.get());
    OptionalLong index = variable.index(Dwarf.LOCATION);
    OptionalLong offset = variable.number(Dwarf.LOCATION);
    if (index.isPresent()) {
      int offsetSize = variable.unit().offsetSize();
      long table = unit.number(Dwarf.LOCATION_LISTS_BASE).orElse(offsetSize == 4 ? 12 : 20);
      if (index.getAsLong() < 0 || index.getAsLong() > Integer.MAX_VALUE) {
        return Optional.empty();
      }
      bytes.skip(table);
      DwarfCursor list = bytes.copy();
      bytes.skip(index.getAsLong() * offsetSize);
      list.skip(bytes.unsigned(offsetSize));
      return inList(address, list, variable, unit);
    }
    if (offset.isEmpty()) {
      return Optional.empty();
    }
    bytes.skip(offset.getAsLong());
    return inList(address, bytes, variable, unit);
  }

  private static Optional<DwarfCursor> inList(
      long address, DwarfCursor bytes, Entry variable, Entry unit) throws BadDwarfException {
    int size = variable.unit().addressSize();
    long base = unit.address(Dwarf.LOW_PC).orElse(0);
    for (int i = 0; i < MOST_ENTRIES; i++) {
      long begin = 0;
      long end = 0;
      switch (bytes.unsignedByte()) {
        case END -> {
          return Optional.empty();
        }
        case BASE_INDEX -> {
          base = variable.addressAt(bytes.uleb());
          continue;
        }
        case BASE -> {
          base = bytes.unsigned(size);
          continue;
        }
        case VIEWS -> {
          long first = bytes.uleb();
          long last = bytes.uleb();
          if (first < 0 || last < 0) {
            throw new BadDwarfException("views of a location");
          }
          continue;
        }
        case INDEX_TO_INDEX -> {
          begin = variable.addressAt(bytes.uleb());
          end = variable.addressAt(bytes.uleb());
        }
        case INDEX_AND_LENGTH -> {
          begin = variable.addressAt(bytes.uleb());
          end = begin + bytes.uleb();
        }
        case OFFSETS -> {
          begin = base + bytes.uleb();
          end = base + bytes.uleb();
        }
        case DEFAULT -> end = -1;
        case ADDRESSES -> {
          begin = bytes.unsigned(size);
          end = bytes.unsigned(size);
        }
        case ADDRESS_AND_LENGTH -> {
          begin = bytes.unsigned(size);
          end = begin + bytes.uleb();
        }
        default -> throw new BadDwarfException("an unknown entry of a location list");
      }
      DwarfCursor expression = bytes.part(bytes.uleb());
      if (isWithin(address, begin, end)) {
        return Optional.of(expression);
      }
    }
    return Optional.empty();
  }

  private static boolean isWithin(long address, long begin, long end) {
    return Long.compareUnsigned(address, begin) >= 0 && Long.compareUnsigned(address, end) < 0;
  }
}
