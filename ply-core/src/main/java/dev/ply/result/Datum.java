package dev.ply.result;

import dev.ply.target.UserSymbols;
import dev.ply.type.Escapes;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One value as it came from the kernel, with its type. */
public sealed interface Datum {
  /** An integer; {@code value} is already extended to 64 bits by its type's signedness. */
  record Int(long value, Type.IntType type) implements Datum {}

  /** An address. */
  record Address(long value, Type.PointerType type) implements Datum {}

  /**
   * A character array.
   *
   * @param bytes all of its bytes, one char each (ISO 8859-1), what follows the first NUL included
   */
  record Text(String bytes) implements Datum {
    /** Returns what stands before the first NUL, as {@link TextBytes} writes it. */
    public String text() {
      int end = bytes.indexOf('\0');
      return TextBytes.decode(
          (end < 0 ? bytes : bytes.substring(0, end)).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns all bytes, escaped. */
    @Override
    public String toString() {
      String all = TextBytes.decode(bytes.getBytes(StandardCharsets.ISO_8859_1));
      return "Text[" + Escapes.escape(all) + "]";
    }
  }

  /** An array of anything but characters. */
  record Elements(List<Datum> elements) implements Datum {
    public Elements {
      elements = List.copyOf(elements);
    }
  }

  /** A structure; {@code fields} are in the order of the type's. */
  record Struct(List<Datum> fields, Type.StructType type) implements Datum {
    public Struct {
      fields = List.copyOf(fields);
    }
  }

  /**
   * A stack trace.
   *
   * @param id the kernel's number for it: equal traces of a session have the same
   * @param addresses where each function was interrupted or will go on, the innermost first
   * @param mode how it prints
   */
  record Stack(int id, List<Long> addresses, StackMode mode) implements Datum {
    public Stack {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * A stack trace of a process.
   *
   * @param id the kernel's number for it: equal traces of a session have the same
   * @param frames where each function was interrupted or will go on, the innermost first
   * @param mode how it prints
   */
  record UserStack(int process, int id, List<UserSymbols.Frame> frames, StackMode mode)
      implements Datum {
    public UserStack {
      frames = List.copyOf(frames);
    }
  }

  /**
   * A stack trace that is missing.
   *
   * @param process the PID, 0 on the kernel's side
   * @param id the kernel's number for it, an error if that is negative
   */
  record MissingStack(int process, int id, Side side) implements Datum {
    /** Whose stack. */
    public enum Side {
      /** The kernel's. */
      KERNEL,
      /** The process's. */
      USER
    }

    /** Why a stack trace is missing. */
    public enum Reason {
      /** The thread has no stack on that side: a kernel thread has none of a process. */
      NO_STACK,
      /** The kernel could not store it, or stored another in its place. */
      LOST
    }

    /** -EFAULT. */
    private static final int NO_STACK = -14;

    /** Returns why it is missing. */
    public Reason reason() {
      return id == NO_STACK ? Reason.NO_STACK : Reason.LOST;
    }
  }

  /** A distribution over powers of two. */
  record Distribution(Histogram histogram) implements Datum {}

  /** A whole map, which takes the lines of its dump. */
  record Dump(String name, Table<Datum> table) implements Datum {}

  /**
   * Returns the value in its type's default format without padding, strings escaped; addresses of
   * code as numbers.
   */
  default String toText() {
    return this instanceof Text text
        ? Escapes.escape(text.text())
        : DatumFormat.PLAIN.format(this).strip();
  }
}
