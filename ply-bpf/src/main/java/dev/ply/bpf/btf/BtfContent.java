package dev.ply.bpf.btf;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The bytes of BTF, read in chunks: of a kernel's megabytes a script needs common structures, which
 * are among the first types, and their names. Words are aligned. Thread-safe.
 */
final class BtfContent {
  /** The binary logarithm of a chunk's size. */
  private static final int SHIFT = 16;

  private static final int PIECE = 1 << SHIFT;
  private static final byte[] UNREAD = {};

  /** The first byte of the magic number 0xeb9f in big-endian order. */
  private static final byte FIRST_OF_BIG_ENDIAN = (byte) 0xeb;

  private final int size;
  private final Pieces source;
  private final boolean isBigEndian;

  /**
   * The chunks read so far; replaced as a whole, so that their content is visible to other threads.
   */
  private volatile byte[][] pieces;

  /** The source of chunks. */
  private interface Pieces {
    void read(int position, byte[] piece) throws IOException;
  }

  private BtfContent(int size, Pieces source) {
    this.size = size;
    this.source = source;
    this.pieces = new byte[(size + PIECE - 1) >>> SHIFT][];
    Arrays.fill(pieces, UNREAD);
    this.isBigEndian = size > 0 && at(0) == FIRST_OF_BIG_ENDIAN;
  }

  static BtfContent of(byte[] all) {
    return new BtfContent(
        all.length, (position, piece) -> System.arraycopy(all, position, piece, 0, piece.length));
  }

  /** A constant file. */
  static BtfContent of(Path file) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      return new BtfContent(
          Math.toIntExact(open.length()), (position, piece) -> read(file, position, piece));
    }
  }

  private static void read(Path file, int position, byte[] piece) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      open.seek(position);
      open.readFully(piece);
    }
  }

  int size() {
    return size;
  }

  /** Returns the magic number. */
  int magic() {
    return isBigEndian ? word(0) >>> 16 : word(0) & 0xffff;
  }

  /**
   * Returns the word at an aligned position. Hundreds of thousands are read before the JVM compiles
   * ByteBuffer's methods.
   */
  int word(int position) {
    byte[] piece = piece(position >>> SHIFT);
    int at = position & (PIECE - 1);
    int word =
        (piece[at] & 0xff)
            | ((piece[at + 1] & 0xff) << 8)
            | ((piece[at + 2] & 0xff) << 16)
            | (piece[at + 3] << 24);
    return isBigEndian ? Integer.reverseBytes(word) : word;
  }

  private byte at(int position) {
    return piece(position >>> SHIFT)[position & (PIECE - 1)];
  }

  /** Returns whether these bytes are at a position. */
  boolean has(int position, byte[] wanted) {
    byte[] piece = piece(position >>> SHIFT);
    int at = position & (PIECE - 1);
    if (at + wanted.length <= piece.length) {
      return piece[at] == wanted[0]
          && Arrays.equals(piece, at, at + wanted.length, wanted, 0, wanted.length);
    }
    for (int i = 0; i < wanted.length; i++) {
      if (position + i >= size || at(position + i) != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the string from a position to its NUL, or to {@code end}. */
  String text(int position, int end) {
    int length = 0;
    while (position + length < end && at(position + length) != 0) {
      length++;
    }
    byte[] text = new byte[length];
    for (int i = 0; i < length; i++) {
      text[i] = at(position + i);
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  private byte[] piece(int index) {
    byte[] piece = pieces[index];
    return piece.length == 0 ? load(index) : piece;
  }

  private synchronized byte[] load(int index) {
    byte[][] before = pieces;
    if (before[index].length == 0) {
      byte[] piece = new byte[Math.min(PIECE, size - (index << SHIFT))];
      try {
        source.read(index << SHIFT, piece);
      } catch (EOFException e) {
        throw new MalformedBtfException("BTF that ends before its file does");
      } catch (IOException e) {
        throw new UncheckedIOException("type information of the kernel cannot be read", e);
      }
      byte[][] after = before.clone();
      after[index] = piece;
      pieces = after;
    }
    return pieces[index];
  }
}
