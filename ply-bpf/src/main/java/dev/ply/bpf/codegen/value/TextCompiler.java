package dev.ply.bpf.codegen.value;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Texts;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
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

/** Compiles strings: NUL-terminated character arrays of fixed size in memory. */
public final class TextCompiler implements Texts {
  private final ClauseCode clause;
  private final CodeBuilder code;
  private final TextComparison comparison;

  /** Generates strings of a clause. */
  public TextCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
    this.comparison = new TextComparison(code);
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
      comparison.jumpIfDifferent(at(left), literal, length, differ);
    } else if (left instanceof Expr.StringLiteral literal) {
      comparison.jumpIfDifferent(at(right), literal, length, differ);
    } else {
      Text a = at(left);
      comparison.jumpIfDifferent(a, at(right), length, differ);
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

  @Override
  public void jumpIfDifferent(Place a, ArrayType type, Place b, ArrayType other, Label differ) {
    comparison.jumpIfDifferent(stored(a, type), stored(b, other), Integer.MAX_VALUE, differ);
  }

  private static Text stored(Place place, ArrayType type) {
    return new Text(place, type.marksCut() ? type.size() - 1 : type.size(), false);
  }

  @Override
  public ScalarCode compare(Expr left, Expr right) {
    Text a = at(left);
    return comparison.order(a, at(right));
  }

  @Override
  public ScalarCode compareBytes(Expr left, Expr right, int size) {
    Text a = at(left);
    return comparison.orderOfBytes(a, at(right), size);
  }

  private static byte[] bytes(Expr.StringLiteral literal) {
    return TextBytes.encode(literal.value());
  }
}
