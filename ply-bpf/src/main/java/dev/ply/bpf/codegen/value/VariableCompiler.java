package dev.ply.bpf.codegen.value;

import dev.ply.analysis.typing.LocalVariable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Variables;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.ir.Clause;
import dev.ply.ir.Expr;
import dev.ply.ir.Statement;
import dev.ply.ir.UnaryOp;
import dev.ply.ir.Walker;
import dev.ply.type.Conversions;
import dev.ply.type.Type.IntType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Compiles scratch variables: numbers in registers, strings in memory. Those whose address is taken
 * are in the scratch map: what is read through a pointer is unknown to the optimizer, which removes
 * stores to the stack that nothing reads.
 */
public final class VariableCompiler implements Variables {
  private final ClauseCode clause;
  private final CodeBuilder code;

  /** The variables in scope. */
  private final Map<String, LocalVariable> visible = new HashMap<>();

  /** The names of variables whose address is taken. */
  private final Set<String> addressed;

  private final Map<Integer, Register> registers = new HashMap<>();
  private final Map<Integer, Place> places = new HashMap<>();

  /** Generates scratch variables of a clause. */
  public VariableCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
    this.addressed = AddressFinder.addressed(clause.clause().clause());
  }

  private boolean isInRegister(LocalVariable variable) {
    return variable.type().isScalar() && !addressed.contains(variable.name());
  }

  @Override
  public void compileBlock(Runnable statements) {
    boolean unused =
        compileValue(
            () -> {
              statements.run();
              return true;
            });
  }

  @Override
  public <T> T compileValue(Supplier<T> block) {
    Map<String, LocalVariable> outer = Map.copyOf(visible);
    T value = block.get();
    visible.values().removeIf(variable -> !outer.containsValue(variable));
    visible.putAll(outer);
    registers.keySet().removeIf(number -> !isVisible(number));
    places.keySet().removeIf(number -> !isVisible(number));
    return value;
  }

  private boolean isVisible(int number) {
    return visible.values().stream().anyMatch(variable -> variable.number() == number);
  }

  @Override
  public LocalVariable assigned(Statement.Assign node) {
    LocalVariable known = visible.get(node.variable());
    return known == null ? clause.clause().variable(node) : known;
  }

  @Override
  public LocalVariable named(Expr.VariableRead read) {
    return Objects.requireNonNull(visible.get(read.name()), read.name());
  }

  @Override
  public void allocate(LocalVariable variable) {
    visible.put(variable.name(), variable);
    if (isInRegister(variable)) {
      registers.computeIfAbsent(variable.number(), unused -> code.fresh());
    } else if (addressed.contains(variable.name())) {
      places.computeIfAbsent(
          variable.number(), unused -> clause.memory().allocateInScratch(variable.type().size()));
    } else {
      places.computeIfAbsent(
          variable.number(), unused -> clause.memory().allocate(variable.type().size()));
    }
  }

  @Override
  public Register register(LocalVariable variable) {
    return Objects.requireNonNull(registers.get(variable.number()), variable.name());
  }

  @Override
  public Place place(LocalVariable variable) {
    return Objects.requireNonNull(places.get(variable.number()), variable.name());
  }

  @Override
  public void clear(LocalVariable variable) {
    if (isInRegister(variable)) {
      code.move(register(variable), new Immediate(0));
    } else {
      code.zero(place(variable), variable.type().size());
    }
  }

  @Override
  public void assign(LocalVariable variable, Expr value) {
    if (variable.type().isScalar()) {
      ScalarCode scalar = clause.expressions().scalar(value, integer(variable));
      if (!isInRegister(variable)) {
        code.store(
            Size.DW, place(variable), clause.arithmetic().operand(scalar, integer(variable)));
      } else if (scalar instanceof ScalarCode.Constant constant) {
        code.constant(register(variable), constant.value());
      } else {
        code.move(register(variable), clause.arithmetic().register(scalar));
      }
      return;
    }
    int size = variable.type().size();
    if (value instanceof Expr.StringLiteral && variable.type().isText()) {
      clause.texts().write(value, place(variable), size);
    } else {
      // The value can depend on the variable itself.
      Place fresh = clause.memory().allocate(size);
      clause.maps().write(value, fresh, variable.type());
      code.copy(fresh, place(variable), size);
    }
  }

  @Override
  public ScalarCode read(LocalVariable variable) {
    Register copy = code.fresh();
    if (isInRegister(variable)) {
      code.move(copy, register(variable));
    } else {
      code.load(Size.DW, copy, place(variable));
    }
    return new ScalarCode.InRegister(copy);
  }

  @Override
  public void add(LocalVariable variable, int amount) {
    if (isInRegister(variable)) {
      code.alu(Width.W64, AluOp.ADD, register(variable), amount);
      return;
    }
    Register changed = code.fresh();
    code.load(Size.DW, changed, place(variable));
    code.alu(Width.W64, AluOp.ADD, changed, amount);
    code.store(Size.DW, place(variable), changed);
  }

  @Override
  public ScalarCode address(LocalVariable variable) {
    return new KernelMemoryCompiler(clause).number(place(variable));
  }

  /** Finds the variables whose address a clause takes. */
  private static final class AddressFinder extends Walker {
    private final Set<String> names = new HashSet<>();

    static Set<String> addressed(Clause clause) {
      AddressFinder finder = new AddressFinder();
      finder.walk(clause.body());
      return Set.copyOf(finder.names);
    }

    @Override
    public Walker visit(Expr.Unary node) {
      if (node.op() == UnaryOp.ADDRESS_OF && node.operand() instanceof Expr.VariableRead variable) {
        names.add(variable.name());
      }
      return super.visit(node);
    }
  }

  private static IntType integer(LocalVariable variable) {
    return Conversions.asInteger(variable.type()).orElseThrow();
  }
}
