package dev.ply.bpf.plan;

import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.btf.TypedLoad;
import dev.ply.bpf.plan.SystemCallPlan.End;
import java.util.List;
import java.util.Optional;

/**
 * The context that the kernel passes to a program, with the facts that code to read it depends on.
 * Follows from how the program is attached.
 */
public sealed interface ProgramContext {
  /** Returns the number of bytes that programs can read, from offset 0. */
  int size();

  /** Returns the BTF types of its 8-byte words, where the verifier knows them. */
  default Optional<TypedFunction> types() {
    return Optional.empty();
  }

  /** Returns the verifier's types of its 8-byte words; empty where they are numbers. */
  default List<TypedLoad> words() {
    return types().map(TypedFunction::words).orElse(List.of());
  }

  /** Calls the visitor's method for this variant. */
  <R> R accept(Visitor<R> visitor);

  /** An operation with one case per variant. */
  interface Visitor<R> {
    /** Handles saved registers. */
    R visit(Registers context);

    /** Handles a tracepoint's record. */
    R visit(TracepointRecord context);

    /** Handles untyped arguments. */
    R visit(RawArguments context);

    /** Handles the arguments of a trampoline. */
    R visit(FunctionArguments context);

    /** Handles the arguments of a trampoline on a syscall's function. */
    R visit(SyscallFunction context);

    /** Handles the arguments of sys_enter and sys_exit. */
    R visit(AllSyscalls context);
  }

  /** The saved registers, struct pt_regs. */
  record Registers(int size) implements ProgramContext {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The record of a tracepoint, with the size of the longest of the clauses' tracepoints. */
  record TracepointRecord(int size) implements ProgramContext {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The arguments of a raw tracepoint, as 8-byte words. */
  record RawArguments() implements ProgramContext {
    /** No tracepoint has more arguments than twelve 8-byte words (MAX_BPF_FUNC_ARGS). */
    static final int SIZE = 12 * Long.BYTES;

    @Override
    public int size() {
      return SIZE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * A function's arguments, 8 bytes each, and its result.
   *
   * @param ends whether the program runs once more after the last object of an iterator
   */
  record FunctionArguments(TypedFunction function, boolean ends) implements ProgramContext {
    @Override
    public int size() {
      return function.words().size() * Long.BYTES;
    }

    @Override
    public Optional<TypedFunction> types() {
      return Optional.of(function);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The argument of the function that implements a syscall, which is the user registers, and its
   * result.
   */
  record SyscallFunction(End end, int number, TypedFunction function) implements ProgramContext {
    @Override
    public int size() {
      return function.words().size() * Long.BYTES;
    }

    @Override
    public Optional<TypedFunction> types() {
      return Optional.of(function);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /**
   * The arguments of sys_enter and sys_exit: the user registers, and the syscall number or result.
   *
   * @param numbers the traced syscalls, sorted
   * @param probe the BTF types of the arguments, where programs can load from the registers
   */
  record AllSyscalls(End end, List<Integer> numbers, Optional<TypedFunction> probe)
      implements ProgramContext {
    public AllSyscalls {
      numbers = List.copyOf(numbers);
    }

    @Override
    public int size() {
      // Probes have no result, but a word for it.
      return probe.map(typed -> (typed.words().size() - 1) * Long.BYTES).orElse(RawArguments.SIZE);
    }

    @Override
    public Optional<TypedFunction> types() {
      return probe;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }
}
