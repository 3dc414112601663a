package dev.ply.lang.events;

import java.util.OptionalLong;

/** Where an event is. */
public sealed interface EventLocation {
  /** Returns the location as definitions write it, without {@code %return}. */
  String text();

  /**
   * A kernel function, or an instruction inside it.
   *
   * @param name {@code MOD:SYM} or {@code SYM}
   * @param offset in bytes, not negative
   */
  record Symbol(String name, long offset) implements EventLocation {
    @Override
    public String text() {
      return offset == 0 ? name : name + "+" + offset;
    }

    /** Returns the name without its module. */
    public String function() {
      return name.substring(name.indexOf(':') + 1);
    }
  }

  /** A kernel address, unsigned. */
  record Address(long value) implements EventLocation {
    @Override
    public String text() {
      return "0x" + Long.toHexString(value);
    }
  }

  /**
   * An instruction of a program or library.
   *
   * @param offset in bytes from the file's start
   * @param counter the file offset of a reference counter (a USDT semaphore)
   */
  record FileOffset(String path, long offset, OptionalLong counter) implements EventLocation {
    @Override
    public String text() {
      String plain = String.format("%s:0x%016x", path, offset);
      return counter.isEmpty() ? plain : String.format("%s(0x%x)", plain, counter.getAsLong());
    }
  }

  /** A function of a program or library; the kernel takes offsets only. */
  record FileSymbol(String path, String name) implements EventLocation {
    @Override
    public String text() {
      return path + ":" + name;
    }
  }

  /** An event with a record: a static tracepoint. */
  record Event(String category, String name) implements EventLocation {
    @Override
    public String text() {
      return category + "." + name;
    }
  }

  /** A raw tracepoint. */
  record Tracepoint(String name) implements EventLocation {
    @Override
    public String text() {
      return name;
    }
  }
}
