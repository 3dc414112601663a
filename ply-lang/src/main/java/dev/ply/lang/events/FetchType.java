package dev.ply.lang.events;

import java.util.Optional;
import java.util.stream.Stream;

/** The type of a fetch argument: how many bytes it reads, and how they are printed. */
public sealed interface FetchType {
  /** Returns the name as definitions write it. */
  String text();

  /** Returns the number of bits in memory; 0 for strings. */
  int bits();

  /** Returns whether values are strings. */
  boolean isString();

  /** Returns whether values are integers with a sign. */
  boolean isSigned();

  /** A type with a name. */
  enum Named implements FetchType {
    /** 8 bits, unsigned decimal. */
    U8(8),
    /** 16 bits, unsigned decimal. */
    U16(16),
    /** 32 bits, unsigned decimal. */
    U32(32),
    /** 64 bits, unsigned decimal. */
    U64(64),
    /** 8 bits, signed decimal. */
    S8(8),
    /** 16 bits, signed decimal. */
    S16(16),
    /** 32 bits, signed decimal. */
    S32(32),
    /** 64 bits, signed decimal. */
    S64(64),
    /** 8 bits, hexadecimal. */
    X8(8),
    /** 16 bits, hexadecimal. */
    X16(16),
    /** 32 bits, hexadecimal. */
    X32(32),
    /** 64 bits, hexadecimal. */
    X64(64),
    /** A character, in single quotes. */
    CHAR(8),
    /** A string up to its NUL, in double quotes. */
    STRING(0),
    /** A string of user space. */
    USTRING(0),
    /** An address, as symbol, offset and size. */
    SYMBOL(64),
    /** An address, as symbol, offset and size, in double quotes. */
    SYMSTR(64),
    /** The name of the {@code struct dentry} at an address. */
    DENTRY_NAME(0),
    /** The name of the {@code struct file} at an address. */
    FILE_NAME(0);

    private final int bits;

    Named(int bits) {
      this.bits = bits;
    }

    @Override
    public int bits() {
      return bits;
    }

    @Override
    public boolean isString() {
      return this == STRING || this == USTRING;
    }

    @Override
    public boolean isSigned() {
      return this == S8 || this == S16 || this == S32 || this == S64;
    }

    @Override
    public String text() {
      return switch (this) {
        case DENTRY_NAME -> "%pd";
        case FILE_NAME -> "%pD";
        default -> name().toLowerCase(java.util.Locale.ROOT);
      };
    }

    /** Returns the type of a name, if there is one. */
    public static Optional<Named> named(String name) {
      return Stream.of(values()).filter(type -> type.text().equals(name)).findFirst();
    }
  }

  /**
   * {@code bW@O/C}: bits of an integer, unsigned decimal.
   *
   * @param width in bits
   * @param offset of the lowest bit
   * @param container the size of the integer in bits: 8, 16, 32 or 64
   */
  record BitField(int width, int offset, int container) implements FetchType {
    @Override
    public String text() {
      return "b" + width + "@" + offset + "/" + container;
    }

    @Override
    public int bits() {
      return container;
    }

    @Override
    public boolean isString() {
      return false;
    }

    @Override
    public boolean isSigned() {
      return false;
    }
  }
}
