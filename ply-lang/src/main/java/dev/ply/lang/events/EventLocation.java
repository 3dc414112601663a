package dev.ply.lang.events;

import java.util.OptionalLong;

/** Where an event is. */
public sealed interface EventLocation {
  /** Returns the location as definitions write it, without {@code %return}. */
  String text();

  /** Calls the method of a visitor for this kind of location. */
  <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X;

  /** Returns whether this is a tracepoint, which no function's registers are at. */
  default boolean isTracepoint() {
    return false;
  }

  /**
   * What to do with each kind of location.
   *
   * @param <X> what it may throw
   */
  interface Visitor<R, X extends Exception> {
    /** Visits a function of the kernel. */
    R visit(Symbol location) throws X;

    /** Visits an address in the kernel. */
    R visit(Address location) throws X;

    /** Visits an instruction of a file. */
    R visit(FileOffset location) throws X;

    /** Visits a function of a file. */
    R visit(FileSymbol location) throws X;

    /** Visits an event with a record. */
    R visit(Event location) throws X;

    /** Visits a raw tracepoint. */
    R visit(Tracepoint location) throws X;
  }

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

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }
  }

  /** A kernel address, unsigned. */
  record Address(long value) implements EventLocation {
    @Override
    public String text() {
      return "0x" + Long.toHexString(value);
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
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

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }
  }

  /** A function of a program or library; the kernel takes offsets only. */
  record FileSymbol(String path, String name) implements EventLocation {
    @Override
    public String text() {
      return path + ":" + name;
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }
  }

  /** An event with a record: a static tracepoint. */
  record Event(String category, String name) implements EventLocation {
    @Override
    public String text() {
      return category + "." + name;
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }

    @Override
    public boolean isTracepoint() {
      return true;
    }
  }

  /** A raw tracepoint. */
  record Tracepoint(String name) implements EventLocation {
    @Override
    public String text() {
      return name;
    }

    @Override
    public <R, X extends Exception> R accept(Visitor<R, X> visitor) throws X {
      return visitor.visit(this);
    }

    @Override
    public boolean isTracepoint() {
      return true;
    }
  }
}
