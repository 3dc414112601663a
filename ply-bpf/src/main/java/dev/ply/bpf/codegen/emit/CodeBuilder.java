package dev.ply.bpf.codegen.emit;

import dev.ply.bpf.codegen.Reporting;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.WideSource;
import dev.ply.bpf.isa.Width;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects the instructions of one program, over virtual registers. */
public final class CodeBuilder {
  /**
   * The limit for one program, in instructions, counting marks: the kernel's verifier follows a
   * million, and each takes time and memory to compile.
   */
  static final int MOST_EMITTED = 100_000;

  /** The number of instructions after which deferred blocks are emitted. */
  private static final int MOST_BEFORE_DEFERRED = 6000;

  /** The number of bytes from which a helper copies and zeroes. */
  private static final int MOST_BY_WORDS = 1024;

  private final ByteOrder order;
  private final List<CompiledFunction> functions = new ArrayList<>();
  private List<Instruction> code = new ArrayList<>();
  private List<Runnable> outOfLine = new ArrayList<>();
  private int registers = Register.FIRST_VIRTUAL;
  private int labels;

  /** The size of the code after the last deferred blocks in it. */
  private int lastPlaced;

  private SourceSpan position = SourceSpan.NONE;
  private SourceSpan expression = SourceSpan.NONE;

  /** The instructions so far, those of functions included. */
  private int emitted;

  private Optional<ErrorReports> errors = Optional.empty();
  private Optional<ErrorReports> computations = Optional.empty();

  /** An argument of a helper call, which can be loaded into a register. */
  @FunctionalInterface
  public interface Argument {
    /** Loads the argument into {@code register}. */
    void load(Register register);
  }

  /**
   * Starts a program.
   *
   * @param order the byte order of memory
   */
  public CodeBuilder(ByteOrder order) {
    this.order = order;
  }

  /** Returns a new virtual register. */
  public Register fresh() {
    return new Register(registers++);
  }

  /** Returns a new label, whose name begins with its purpose. */
  public Label label(String purpose) {
    return new Label(purpose + "_" + labels++);
  }

  /** Emits an instruction. */
  public void emit(Instruction instruction) {
    if (++emitted > MOST_EMITTED) {
      throw tooComplex(
          "the code of this probe's clauses is longer than "
              + MOST_EMITTED
              + " instructions from here on",
          "use a loop, for ($i : 0..100) { … }, which has the code of one iteration; or fewer"
              + " clauses, or several scripts");
    }
    code.add(instruction);
  }

  private CompilationException tooComplex(String message, String hint) {
    return new CompilationException(
        List.of(
            new Diagnostic(
                Severity.ERROR, DiagnosticCode.TOO_COMPLEX, expression, message, List.of(hint))));
  }

  /** Has the following code report what fails in it. */
  public void report(Reporting what, ErrorReports reports) {
    errors = what == Reporting.ALL ? Optional.of(reports) : Optional.empty();
    computations = what == Reporting.NONE ? Optional.empty() : Optional.of(reports);
  }

  /** Returns the reports of what the script computes, if there are any. */
  public Optional<ErrorReports> computations() {
    return computations;
  }

  /** Returns the reports of calls, if there are any. */
  public Optional<ErrorReports> errors() {
    return errors;
  }

  /** Emits a block whose failing helpers are not errors of the script. */
  public void withoutErrors(Runnable block) {
    Optional<ErrorReports> outer = errors;
    errors = Optional.empty();
    block.run();
    errors = outer;
  }

  /** Emits an expression: what fails in it is reported at its position. */
  public void within(SourceSpan span, Runnable block) {
    SourceSpan outer = expression;
    expression = span.isKnown() ? span : outer;
    block.run();
    expression = outer;
  }

  /** Emits an expression as {@link #within} does, and returns where its value is. */
  public <T> T valueWithin(SourceSpan span, Supplier<T> block) {
    SourceSpan outer = expression;
    expression = span.isKnown() ? span : outer;
    T value = block.get();
    expression = outer;
    return value;
  }

  /** Returns the position of the expression that is being emitted. */
  SourceSpan expression() {
    return expression;
  }

  /** Sets the source position of the following instructions. */
  public void mark(SourceSpan span) {
    if (span.isKnown()) {
      expression = span;
    }
    if (span.isKnown() && !span.equals(position)) {
      position = span;
      emit(new Instruction.SourceMark(span));
    }
  }

  /** Puts a label before the next instruction. */
  public void place(Label label) {
    emit(new Instruction.LabelMark(label));
  }

  /**
   * Defers {@code block} to after the program's end, to keep rarely taken paths out of the common
   * one.
   */
  public void outOfLine(Runnable block) {
    SourceSpan span = position;
    SourceSpan inner = expression;
    outOfLine.add(
        () -> {
          mark(span);
          expression = inner;
          block.run();
        });
  }

  /**
   * Between two statements: emits deferred blocks here if the code since the last ones is long, so
   * that jumps reach them.
   */
  public void placeOutOfLine() {
    if (outOfLine.isEmpty() || code.size() - lastPlaced < MOST_BEFORE_DEFERRED) {
      return;
    }
    Label over = label("over");
    jump(over);
    emitDeferred();
    place(over);
    position = SourceSpan.NONE;
    lastPlaced = code.size();
  }

  /** Returns the finished code. */
  public List<Instruction> finish() {
    emitDeferred();
    return List.copyOf(code);
  }

  private void emitDeferred() {
    for (int i = 0; i < outOfLine.size(); i++) {
      outOfLine.get(i).run();
    }
    outOfLine.clear();
  }

  /** Returns what a block emits, deferred blocks included, instead of adding it to the program. */
  public List<Instruction> apart(Runnable block) {
    List<Instruction> outer = code;
    List<Runnable> outerDeferred = outOfLine;
    SourceSpan outerPosition = position;
    int outerPlaced = lastPlaced;
    lastPlaced = 0;
    code = new ArrayList<>();
    outOfLine = new ArrayList<>();
    position = SourceSpan.NONE;
    block.run();
    List<Instruction> own = finish();
    code = outer;
    outOfLine = outerDeferred;
    position = outerPosition;
    lastPlaced = outerPlaced;
    return own;
  }

  /** Leaves the program or function with a result. */
  public void exit(int result) {
    move(Register.R0, new Immediate(result));
    emit(new Instruction.Exit());
  }

  /** Adds a function to the program. */
  public void define(CompiledFunction function) {
    functions.add(function);
  }

  /** Returns the functions beside the main one, in the order of their definition. */
  public List<CompiledFunction> functions() {
    return List.copyOf(functions);
  }

  /** Returns the number of the next register, above those of all registers so far. */
  int nextRegister() {
    return registers;
  }

  /** The address of a function of the program. */
  public Argument function(Label entry) {
    return register -> emit(new Instruction.LoadWide(register, new WideSource.Function(entry)));
  }

  /** Emits {@code dst op= src}; in 32 bits, the upper half of {@code dst} becomes zero. */
  public void alu(Width width, AluOp op, Register dst, Operand src) {
    emit(new Instruction.Alu(width, op, dst, src));
  }

  /** Emits {@code dst op= value}; the constant is sign-extended to {@code width}. */
  public void alu(Width width, AluOp op, Register dst, int value) {
    alu(width, op, dst, new Immediate(value));
  }

  /** Emits a move of 64 bits. */
  public void move(Register dst, Operand src) {
    alu(Width.W64, AluOp.MOV, dst, src);
  }

  /** Sets a register to a constant by the shortest instruction. */
  public void constant(Register dst, long value) {
    if (value == (int) value) {
      move(dst, new Immediate((int) value));
    } else if (value == (value & 0xffff_ffffL)) {
      alu(Width.W32, AluOp.MOV, dst, (int) value);
    } else {
      emit(new Instruction.LoadWide(dst, new WideSource.Constant(value)));
    }
  }

  /** Emits a load of {@code size} bytes, zero-extended to 64 bits. */
  public void load(Size size, Register dst, Place from) {
    requireReach(from);
    emit(new Instruction.Load(size, Extension.ZERO, dst, from.base(), from.offset()));
  }

  /** Emits a store of the low {@code size} bytes of {@code src}. */
  public void store(Size size, Place to, Operand src) {
    requireReach(to);
    emit(new Instruction.Store(size, to.base(), to.offset(), src));
  }

  /** An instruction's offset has 16 bits: what is written with longer strings has no code. */
  private void requireReach(Place place) {
    if (place.offset() != (short) place.offset()) {
      throw tooComplex(
          "the strings here take more than the "
              + -Short.MIN_VALUE
              + " bytes that a program reaches",
          "use shorter strings, or several statements");
    }
  }

  /** Emits an unconditional jump. */
  public void jump(Label target) {
    emit(new Instruction.Goto(target));
  }

  /** Emits a jump that is taken if {@code left op right} holds in {@code width}. */
  public void jump(Width width, JumpOp op, Register left, Operand right, Label target) {
    emit(new Instruction.Jump(width, op, left, right, target));
  }

  /** Jumps if a pointer is null. */
  public void jumpIfNull(Register pointer, Label target) {
    jump(Width.W64, JumpOp.JEQ, pointer, new Immediate(0), target);
  }

  /** Jumps if a pointer is not null. */
  public void jumpIfNotNull(Register pointer, Label target) {
    jump(Width.W64, JumpOp.JNE, pointer, new Immediate(0), target);
  }

  /** Calls a helper and discards its result. */
  public void call(Helper helper, Argument... arguments) {
    if (errors.isPresent() && ErrorReports.isChecked(helper)) {
      callForResult(helper, arguments);
    } else {
      emitCall(helper, arguments);
    }
  }

  private void emitCall(Helper helper, Argument... arguments) {
    for (int i = 0; i < arguments.length; i++) {
      arguments[i].load(Register.argument(i + 1));
    }
    emit(new Instruction.CallHelper(helper.number()));
  }

  /** Calls a helper and returns its result in a new register. */
  public Register callForResult(Helper helper, Argument... arguments) {
    emitCall(helper, arguments);
    Register result = fresh();
    move(result, Register.R0);
    if (ErrorReports.isChecked(helper)) {
      errors.ifPresent(reports -> reports.check(helper, result));
    }
    return result;
  }

  /** Returns a helper argument: the map of this name. */
  public Argument map(String name) {
    return register -> emit(new Instruction.LoadWide(register, new WideSource.Map(name)));
  }

  /** The address of a byte in the only value of an array. */
  public Argument mapValue(String name, int offset) {
    return register ->
        emit(new Instruction.LoadWide(register, new WideSource.MapValue(name, offset)));
  }

  /** Returns a helper argument: the address of a storage location. */
  public Argument address(Place place) {
    return register -> {
      move(register, place.base());
      if (place.offset() != 0) {
        alu(Width.W64, AluOp.ADD, register, place.offset());
      }
    };
  }

  /** Returns a helper argument: a register or a constant. */
  public Argument value(Operand operand) {
    return register -> move(register, operand);
  }

  /** Returns a helper argument: a constant, sign-extended to 64 bits. */
  public Argument value(int value) {
    return value(new Immediate(value));
  }

  /** Zeroes {@code size} bytes. */
  public void zero(Place to, int size) {
    if (size > MOST_BY_WORDS) {
      // The helper zeroes what it cannot read.
      emitCall(Helper.PROBE_READ_KERNEL, address(to), value(size), value(0));
      return;
    }
    int done = 0;
    while (done < size) {
      int chunk = chunk(to.plus(done).alignment(), size - done);
      store(Size.ofBytes(chunk), to.plus(done), new Immediate(0));
      done += chunk;
    }
  }

  /** Copies {@code size} bytes. */
  public void copy(Place from, Place to, int size) {
    if (size > MOST_BY_WORDS) {
      emitCall(Helper.PROBE_READ_KERNEL, address(to), value(size), address(from));
      return;
    }
    int done = 0;
    while (done < size) {
      int alignment = Math.min(from.plus(done).alignment(), to.plus(done).alignment());
      int chunk = chunk(alignment, size - done);
      Register word = fresh();
      load(Size.ofBytes(chunk), word, from.plus(done));
      store(Size.ofBytes(chunk), to.plus(done), word);
      done += chunk;
    }
  }

  /** Writes {@code bytes}, as 64-bit constants where alignment allows. */
  public void storeBytes(Place to, byte[] bytes) {
    int used = bytes.length;
    while (used > 0 && bytes[used - 1] == 0) {
      used--;
    }
    int words = Math.min(bytes.length, (used + 7) & -8);
    int end = bytes.length - words > MOST_BY_WORDS ? words : bytes.length;
    zero(to.plus(end), bytes.length - end);
    int done = 0;
    while (done < end) {
      int chunk = chunk(to.plus(done).alignment(), end - done);
      long word = word(bytes, done, chunk);
      Place at = to.plus(done);
      if (chunk < 8 || word == (int) word) {
        store(Size.ofBytes(chunk), at, new Immediate((int) word));
      } else {
        Register constant = fresh();
        constant(constant, word);
        store(Size.DW, at, constant);
      }
      done += chunk;
    }
  }

  /** Returns the widest access that alignment and length allow. */
  public static int chunk(int alignment, int remaining) {
    return Math.min(alignment, Math.min(8, Integer.highestOneBit(remaining)));
  }

  /** Returns {@code length} bytes as the number that a load of them has, padded with zeroes. */
  public long word(byte[] bytes, int start, int length) {
    long word = 0;
    for (int i = length - 1; i >= 0; i--) {
      int at = start + (order == ByteOrder.LITTLE_ENDIAN ? i : length - 1 - i);
      int value = at < bytes.length ? bytes[at] & 0xff : 0;
      word = word << 8 | value;
    }
    return word;
  }

  /** Returns the byte order of memory. */
  public ByteOrder order() {
    return order;
  }
}
