package dev.ply.builtin.catalog;

import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.StackShape;
import dev.ply.builtin.StackWalk;
import dev.ply.builtin.Typing;
import dev.ply.ir.Expr;
import dev.ply.table.StackMode;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.TupleType;
import java.util.List;
import java.util.Optional;

/** Stack traces; mode and depth are constants, mode first. */
public final class StackBuiltins {
  private static final Signature SIGNATURE =
      Signature.NONE
          .optional(Parameter.STACK_SIDES)
          .optional(Parameter.STACK_MODE)
          .optional(Parameter.STACK_MODE)
          .optional(Parameter.DEPTH);

  private static final Signature USER_SIGNATURE =
      Signature.NONE
          .optional(Parameter.STACK_MODE)
          .optional(Parameter.STACK_MODE)
          .optional(Parameter.DEPTH);

  /**
   * The kernel's functions that are being called, the innermost first: {@code stack}, {@code
   * stack(depth)}, {@code stack(mode)}, {@code stack(mode, depth)}; before others {@code both}: on
   * the user stack.
   */
  public static final Builtin STACK =
      new Builtin(SIGNATURE, Effect.PURE, "stack", "kstack") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return trace(call, typing);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "kernel stack of at most 32 frames",
              """
              The kernel stack, one frame per line, innermost first. Empty for threads in user
              space, and in tracepoints of syscalls on older kernels, such as 6.1. The depth is 1 to
              127. Modes are ply, symbol and offset; perf, with the address first; raw, the address
              only; bpftrace, with spaces instead of the tab; and functions, without offsets.

              - stack(both) is the kernel's stack on the user stack, as one key or value: kernel
              frames first. Mode, fp and depth follow; the depth is that of each. len counts the
              frames of both, and $s.kernel and $s.user are its parts. What a thread has no stack
              of, such as the user stack of a kernel thread, is left out.
              - Keys of functions are one row wherever in their functions the calls are. Rows merge
              when the map is read, each aggregation by its own rule; after that they are sorted
              and cut, as by print(@, 5). Functions are the same by name and file, of any process;
              code without a symbol by its address. In the kernel each exact stack is an entry, so
              probes cannot read or delete single entries of such maps.
              """,
              """
              tracepoint:sched:sched_switch { @[stack] = count(); }
              profile:99hz { @cpu[comm, stack(both)] = count(); }
              """,
              "stack",
              "stack(depth)",
              "stack(mode, depth)",
              "stack(both)",
              "stack(functions)");
        }
      };

  /** The user stack, with the syntax of {@link #STACK}. */
  public static final Builtin USTACK =
      new Builtin(USER_SIGNATURE, Effect.PURE, "ustack", "dw_ustack") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return trace(call, typing);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "user stack of at most 127 frames",
              """
              The user stack, one frame per line, innermost first.

              - Depth and modes are those of stack. Also: perf shows the file as well, lines the
              source line (main+4@/src/app.c:12), build_id the build IDs of files and offsets in
              them, for symbolizing elsewhere.
              - Frames are found by the unwind tables of files (.eh_frame) and by what HotSpot tells of
              its compiled code, so neither needs frame pointers; other code is walked by them. Tables
              are read before the first event of a process that is selected by its PID, else when
              the process is first seen: until then, by frame pointers, and the last frame says so. A
              stack that ends early has a last frame in brackets that says why, and is counted.
              ustack(fp) uses frame pointers only.
              - Java frames have the method and line, also of interpreted and inlined methods
              (Hot.middle(int):8 [inlined]), from the memory of the runtime, which does not notice.
              Inlined ones do not count towards the depth. Other JIT-compiled code has the names of
              /tmp/perf-PID.map. A Java runtime whose memory cannot be read (17 or later) is asked to
              write it, unless write_perf_maps is false.
              - Mappings are recorded while the trace runs, so that processes that have exited have
              symbols.

              Each distinct stack is stored once and kept until the trace stops, even when its keys
              are cleared: up to 262,144, or the number of map entries if that is larger. Further
              stacks are lost and reported; fewer frames, as in ustack(8), make fewer distinct
              stacks.
              """,
              """
              profile:99hz { @[comm, ustack] = count(); }
              """,
              "ustack",
              "ustack(depth)",
              "ustack(mode, depth)",
              "ustack(fp)",
              "ustack(functions)");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(STACK, USTACK);

  private StackBuiltins() {}

  /** Returns whether a call has the user stack, alone or below that of the kernel. */
  private static boolean hasUser(Expr.Call call) {
    return call.function() == USTACK || StackShape.isOfBoth(call);
  }

  private static Optional<Type> trace(Expr.Call call, Typing typing) {
    List<Expr> arguments = call.arguments();
    arguments.forEach(typing::apply);
    boolean right = true;
    int walks = 0;
    int first = call.function() == STACK && StackShape.isOfBoth(call) ? 1 : 0;
    int most = first + (hasUser(call) ? 2 : 1);
    int modes = first;
    while (modes < Math.min(most, arguments.size())
        && arguments.get(modes) instanceof Expr.StringLiteral word) {
      boolean isWalk = isWalk(call, word);
      walks += isWalk ? 1 : 0;
      if (modes == first + 1 && walks != 1) {
        // Two modes, or two ways to find frames.
        wrong(call, word, typing);
        right = false;
      } else {
        right &= isWalk || isMode(call, word, typing);
      }
      modes++;
    }
    if (arguments.size() > modes) {
      right &= isDepth(call, arguments.get(modes), typing);
    }
    if (arguments.size() > modes + 1) {
      wrong(call, arguments.get(modes + 1), typing);
      right = false;
    }
    if (!right) {
      return Optional.empty();
    }
    boolean isOfFunctions = StackShape.of(call).mode() == StackMode.FUNCTIONS;
    IntType kernel = IntType.U32.printedAs(isOfFunctions ? IntFormat.FUNCTIONS : IntFormat.STACK);
    IntType user =
        IntType.U64.printedAs(isOfFunctions ? IntFormat.USER_FUNCTIONS : IntFormat.USER_STACK);
    return Optional.of(
        call.function() == USTACK
            ? user
            : StackShape.isOfBoth(call) ? TupleType.ofStacks(kernel, user) : kernel);
  }

  private static boolean isWalk(Expr.Call call, Expr.StringLiteral word) {
    return hasUser(call) && StackWalk.named(word.value()).isPresent();
  }

  private static boolean isMode(Expr.Call call, Expr.StringLiteral name, Typing typing) {
    Optional<StackMode> mode = StackMode.named(name.value());
    boolean isOfFiles = mode.equals(Optional.of(StackMode.BUILD_ID));
    boolean known = mode.isPresent() && (call.function() == USTACK || !isOfFiles);
    if (name.value().equals(StackShape.BOTH)) {
      misplaced(name, typing);
      return false;
    }
    if (isOfFiles && !known) {
      typing
          .diagnostics()
          .error(
              TYPE_MISMATCH,
              name.span(),
              "kernel functions have no build ID",
              "ustack(build_id) shows user stacks by build ID");
    } else if (!known) {
      typing
          .diagnostics()
          .error(
              TYPE_MISMATCH,
              name.span(),
              "a stack trace cannot be printed as \"" + name.value() + "\"",
              "modes are ply, bpftrace, lines, perf, raw, functions"
                  + (hasUser(call)
                      ? (call.function() == USTACK ? ", build_id" : "")
                          + "; fp finds frames by frame pointers"
                      : "; ustack is the stack of the process, stack(both) has the two"));
    }
    return known;
  }

  private static boolean isDepth(Expr.Call call, Expr depth, Typing typing) {
    if (!(depth instanceof Expr.IntLiteral literal)) {
      wrong(call, depth, typing);
      return false;
    }
    if (literal.value() < 1 || literal.value() > StackShape.DEEPEST) {
      typing
          .diagnostics()
          .error(
              OUT_OF_RANGE,
              depth.span(),
              "a stack trace cannot have " + Long.toUnsignedString(literal.value()) + " frames",
              "1 to " + StackShape.DEEPEST + " can");
      return false;
    }
    return true;
  }

  private static void misplaced(Expr both, Typing typing) {
    typing
        .diagnostics()
        .error(
            TYPE_MISMATCH,
            both.span(),
            "\"both\" is the first word of stack(…)",
            "write stack(both), stack(both, 5) or stack(both, functions)");
  }

  private static void wrong(Expr.Call call, Expr argument, Typing typing) {
    if (argument instanceof Expr.StringLiteral word && word.value().equals(StackShape.BOTH)) {
      misplaced(argument, typing);
      return;
    }
    String name = call.function().canonicalName();
    typing
        .diagnostics()
        .error(
            TYPE_MISMATCH,
            argument.span(),
            "unknown mode of stack traces",
            "write " + name + "(5) for five frames, or " + name + "(perf, 5)");
  }
}
