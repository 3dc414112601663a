package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.value.KernelMemoryCompiler;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.ByteSwap.Order;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.builtin.catalog.NetworkBuiltins;
import dev.ply.ir.Expr;
import dev.ply.type.Conversions;
import dev.ply.type.Encoding;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import java.nio.ByteOrder;

/** Generates code for network addresses and byte order. */
public final class NetworkCode {
  private NetworkCode() {}

  /** Adds the generators of the built-ins of the network. */
  public static void addTo(BuiltinTable codes) {
    codes.inMemory(
        NetworkBuiltins.NTOP,
        Cost.MEMORY,
        (clause, call, to, size) -> internetAddress(clause, call, to));
    codes.inMemory(NetworkBuiltins.PTON, Cost.REGISTER, NetworkCode::addressBytes);
    codes.inMemory(NetworkBuiltins.MACADDR, Cost.MEMORY, NetworkCode::hardwareAddress);
    codes.scalar(NetworkBuiltins.BSWAP, Cost.REGISTER, NetworkCode::swapped);
  }

  /** The helper zeroes the bytes if memory cannot be read. */
  private static void hardwareAddress(ClauseCode clause, Expr.Call call, Place to, int size) {
    Expr address = call.arguments().get(0);
    if (clause.clause().typeOf(address).isScalar()) {
      clause
          .code()
          .call(
              KernelMemoryCompiler.reader(clause.clause().spaceOf(address)),
              clause.code().address(to),
              clause.code().value(size),
              clause.code().value(MemoryCode.pointer(clause, address)));
    } else {
      clause.texts().write(address, to, size);
    }
  }

  private static void internetAddress(ClauseCode clause, Expr.Call call, Place to) {
    int last = call.arguments().size() - 1;
    Expr address = call.arguments().get(last);
    Type type = clause.clause().typeOf(address);
    int size = type.isScalar() ? Integer.BYTES : type.size();
    Place bytes = to.plus(Encoding.InternetAddress.FAMILY_BYTES);
    clause.code().zero(bytes.plus(size), Encoding.InternetAddress.ADDRESS_BYTES - size);
    if (type.isScalar()) {
      number(clause, address, bytes);
    } else {
      clause.texts().write(address, bytes, size);
    }
    if (last == 1) {
      number(clause, call.arguments().get(0), to);
    } else {
      int family =
          size == Integer.BYTES ? Encoding.InternetAddress.IPV4 : Encoding.InternetAddress.IPV6;
      clause.code().store(Size.W, to, new Immediate(family));
    }
  }

  private static void addressBytes(ClauseCode clause, Expr.Call call, Place to, int size) {
    String text = ((Expr.StringLiteral) call.arguments().get(0)).value();
    clause.code().storeBytes(to, NetworkBuiltins.addressBytes(text).orElseThrow());
  }

  private static void number(ClauseCode clause, Expr expr, Place to) {
    ScalarCode value = clause.expressions().scalar(expr, IntType.U32);
    clause.code().store(Size.W, to, clause.arithmetic().operand(value, IntType.U32));
  }

  private static ScalarCode swapped(ClauseCode clause, Expr.Call call) {
    Expr number = call.arguments().get(0);
    IntType type = Conversions.asInteger(clause.clause().typeOf(number)).orElseThrow();
    ScalarCode value = clause.expressions().scalar(number, type);
    if (type.bytes() == 1) {
      return clause.expressions().scalar(number, IntType.U8);
    }
    CodeBuilder code = clause.code();
    Register register = code.fresh();
    code.move(register, clause.arithmetic().register(value));
    boolean isLittle =
        clause.script().target().architecture().byteOrder() == ByteOrder.LITTLE_ENDIAN;
    code.emit(
        new Instruction.ByteSwap(isLittle ? Order.BIG : Order.LITTLE, type.bytes() * 8, register));
    return new ScalarCode.InRegister(register);
  }
}
