package dev.ply.lang.events;

import dev.ply.diagnostic.SourceSpan;
import java.util.List;

/** The value that a fetch argument reads. */
public sealed interface Fetch {
  /** Returns whether the value is read from memory. */
  default boolean isInMemory() {
    return false;
  }

  /** Returns whether the value is what memory of user space contains. */
  default boolean isInUserMemory() {
    return false;
  }

  /** Returns the index of the kernel's last operation for this value. */
  default int operations() {
    return isInMemory() ? 1 : 0;
  }

  /** Returns whether the value is a string itself, and no address of one. */
  default boolean isString() {
    return false;
  }

  /** {@code %REG}: a register, by the kernel's name. */
  record Register(String name) implements Fetch {}

  /** {@code @ADDR}: memory at an address. */
  record Memory(long address) implements Fetch {
    @Override
    public boolean isInMemory() {
      return true;
    }
  }

  /** {@code @SYM+OFFS}: memory at a kernel symbol. */
  record SymbolMemory(String symbol, long offset) implements Fetch {
    @Override
    public int operations() {
      return 2;
    }

    @Override
    public boolean isInMemory() {
      return true;
    }
  }

  /** {@code @+OFFS}: memory mapped from the probed file. */
  record FileMemory(long offset) implements Fetch {
    @Override
    public boolean isInMemory() {
      return true;
    }
  }

  /** {@code $stackN}: an entry of the stack, from 0. */
  record StackEntry(int index) implements Fetch {}

  /** {@code $stack}: the stack pointer. */
  record StackPointer() implements Fetch {}

  /** {@code $retval}: the result. */
  record ReturnValue(List<Step> path) implements Fetch {
    public ReturnValue {
      path = List.copyOf(path);
    }

    @Override
    public boolean isInMemory() {
      return !path.isEmpty();
    }
  }

  /** {@code $comm}: the thread's name. */
  record ThreadName() implements Fetch {
    @Override
    public boolean isString() {
      return true;
    }
  }

  /** {@code $argN}: an argument of the function, from 1. */
  record Argument(int number) implements Fetch {}

  /**
   * {@code $NAME}: a field of the record that an event probe is on.
   *
   * @param span the position of the whole argument, where the kernel's errors are
   */
  record Field(String name, SourceSpan span) implements Fetch {}

  /** {@code $arg*}: all arguments of the function. */
  record AllArguments() implements Fetch {}

  /**
   * A parameter by name, or a member that it leads to.
   *
   * @param span the position of the name
   */
  record Parameter(String name, List<Step> path, SourceSpan span) implements Fetch {
    public Parameter {
      path = List.copyOf(path);
    }

    @Override
    public boolean isInMemory() {
      return !path.isEmpty();
    }
  }

  /** {@code +OFFS(FETCH)}: memory at an address that is fetched. */
  record Dereference(Fetch address, long offset, boolean isUser) implements Fetch {
    @Override
    public int operations() {
      return address.operations() + 1;
    }

    @Override
    public boolean isInMemory() {
      return true;
    }

    @Override
    public boolean isInUserMemory() {
      return isUser;
    }
  }

  /** {@code \IMM}: a constant. */
  record Immediate(long value) implements Fetch {}

  /** {@code \"STR"}: a string constant. */
  record ImmediateString(String value) implements Fetch {
    @Override
    public boolean isString() {
      return true;
    }
  }

  /**
   * A step to a member.
   *
   * @param isArrow {@code ->} before the name, else {@code .}
   */
  record Step(String member, boolean isArrow, SourceSpan span) {}
}
