package dev.ply.bpf.plan;

import dev.ply.bpf.btf.TypedFunction;
import dev.ply.bpf.btf.TypedLoad;
import dev.ply.bpf.plan.SystemCallPlan.End;
import java.util.List;
import java.util.Optional;

/**
 * What the kernel hands to a program, with the facts that code depends on which reads it. It
 * follows from how the program is attached.
 */
public sealed interface ProgramContext {
  /** Returns how many bytes of it programs may read, from offset 0. */
  int size();

  /** Returns the BTF types of its 8-byte words, where the kernel's verifier knows them. */
  default Optional<TypedFunction> types() {
    return Optional.empty();
  }

  /** Returns what the kernel's verifier takes its 8-byte words for; empty where it is numbers. */
  default List<TypedLoad> words() {
    return types().map(TypedFunction::words).orElse(List.of());
  }

  /** Calls the visitor's method for this variant. */
  <R> R accept(Visitor<R> visitor);

  /** Something to do for each variant. */
  interface Visitor<R> {
    /** Handles saved registers. */
    R visit(Registers context);

    /** Handles a tracepoint's record. */
    R visit(TracepointRecord context);

    /** Handles untyped arguments. */
    R visit(RawArguments context);

    /** Handles what a trampoline hands over. */
    R visit(FunctionArguments context);

    /** Handles what a trampoline on the function of a system call hands over. */
    R visit(SyscallFunction context);

    /** Handles what the tracepoint of all system calls hands over. */
    R visit(AllSyscalls context);
  }

  /** The saved registers, struct pt_regs. */
  record Registers(int size) implements ProgramContext {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.visit(this);
    }
  }

  /** The record of a tracepoint, as long as the longest of the clauses' tracepoints. */
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

  /** A function's arguments, an 8-byte word each, and then its result. */
  record FunctionArguments(TypedFunction function) implements ProgramContext {
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

  /** The argument of the function that implements a system call: the caller's registers. */
  record SyscallFunction(int number, TypedFunction function) implements ProgramContext {
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
   * The arguments of the tracepoint of all system calls: the caller's registers, and the number of
   * the call or its result.
   *
   * @param numbers the system calls that the program is for, sorted
   * @param probe the types of the tracepoint's probes, where programs may load from the registers
   */
  record AllSyscalls(End end, List<Integer> numbers, Optional<TypedFunction> probe)
      implements ProgramContext {
    public AllSyscalls {
      numbers = List.copyOf(numbers);
    }

    @Override
    public int size() {
      // Probes return nothing, but have a word for it.
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
