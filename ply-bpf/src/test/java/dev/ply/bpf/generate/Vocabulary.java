package dev.ply.bpf.generate;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.catalog.Builtins;
import dev.ply.builtin.catalog.CgroupBuiltins;
import dev.ply.builtin.catalog.ClockBuiltins;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.builtin.catalog.ErrorBuiltins;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.NetworkBuiltins;
import dev.ply.builtin.catalog.ThreadBuiltins;
import dev.ply.builtin.catalog.TypeBuiltins;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.machine.Architecture;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a clause on one place can speak of, from which everything else is made. What the language
 * learns goes in here.
 */
final class Vocabulary {
  /** Where the kernel has its context nobody can say. */
  private static final Set<Builtin> NOWHERE =
      Set.of(
          ContextBuiltins.CTX,
          ContextBuiltins.PROBE,
          ContextBuiltins.PROBETYPE,
          ContextBuiltins.FUNC,
          ThreadBuiltins.RAND);

  private final AttachPoint point;
  private final Surroundings surroundings;
  private final List<Expr> numbers = new ArrayList<>();
  private final List<Expr> texts = new ArrayList<>();
  private final List<Expr> structures = new ArrayList<>();

  /** Returns whether the time at which a clause runs is known. */
  boolean knowsTime() {
    return surroundings.allows(ClockBuiltins.NSECS);
  }

  Vocabulary(AttachPoint point, Surroundings surroundings) {
    this.point = point;
    this.surroundings = surroundings;
    for (Builtin function : Builtins.all()) {
      if (surroundings.allows(function)) {
        add(function);
      }
    }
    for (String name : StageTypes.names()) {
      numbers.add(new Expr.NamedConstant(name, SourceSpan.NONE));
    }
    if (point instanceof KernelProbe.Kprobe) {
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

  /** Returns what prints as a structure, or as a string that user space decodes. */
  List<Expr> structures() {
    return List.copyOf(structures);
  }

  private void add(Builtin function) {
    if (NOWHERE.contains(function) || function.availability().reasonAgainst(point).isPresent()) {
      return;
    }
    if (function instanceof Builtin.Value value) {
      (value.type().isText() ? texts : numbers).add(call(function));
    } else if (function == CgroupBuiltins.CGROUP_PATH) {
      numbers.add(call(function, call(ThreadBuiltins.UID)));
    } else if (function.signature().has(Parameter.PID_SCOPE)) {
      numbers.add(call(function));
      numbers.add(call(function, new Expr.StringLiteral("init", SourceSpan.NONE)));
      numbers.add(call(function, new Expr.StringLiteral("curr_ns", SourceSpan.NONE)));
    } else if (function.signature().has(Parameter.CLOCK)) {
      numbers.add(call(function));
      numbers.add(call(function, new Expr.StringLiteral("monotonic", SourceSpan.NONE)));
    } else if (function.signature().has(Parameter.STACK_MODE)) {
      numbers.add(call(function));
      numbers.add(call(function, literal(3)));
      numbers.add(call(function, new Expr.StringLiteral("perf", SourceSpan.NONE), literal(1)));
    } else if (function.signature().has(Parameter.ADDRESS)) {
      addMemory(function);
    } else {
      addOfContext(function);
    }
  }

  /** Functions of strings and numbers are for expressions. */
  private void addOfContext(Builtin function) {
    if (function instanceof TypeBuiltins.Predicate) {
      numbers.add(call(function, call(ThreadBuiltins.KPID)));
    } else if (function == CgroupBuiltins.IN_CGROUP) {
      numbers.add(
          call(function, new Expr.StringLiteral("/sys/fs/cgroup/system.slice", SourceSpan.NONE)));
    } else if (function == ThreadBuiltins.USERNAME
        || function == CgroupBuiltins.CONTAINER
        || function == CgroupBuiltins.POD) {
      structures.add(call(function));
    } else if (function == ClockBuiltins.TIME) {
      numbers.add(call(function));
    } else if (function == NetworkBuiltins.BSWAP || function == ErrorBuiltins.IS_ERR) {
      numbers.add(call(function, call(ThreadBuiltins.KPID)));
    } else if (function == NetworkBuiltins.NTOP
        || function == ErrorBuiltins.STRERROR
        || function == ErrorBuiltins.SIGNAL_NAME
        || function == ErrorBuiltins.SYSCALL_NAME
        || function == ThreadBuiltins.COMM_OF) {
      structures.add(call(function, call(ThreadBuiltins.KPID)));
    } else if (function == ClockBuiltins.STRFTIME) {
      Expr pattern = new Expr.StringLiteral("%F %T.%f", SourceSpan.NONE);
      structures.add(call(function, pattern, call(ThreadBuiltins.KPID)));
    } else if (function == ContextBuiltins.RETVAL) {
      if (point instanceof KernelProbe.Kretprobe) {
        numbers.add(call(function));
      }
    } else if (function == ContextBuiltins.CALLER) {
      if (surroundings.architecture().programCounterOffset() + 8 <= surroundings.contextBytes()) {
        numbers.add(call(function));
      }
    } else if (function == ContextBuiltins.REGS) {
      // Those that a timer interrupts are the machine's choice.
      if (!Stage.CLOCKS.contains(point)) {
        addRegisters();
      }
    } else if (function == ContextBuiltins.DATA) {
      addFields();
    } else if (function == MemoryBuiltins.DYN) {
      texts.add(call(function, member(ContextBuiltins.DATA, "label")));
      texts.add(call(function, member(ContextBuiltins.DATA, "label"), literal(3)));
      texts.add(call(function, member(ContextBuiltins.DATA, "label"), literal(16)));
      texts.add(call(MemoryBuiltins.STR, member(ContextBuiltins.DATA, "label"), literal(8)));
    }
  }

  private boolean isTracepoint() {
    return point instanceof AttachPoint.Tracepoint;
  }

  private void addRegisters() {
    Architecture architecture = surroundings.architecture();
    for (String name : architecture.registers()) {
      int end = architecture.registerOffset(name).orElseThrow() + architecture.wordSize();
      if (end <= surroundings.contextBytes()) {
        numbers.add(member(ContextBuiltins.REGS, name));
      }
    }
    if (architecture.registersSize() <= surroundings.contextBytes()) {
      addStructure(ContextBuiltins.REGS);
    }
  }

  private void addFields() {
    for (int bits = 8; bits <= 64; bits *= 2) {
      numbers.add(member(ContextBuiltins.DATA, "s" + bits));
      numbers.add(member(ContextBuiltins.DATA, "u" + bits));
    }
    numbers.add(member(ContextBuiltins.DATA, "common_pid"));
    numbers.add(member(ContextBuiltins.DATA, "common_type"));
    numbers.add(member(ContextBuiltins.DATA, "path"));
    texts.add(member(ContextBuiltins.DATA, "tag"));
    texts.add(member(ContextBuiltins.DATA, "name"));
    numbers.add(element(member(ContextBuiltins.DATA, "tag"), 0));
    numbers.add(element(member(ContextBuiltins.DATA, "tag"), 4));
    numbers.add(element(member(ContextBuiltins.DATA, "name"), 9));
    addStructure(ContextBuiltins.DATA);
  }

  /** The structure, and the pointer to it, which prints where the kernel has it. */
  private void addStructure(Builtin pointer) {
    structures.add(pointed(pointer));
    if (surroundings.allows(ContextBuiltins.CTX)) {
      structures.add(call(pointer));
    }
  }

  /** Reads of what a pointer points to, in the process and in the kernel, where it is nothing. */
  private void addMemory(Builtin function) {
    if (!isTracepoint()) {
      return;
    }
    Expr path = member(ContextBuiltins.DATA, "path");
    Expr there = call(MemoryBuiltins.UPTR, path);
    if (function == MemoryBuiltins.STR) {
      texts.add(call(function, there));
      texts.add(call(function, there, literal(3)));
      texts.add(call(function, there, literal(1)));
      texts.add(call(function, path, literal(8)));
      texts.add(call(function, there, member(ContextBuiltins.DATA, "s8")));
    } else if (function == MemoryBuiltins.MEM) {
      texts.add(call(function, there, literal(4)));
      texts.add(call(function, path, literal(2)));
    } else if (function == MemoryBuiltins.BUF) {
      structures.add(call(function, there, literal(5)));
      structures.add(call(function, path, member(ContextBuiltins.DATA, "u8")));
      structures.add(call(function, there, upTo15(member(ContextBuiltins.DATA, "s16"))));
      structures.add(call(function, member(ContextBuiltins.DATA, "name")));
      structures.add(call(function, member(ContextBuiltins.DATA, "tag"), literal(3)));
    } else if (function == MemoryBuiltins.WORDS) {
      structures.add(call(function, there, literal(5)));
      structures.add(call(function, there, upTo15(member(ContextBuiltins.DATA, "s16"))));
    } else if (function == MemoryBuiltins.UPTR) {
      numbers.add(there);
    } else if (function == MemoryBuiltins.KPTR) {
      numbers.add(call(function, path));
    }
  }

  /** What follows a string in memory is unknown: strings have 16 bytes or more. */
  private static Expr upTo15(Expr number) {
    return new Expr.Binary(BinaryOp.AND, number, literal(15), SourceSpan.NONE);
  }

  private static Expr literal(long value) {
    return new Expr.IntLiteral(value, SourceSpan.NONE);
  }

  private static Expr call(Builtin function, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), SourceSpan.NONE);
  }

  private static Expr element(Expr array, int index) {
    return new Expr.Element(array, literal(index), SourceSpan.NONE);
  }

  private static Expr pointed(Builtin pointer) {
    return new Expr.Unary(UnaryOp.DEREFERENCE, call(pointer), SourceSpan.NONE);
  }

  private static Expr member(Builtin context, String name) {
    return new Expr.Member(
        call(context), Expr.Member.Access.ARROW, name, SourceSpan.NONE, SourceSpan.NONE);
  }
}
