package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Texts;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.Builtin;
import dev.ply.ir.Expr;
import dev.ply.type.Encoding;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/** Compiles strings: NUL-terminated character arrays of fixed size in memory. */
public final class TextCompiler implements Texts {
  private final ClauseCode clause;
  private final CodeBuilder code;

  /** Generates strings of a clause. */
  public TextCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  private int sizeOf(Expr expr) {
    return clause.clause().typeOf(expr).size();
  }

  @Override
  public void write(Expr expr, Place to, int size) {
    code.within(expr.span(), () -> writeValue(expr, to, size));
  }

  private void writeValue(Expr expr, Place to, int size) {
    int own = sizeOf(expr);
    if (expr instanceof Expr.Cast cast) {
      write(cast.operand(), to, size);
      return;
    }
    if (expr instanceof Expr.StringLiteral literal) {
      code.storeBytes(to, Arrays.copyOf(bytes(literal), size));
      return;
    }
    if (expr instanceof Expr.Conditional choice && choice.then().isPresent()) {
      write(choice, choice.then().get(), to, size);
      return;
    }
    if (expr instanceof Expr.Block block) {
      boolean unused =
          clause.compileValue(
              block,
              value -> {
                write(value, to, size);
                return true;
              });
      return;
    }
    if (expr instanceof Expr.Call call) {
      write(call, to, own);
    } else if (expr instanceof Expr.VariableRead read) {
      code.copy(variable(read), to, own);
    } else if (expr instanceof Expr.MapRead read) {
      clause.maps().read(read.map(), to, own);
    } else if (clause.aggregates().isPart(expr)) {
      code.copy(clause.aggregates().part(expr), to, own);
    } else if (isInMemory(expr)) {
      clause.records().copy(expr, to, own);
    } else if (expr instanceof Expr.Unary) {
      clause.records().write(to, own);
    } else {
      throw new IllegalArgumentException("no text: " + expr);
    }
    // In a longer string, the mark would be part of it.
    int kept = own < size && marksCut(expr) ? own - 1 : own;
    code.zero(to.plus(kept), size - kept);
  }

  @Override
  public void writeChoice(Expr expr, Place to, Type type) {
    if (expr instanceof Expr.Conditional choice && choice.then().isPresent()) {
      Label otherwise = code.label("else");
      Label end = code.label("chosen");
      clause.expressions().jumpIf(choice.condition(), false, otherwise);
      writeChoice(choice.then().get(), to, type);
      code.jump(end);
      code.place(otherwise);
      writeChoice(choice.otherwise(), to, type);
      code.place(end);
      return;
    }
    if (expr instanceof Expr.Block block) {
      boolean unused =
          clause.compileValue(
              block,
              value -> {
                writeChoice(value, to, type);
                return true;
              });
      return;
    }
    Type own = clause.clause().typeOf(expr);
    if (own instanceof Type.EncodedString string
        && string.encoding() instanceof Encoding.EncodedOrText) {
      write(expr, to, type.size());
      return;
    }
    int tag = Encoding.EncodedOrText.TAG_BYTES;
    write(expr, to.plus(tag), type.size() - tag);
    code.store(Size.DW, to, new Immediate(own.isText() ? 1 : 0));
  }

  private boolean marksCut(Expr expr) {
    return clause.clause().typeOf(expr) instanceof ArrayType array && array.marksCut();
  }

  private Place variable(Expr.VariableRead read) {
    return clause.variables().place(clause.variables().named(read));
  }

  private void write(Expr.Conditional choice, Expr then, Place to, int size) {
    Label otherwise = code.label("else");
    Label end = code.label("chosen");
    clause.expressions().jumpIf(choice.condition(), false, otherwise);
    write(then, to, size);
    code.jump(end);
    code.place(otherwise);
    write(choice.otherwise(), to, size);
    code.place(end);
  }

  private void write(Expr.Call call, Place to, int size) {
    if (marksCut(call)) {
      inMemory(call).writeMarked(clause, call, to, size);
    } else {
      inMemory(call).write(clause, call, to, size);
    }
  }

  private BuiltinCode.InMemory inMemory(Expr.Call call) {
    if (clause.builtins().of(Builtin.of(call)) instanceof BuiltinCode.InMemory inMemory) {
      return inMemory;
    }
    throw new IllegalArgumentException(call.function() + " is no text");
  }

  /** Returns a string where it is, or writes it to new memory. */
  private Text at(Expr expr) {
    return code.valueWithin(expr.span(), () -> find(expr));
  }

  private Text find(Expr expr) {
    int size = sizeOf(expr);
    if (expr instanceof Expr.Cast cast) {
      return at(cast.operand());
    }
    if (expr instanceof Expr.Block block) {
      return clause.compileValue(block, this::at);
    }
    if (expr instanceof Expr.Call call) {
      BuiltinCode.InMemory builtin = inMemory(call);
      Place place = builtin.address(clause).orElseGet(() -> written(builtin, call, size));
      return new Text(place, size, builtin.isPadded());
    }
    // A mark takes the place of the NUL.
    int compared = expr instanceof Expr.StringLiteral || !marksCut(expr) ? size : size - 1;
    if (expr instanceof Expr.VariableRead read) {
      return new Text(variable(read), compared, false);
    }
    if (clause.aggregates().isPart(expr)) {
      return new Text(clause.aggregates().part(expr), compared, false);
    }
    if (isInMemory(expr)) {
      return new Text(clause.records().field(expr), size, false);
    }
    Place place = clause.memory().allocate(size);
    write(expr, place, size);
    return new Text(place, compared, isPadded(expr));
  }

  private Place written(BuiltinCode.InMemory builtin, Expr.Call call, int size) {
    Place place = clause.memory().allocate(size);
    builtin.write(clause, call, place, size);
    return place;
  }

  @Override
  public Text indexed(Expr expr) {
    Text text = at(expr);
    if (clause.memory().isInScratch(text.place())) {
      return text;
    }
    Place copy = clause.memory().allocateInScratch(text.size());
    code.copy(text.place(), copy, text.size());
    return new Text(copy, text.size(), text.padded());
  }

  @Override
  public Text terminated(Expr expr) {
    Text text = at(expr);
    if (text.padded()) {
      return text;
    }
    Place copy = clause.memory().allocateInScratch(text.size() + 1);
    code.copy(text.place(), copy, text.size());
    code.store(Size.B, copy.plus(text.size()), new Immediate(0));
    return new Text(copy, text.size() + 1, false);
  }

  @Override
  public ScalarCode number(Expr bytes) {
    Text array = at(bytes);
    boolean isLittle = code.order() == ByteOrder.LITTLE_ENDIAN;
    Register number = code.fresh();
    code.constant(number, 0);
    int done = 0;
    while (done < array.size()) {
      Place from = array.place().plus(done);
      int chunk = CodeBuilder.chunk(from.alignment(), array.size() - done);
      int shift = 8 * (isLittle ? done : array.size() - done - chunk);
      Register part = code.fresh();
      code.load(Size.ofBytes(chunk), part, from);
      if (shift != 0) {
        code.alu(Width.W64, AluOp.LSH, part, shift);
      }
      code.alu(Width.W64, AluOp.OR, number, part);
      done += chunk;
    }
    return new ScalarCode.InRegister(number);
  }

  @Override
  public Place place(Expr expr) {
    return at(expr).place();
  }

  private boolean isInMemory(Expr expr) {
    return expr instanceof Expr.Member
        || expr instanceof Expr.Element
        || new KernelMemoryCompiler(clause).isPlace(expr);
  }

  /** A constant can contain a NUL. */
  private boolean isPadded(Expr expr) {
    return expr instanceof Expr.StringLiteral literal && literal.value().indexOf('\0') < 0;
  }

  @Override
  public void jumpIfEqual(Expr left, Expr right, boolean sense, Label target) {
    jumpIfEqual(left, right, Integer.MAX_VALUE, sense, target);
  }

  @Override
  public void jumpIfEqual(Expr left, Expr right, int length, boolean sense, Label target) {
    Label differ = sense ? code.label("differ") : target;
    if (right instanceof Expr.StringLiteral literal) {
      jumpIfDifferent(at(left), comparedBytes(literal), length, differ);
    } else if (left instanceof Expr.StringLiteral literal) {
      jumpIfDifferent(at(right), comparedBytes(literal), length, differ);
    } else {
      Text a = at(left);
      jumpIfDifferent(a, at(right), length, differ);
    }
    if (sense) {
      code.jump(target);
      code.place(differ);
    }
  }

  @Override
  public void jumpIfSameBuffers(Expr left, Expr right, boolean sense, Label target) {
    int size = Math.min(sizeOf(left), sizeOf(right));
    Register order = clause.arithmetic().register(compareBytes(left, right, size));
    code.jump(Width.W64, sense ? JumpOp.JEQ : JumpOp.JNE, order, new Immediate(0), target);
  }

  /** Compares with a constant by the widest loads, up to its NUL. */
  private void jumpIfDifferent(Text text, byte[] constant, int length, Label differ) {
    // A full array needs no NUL to be a string; a padded one has one.
    int longest = text.padded() ? text.size() - 1 : text.size();
    if (Math.min(constant.length, length) > longest) {
      code.jump(differ);
      return;
    }
    int needed = Math.min(constant.length + 1, text.size());
    int compared = text.padded() ? Math.min(text.size(), (needed + 7) & -8) : needed;
    if (length <= constant.length) {
      compared = length;
    }
    int done = 0;
    while (done < compared) {
      Place at = text.place().plus(done);
      int chunk = CodeBuilder.chunk(at.alignment(), compared - done);
      long expected = code.word(constant, done, chunk);
      Register word = code.fresh();
      code.load(Size.ofBytes(chunk), word, at);
      code.jump(
          chunk == 8 ? Width.W64 : Width.W32, JumpOp.JNE, word, constant(expected, chunk), differ);
      done += chunk;
    }
  }

  private Operand constant(long value, int bytes) {
    if (bytes < 8 || value == (int) value) {
      return new Immediate((int) value);
    }
    Register register = code.fresh();
    code.constant(register, value);
    return register;
  }

  @Override
  public void jumpIfDifferent(Place a, ArrayType type, Place b, ArrayType other, Label differ) {
    jumpIfDifferent(stored(a, type), stored(b, other), Integer.MAX_VALUE, differ);
  }

  private static Text stored(Place place, ArrayType type) {
    return new Text(place, type.marksCut() ? type.size() - 1 : type.size(), false);
  }

  private void jumpIfDifferent(Text a, Text b, int length, Label differ) {
    int shorter = Math.min(a.size(), b.size());
    int size = Math.min(shorter, length);
    boolean words = a.padded() && b.padded();
    Label equal = code.label("equal");
    int done = 0;
    while (done < size) {
      int chunk = words ? chunk(a, b, done, size) : 1;
      Register left = code.fresh();
      Register right = code.fresh();
      code.load(Size.ofBytes(chunk), left, a.place().plus(done));
      code.load(Size.ofBytes(chunk), right, b.place().plus(done));
      code.jump(Width.W64, JumpOp.JNE, left, right, differ);
      if (!words) {
        code.jump(Width.W64, JumpOp.JEQ, left, new Immediate(0), equal);
      }
      done += chunk;
    }
    if (length > shorter) {
      longerRest(a, b)
          .ifPresent(rest -> code.jump(Width.W64, JumpOp.JNE, rest, new Immediate(0), differ));
    }
    code.place(equal);
  }

  /**
   * Returns the byte of the longer string at which the shorter one ends without NUL: they are equal
   * only if it is NUL.
   */
  private Optional<Register> longerRest(Text a, Text b) {
    boolean aIsShorter = a.size() < b.size();
    Text shorter = aIsShorter ? a : b;
    Text longer = aIsShorter ? b : a;
    if (shorter.padded() || a.size() == b.size()) {
      return Optional.empty();
    }
    Register rest = code.fresh();
    code.load(Size.B, rest, longer.place().plus(shorter.size()));
    return Optional.of(rest);
  }

  @Override
  public ScalarCode compare(Expr left, Expr right) {
    Text a = at(left);
    Text b = at(right);
    int size = Math.min(a.size(), b.size());
    boolean words = a.padded() && b.padded();
    Register result = code.fresh();
    Register x = code.fresh();
    Register y = code.fresh();
    Label differ = code.label("differ");
    Label end = code.label("compared");
    code.constant(result, 0);
    int done = 0;
    while (done < size) {
      int chunk = words ? chunk(a, b, done, size) : 1;
      code.load(Size.ofBytes(chunk), x, a.place().plus(done));
      code.load(Size.ofBytes(chunk), y, b.place().plus(done));
      code.jump(Width.W64, JumpOp.JNE, x, y, differ);
      if (!words) {
        code.jump(Width.W64, JumpOp.JEQ, x, new Immediate(0), end);
      }
      done += chunk;
    }
    longerRest(a, b)
        .ifPresent(
            rest -> {
              code.jump(Width.W64, JumpOp.JEQ, rest, new Immediate(0), end);
              code.constant(result, a.size() > size ? 1 : -1);
            });
    code.jump(end);
    code.place(differ);
    order(x, y, result, end);
    return new ScalarCode.InRegister(result);
  }

  @Override
  public ScalarCode compareBytes(Expr left, Expr right, int size) {
    Text a = at(left);
    Text b = at(right);
    Register result = code.fresh();
    Register x = code.fresh();
    Register y = code.fresh();
    Label differ = code.label("differ");
    Label end = code.label("compared");
    code.constant(result, 0);
    int done = 0;
    while (done < size) {
      int chunk = chunk(a, b, done, size);
      code.load(Size.ofBytes(chunk), x, a.place().plus(done));
      code.load(Size.ofBytes(chunk), y, b.place().plus(done));
      code.jump(Width.W64, JumpOp.JNE, x, y, differ);
      done += chunk;
    }
    code.jump(end);
    code.place(differ);
    order(x, y, result, end);
    return new ScalarCode.InRegister(result);
  }

  /** Sets {@code result} to 1 or -1 for the order of different words in memory. */
  private void order(Register x, Register y, Register result, Label end) {
    // The first different byte decides: compare doublewords as big-endian numbers.
    code.emit(new Instruction.ByteSwap(Instruction.ByteSwap.Order.BIG, 64, x));
    code.emit(new Instruction.ByteSwap(Instruction.ByteSwap.Order.BIG, 64, y));
    code.constant(result, 1);
    code.jump(Width.W64, JumpOp.JGT, x, y, end);
    code.constant(result, -1);
    code.place(end);
  }

  private static int chunk(Text a, Text b, int done, int size) {
    int alignment = Math.min(a.place().plus(done).alignment(), b.place().plus(done).alignment());
    return CodeBuilder.chunk(alignment, size - done);
  }

  private static byte[] bytes(Expr.StringLiteral literal) {
    return TextBytes.encode(literal.value());
  }

  /** Returns the bytes that comparisons use: those before the first NUL. */
  private static byte[] comparedBytes(Expr.StringLiteral literal) {
    int end = literal.value().indexOf('\0');
    return TextBytes.encode(end < 0 ? literal.value() : literal.value().substring(0, end));
  }
}
