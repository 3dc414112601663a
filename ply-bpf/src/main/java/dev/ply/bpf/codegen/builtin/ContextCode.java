package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.BuiltinCode.Scalar;
import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.context.SystemCallLayout;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.value.KernelMemoryCompiler;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.plan.ProbeNumber;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.ir.Expr;
import dev.ply.machine.Architecture;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.Provider;
import dev.ply.probe.TracerProbe;
import dev.ply.type.AddressSpace;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.IntType;
import java.util.Arrays;
import java.util.Optional;

/** Generates code that reads the program's context. */
public final class ContextCode {
  /** The privilege level in the code segment's selector; 0 is the kernel's. */
  private static final int PRIVILEGE_LEVEL = 3;

  private ContextCode() {}

  /** Adds the generators of the built-ins of the probe's context. */
  public static void addTo(BuiltinTable codes) {
    Scalar context = (clause, call) -> new ScalarCode.InRegister(clause.context());
    codes.scalar(ContextBuiltins.CTX, Cost.REGISTER, context);
    codes.scalar(ContextBuiltins.DATA, Cost.REGISTER, context);
    codes.scalar(ContextBuiltins.REGS, Cost.REGISTER, context);
    codes.scalar(ContextBuiltins.REG, Cost.REGISTER, ContextCode::register);
    codes.scalar(ContextBuiltins.SARG, Cost.HELPER, ContextCode::stackArgument);
    codes.scalar(ContextBuiltins.RETVAL, Cost.REGISTER, ContextCode::returnValue);
    codes.scalar(
        ContextBuiltins.CALLER, Cost.REGISTER, (clause, call) -> clause.layout().programCounter());
    codes.scalar(
        ContextBuiltins.FUNC_IP,
        Cost.HELPER,
        (clause, call) ->
            new ScalarCode.InRegister(
                clause
                    .code()
                    .callForResult(Helper.GET_FUNC_IP, clause.code().value(clause.context()))));
    codes.scalar(ContextBuiltins.USERMODE, Cost.REGISTER, (clause, call) -> userMode(clause));
    codes.inMemory(ContextBuiltins.PROBETYPE, Cost.REGISTER, new ProbeType());
    codes.scalar(ContextBuiltins.PROBE, Cost.HELPER, (clause, call) -> probe(clause));
  }

  /** Writes the kind of the probe. */
  private static final class ProbeType implements BuiltinCode.InMemory {
    @Override
    public void write(ClauseCode clause, Expr.Call call, Place to, int size) {
      AttachPoint point = clause.clause().clause().point();
      boolean isSpecial = point instanceof TracerProbe own && own.isOfEveryTrace();
      String kind = isSpecial ? "special" : point.provider().orElseThrow().keyword();
      clause.code().storeBytes(to, Arrays.copyOf(TextBytes.encode(kind), size));
    }

    @Override
    public boolean isPadded() {
      return true;
    }
  }

  private static ScalarCode register(ClauseCode clause, Expr.Call call) {
    Architecture architecture = clause.script().target().architecture();
    String name = ((Expr.StringLiteral) call.arguments().get(0)).value();
    int offset = architecture.register(name).flatMap(architecture::registerOffset).orElseThrow();
    return clause.expressions().word(offset);
  }

  /** The rest of the register of a narrow number has anything. */
  private static ScalarCode returnValue(ClauseCode clause, Expr.Call call) {
    ScalarCode register = clause.layout().returnValue();
    return clause.clause().typeOf(call) instanceof IntType type
        ? clause.expressions().extended(register, type)
        : register;
  }

  /** A return address at the top of the stack is not an argument. */
  private static ScalarCode stackArgument(ClauseCode clause, Expr.Call call) {
    CodeBuilder code = clause.code();
    Architecture architecture = clause.script().target().architecture();
    int word = architecture.wordSize();
    long index = ((Expr.IntLiteral) call.arguments().get(0)).value();
    int offset = architecture.register("sp").flatMap(architecture::registerOffset).orElseThrow();
    Register address = clause.arithmetic().register(clause.expressions().word(offset));
    code.alu(
        Width.W64,
        AluOp.ADD,
        address,
        Math.toIntExact(index * word + architecture.returnAddressSize()));
    Place place = clause.memory().allocate(word);
    boolean isUser =
        clause
            .clause()
            .clause()
            .point()
            .provider()
            .filter(kind -> kind.site().isInUserMode())
            .isPresent();
    code.call(
        KernelMemoryCompiler.reader(isUser ? AddressSpace.USER : AddressSpace.KERNEL),
        code.address(place),
        code.value(word),
        code.value(address));
    Register value = code.fresh();
    code.load(Size.ofBytes(word), value, place);
    return new ScalarCode.InRegister(value);
  }

  /** Probes of code fire in its mode; timers and counters interrupt code of either. */
  private static ScalarCode userMode(ClauseCode clause) {
    Optional<Provider> provider = clause.clause().clause().point().provider();
    if (provider.isEmpty() || provider.get().site().isInUserMode()) {
      return new ScalarCode.Constant(1);
    }
    return provider.get().site().interrupts()
        ? interruptedMode(clause)
        : new ScalarCode.Constant(0);
  }

  private static ScalarCode interruptedMode(ClauseCode clause) {
    Architecture architecture = clause.script().target().architecture();
    Optional<Integer> selector = architecture.register("cs").flatMap(architecture::registerOffset);
    if (selector.isEmpty()) {
      return new ScalarCode.Constant(0);
    }
    CodeBuilder code = clause.code();
    Register level = clause.arithmetic().register(clause.expressions().word(selector.get()));
    code.alu(Width.W64, AluOp.AND, level, PRIVILEGE_LEVEL);
    Label kernel = code.label("kernel");
    code.jump(Width.W64, JumpOp.JEQ, level, new Immediate(0), kernel);
    code.move(level, new Immediate(1));
    code.place(kernel);
    return new ScalarCode.InRegister(level);
  }

  /** Computes the number of the probe site. */
  private static ScalarCode probe(ClauseCode clause) {
    CodeBuilder code = clause.code();
    ProbeNumber number = clause.program().number();
    if (number instanceof ProbeNumber.Constant constant) {
      return new ScalarCode.Constant(constant.value());
    }
    if (number instanceof ProbeNumber.Cookie) {
      return new ScalarCode.InRegister(
          code.callForResult(Helper.GET_ATTACH_COOKIE, code.value(clause.context())));
    }
    if (number instanceof ProbeNumber.OfSystemCall call) {
      Register sum = ((SystemCallLayout) clause.layout()).number();
      code.alu(Width.W64, AluOp.ADD, sum, call.base());
      return new ScalarCode.InRegister(sum);
    }
    throw new IllegalStateException("no number for " + clause.clause().clause().point());
  }
}
