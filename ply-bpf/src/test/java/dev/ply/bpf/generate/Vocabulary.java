package dev.ply.bpf.generate;

import dev.ply.ir.AttachPoint;
import dev.ply.ir.Expr;
import dev.ply.ir.Intrinsic;
import dev.ply.ir.SourceSpan;
import dev.ply.ir.UnaryOp;
import dev.ply.target.Architecture;
import java.util.ArrayList;
import java.util.List;

/**
 * What a clause on one place can speak of, from which everything else is made. What the language
 * learns goes in here.
 */
final class Vocabulary {
  private final AttachPoint point;
  private final Surroundings surroundings;
  private final List<Expr> numbers = new ArrayList<>();
  private final List<Expr> texts = new ArrayList<>();
  private final List<Expr> structures = new ArrayList<>();

  Vocabulary(AttachPoint point, Surroundings surroundings) {
    this.point = point;
    this.surroundings = surroundings;
    for (Intrinsic function : Intrinsic.values()) {
      if (surroundings.allows(function)) {
        add(function);
      }
    }
    for (String name : StageTypes.names()) {
      numbers.add(new Expr.NamedConstant(name, SourceSpan.NONE));
    }
    if (point instanceof AttachPoint.Kprobe) {
      for (int i = 0; i < surroundings.architecture().argumentRegisters(); i++) {
        numbers.add(new Expr.Argument(i, SourceSpan.NONE));
      }
    }
  }

  AttachPoint point() {
    return point;
  }

  /** Returns built-in numbers, at least one. */
  List<Expr> numbers() {
    return List.copyOf(numbers);
  }

  /** Returns built-in texts, at least one. */
  List<Expr> texts() {
    return List.copyOf(texts);
  }

  /** Returns what prints as a structure. */
  List<Expr> structures() {
    return List.copyOf(structures);
  }

  private void add(Intrinsic function) {
    switch (function) {
      case PID, KPID, UID, GID, CPU, TIME, WALLTIME, NSECS -> numbers.add(call(function));
      case STACK, USTACK -> {
        numbers.add(call(function));
        numbers.add(call(function, literal(3)));
        numbers.add(call(function, new Expr.StringLiteral("perf", SourceSpan.NONE), literal(1)));
      }
      case COMM -> texts.add(call(function));
      case RETVAL -> {
        if (point instanceof AttachPoint.Kretprobe) {
          numbers.add(call(function));
        }
      }
      case CALLER -> {
        if (point instanceof AttachPoint.Kprobe
            && surroundings.architecture().programCounterOffset() + 8
                <= surroundings.contextBytes()) {
          numbers.add(call(function));
        }
      }
      case REGS -> addRegisters();
      case DATA -> addFields();
      case STR, MEM, UPTR, KPTR -> addMemory(function);
      case DYN -> {
        if (isTracepoint()) {
          texts.add(call(function, member(Intrinsic.DATA, "label")));
          texts.add(call(function, member(Intrinsic.DATA, "label"), literal(3)));
          texts.add(call(function, member(Intrinsic.DATA, "label"), literal(16)));
        }
      }
      // What only makes something of other values, or does something, is for expressions and
      // statements; where the kernel has its context nobody can say.
      case STRCMP, PRINT, PRINTF, CLEAR, EXIT, CTX, PROBE, KADDR, KSYM -> {}
    }
  }

  private boolean isTracepoint() {
    return point instanceof AttachPoint.Tracepoint;
  }

  private void addRegisters() {
    if (!(point instanceof AttachPoint.Kprobe || point instanceof AttachPoint.Kretprobe)) {
      return;
    }
    Architecture architecture = surroundings.architecture();
    for (String name : architecture.registers()) {
      int end = architecture.registerOffset(name).orElseThrow() + architecture.wordSize();
      if (end <= surroundings.contextBytes()) {
        numbers.add(member(Intrinsic.REGS, name));
      }
    }
    if (architecture.registersSize() <= surroundings.contextBytes()) {
      addStructure(Intrinsic.REGS);
    }
  }

  private void addFields() {
    if (!isTracepoint()) {
      return;
    }
    for (int bits = 8; bits <= 64; bits *= 2) {
      numbers.add(member(Intrinsic.DATA, "s" + bits));
      numbers.add(member(Intrinsic.DATA, "u" + bits));
    }
    numbers.add(member(Intrinsic.DATA, "common_pid"));
    numbers.add(member(Intrinsic.DATA, "common_type"));
    numbers.add(member(Intrinsic.DATA, "path"));
    texts.add(member(Intrinsic.DATA, "tag"));
    texts.add(member(Intrinsic.DATA, "name"));
    numbers.add(element(member(Intrinsic.DATA, "tag"), 0));
    numbers.add(element(member(Intrinsic.DATA, "tag"), 4));
    numbers.add(element(member(Intrinsic.DATA, "name"), 9));
    addStructure(Intrinsic.DATA);
  }

  /** The structure, and the pointer to it, which prints where the kernel has it. */
  private void addStructure(Intrinsic pointer) {
    structures.add(pointed(pointer));
    if (surroundings.allows(Intrinsic.CTX)) {
      structures.add(call(pointer));
    }
  }

  /** Reads of what a pointer points to, in the process and in the kernel, where it is nothing. */
  private void addMemory(Intrinsic function) {
    if (!isTracepoint()) {
      return;
    }
    Expr path = member(Intrinsic.DATA, "path");
    Expr there = call(Intrinsic.UPTR, path);
    switch (function) {
      case STR -> {
        texts.add(call(function, there));
        texts.add(call(function, there, literal(3)));
        texts.add(call(function, there, literal(1)));
        texts.add(call(function, path, literal(8)));
      }
      case MEM -> {
        texts.add(call(function, there, literal(4)));
        texts.add(call(function, path, literal(2)));
      }
      case UPTR -> numbers.add(there);
      default -> numbers.add(call(Intrinsic.KPTR, path));
    }
  }

  private static Expr literal(long value) {
    return new Expr.IntLiteral(value, SourceSpan.NONE);
  }

  private static Expr call(Intrinsic function, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), SourceSpan.NONE);
  }

  private static Expr element(Expr array, int index) {
    return new Expr.Element(array, literal(index), SourceSpan.NONE);
  }

  private static Expr pointed(Intrinsic pointer) {
    return new Expr.Unary(UnaryOp.DEREFERENCE, call(pointer), SourceSpan.NONE);
  }

  private static Expr member(Intrinsic context, String name) {
    return new Expr.Member(
        call(context), Expr.Member.Access.ARROW, name, SourceSpan.NONE, SourceSpan.NONE);
  }
}
