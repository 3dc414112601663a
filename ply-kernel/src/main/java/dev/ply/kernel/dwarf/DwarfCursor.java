package dev.ply.kernel.dwarf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads DWARF's encodings from a part of a section. Not thread-safe. */
public final class DwarfCursor {
  private final ByteBuffer section;
  private final int limit;
  private int at;

  private DwarfCursor(ByteBuffer section, int start, int limit) {
    this.section = section;
    this.at = start;
    this.limit = limit;
  }

  /** Reads a section from its start. */
  public static DwarfCursor of(ByteBuffer section) {
    return new DwarfCursor(section, 0, section.limit());
  }

  /** Returns a cursor of its own at the same position. */
  public DwarfCursor copy() {
    return new DwarfCursor(section, at, limit);
  }

  /** Returns whether there are more bytes. */
  public boolean hasMore() {
    return at < limit;
  }

  boolean isBigEndian() {
    return section.order() == ByteOrder.BIG_ENDIAN;
  }

  /** Returns the offset of the next byte in the section. */
  public int position() {
    return at;
  }

  /** Returns the number of bytes left. */
  public int left() {
    return limit - at;
  }

  private int advance(long size) throws BadDwarfException {
    if (size < 0 || size > limit - at) {
      throw new BadDwarfException(size + " bytes at offset " + at + " are past the end");
    }
    int start = at;
    at += (int) size;
    return start;
  }

  /** Skips the next bytes. */
  public void skip(long size) throws BadDwarfException {
    int unused = advance(size);
  }

  /** Skips the next bytes, and returns a cursor that ends with them. */
  public DwarfCursor part(long size) throws BadDwarfException {
    int start = advance(size);
    return new DwarfCursor(section, start, at);
  }

  int signedByte() throws BadDwarfException {
    return section.get(advance(1));
  }

  /** Reads an unsigned byte. */
  public int unsignedByte() throws BadDwarfException {
    return Byte.toUnsignedInt(section.get(advance(1)));
  }

  /** Reads an unsigned number of 1, 2, 4 or 8 bytes. */
  public long unsigned(int size) throws BadDwarfException {
    return switch (size) {
      case 1 -> unsignedByte();
      case 2 -> Short.toUnsignedLong(section.getShort(advance(2)));
      case 4 -> Integer.toUnsignedLong(section.getInt(advance(4)));
      case 8 -> section.getLong(advance(8));
      default -> throw new BadDwarfException("a number of " + size + " bytes");
    };
  }

  /** Reads an unsigned LEB128 number; bits past the 64th are ignored. */
  public long uleb() throws BadDwarfException {
    long value = 0;
    int shift = 0;
    int octet;
    do {
      octet = unsignedByte();
      value |= shift < Long.SIZE ? (long) (octet & 0x7f) << shift : 0;
      shift = Math.min(shift + 7, Long.SIZE);
    } while ((octet & 0x80) != 0);
    return value;
  }

  /** Reads a signed LEB128 number; bits past the 64th are ignored. */
  public long sleb() throws BadDwarfException {
    long value = 0;
    int shift = 0;
    int octet;
    do {
      octet = unsignedByte();
      value |= shift < Long.SIZE ? (long) (octet & 0x7f) << shift : 0;
      shift = Math.min(shift + 7, Long.SIZE);
    } while ((octet & 0x80) != 0);
    return shift < Long.SIZE && (octet & 0x40) != 0 ? value | -1L << shift : value;
  }

  /** Skips a string and its NUL. */
  DwarfString string() throws BadDwarfException {
    int start = at;
    while (unsignedByte() != 0) {
      // The end is checked for each byte.
    }
    return new DwarfString(section, start);
  }
}
