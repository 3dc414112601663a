package dev.ply.builtin.catalog;

import static dev.ply.builtin.Parameter.NUMBER;
import static dev.ply.builtin.Parameter.VALUE;

import com.google.common.collect.ImmutableList;
import com.google.common.net.InetAddresses;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Parameter;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.ir.Expr;
import dev.ply.type.Encoding;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import java.util.Optional;

/** Network addresses and byte order. */
public final class NetworkBuiltins {
  /** An IP address as a string: {@code ntop(addr)}, {@code ntop(AF_INET6, addr)}. */
  public static final Builtin NTOP =
      new Builtin(Signature.of(VALUE).optional(VALUE), Effect.PURE, "ntop") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          int last = call.arguments().size() - 1;
          boolean isFamilyRight = last == 0 || typing.number(call, 0, "the family").isPresent();
          Expr address = call.arguments().get(last);
          Optional<Type> type = typing.apply(address);
          boolean isAddress =
              type.filter(known -> known.isScalar() || isAddress(known, 4) || isAddress(known, 16))
                  .isPresent();
          if (type.isPresent() && !isAddress) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.TYPE_MISMATCH,
                    address.span(),
                    "\"ntop\" takes an address: a number, or 4 or 16 bytes; this is "
                        + type.get().withArticle());
          }
          return isFamilyRight && isAddress
              ? Optional.of(new Type.EncodedString(new Encoding.InternetAddress()))
              : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              An IPv4 or IPv6 address: a number in network order, or an array of 4 or 16 bytes. The
              family, AF_INET or AF_INET6, follows from that if left out; for any other the string
              is empty. Addresses can be printed, stored and used as keys.
              """,
              """
              BEGIN { printf("%s\\n", ntop(0x0100007f)); exit(0); }
              """,
              "ntop(address)",
              "ntop(family, address)");
        }
      };

  /** The bytes of an IP address, when the script is compiled. */
  public static final Builtin PTON =
      new Builtin(Signature.of(Parameter.LITERAL), Effect.PURE, "pton") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr address = call.arguments().get(0);
          typing.apply(address);
          Optional<byte[]> bytes =
              address instanceof Expr.StringLiteral literal
                  ? addressBytes(literal.value())
                  : Optional.empty();
          if (bytes.isEmpty()) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.TYPE_MISMATCH,
                    address.span(),
                    address instanceof Expr.StringLiteral literal
                        ? "\"" + literal.value() + "\" is not an IP address"
                        : "\"pton\" takes an address as a string literal",
                    "write pton(\"127.0.0.1\") or pton(\"::1\")");
          }
          return bytes.map(known -> new ArrayType(IntType.U8, known.length));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "array of 4 or 16 bytes",
              """
              The bytes of an IPv4 or IPv6 address in network order, computed when the script is compiled.
              As a number, (uint32)pton("127.0.0.1"), an IPv4 address compares with the fields of
              records and structures that hold one.
              """,
              """
              BEGIN { printf("%s\\n", ntop(pton("2001:db8::1"))); exit(0); }
              """,
              "pton(\"address\")");
        }
      };

  /** A MAC address as a string. */
  public static final Builtin MACADDR =
      new Builtin(Signature.of(VALUE), Effect.PURE, "macaddr") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Expr address = call.arguments().get(0);
          Optional<Type> type = typing.apply(address);
          boolean isAddress =
              type.filter(known -> known.isScalar() || isBytes(known, Encoding.MacAddress.BYTES))
                  .isPresent();
          if (type.isPresent() && !isAddress) {
            typing
                .diagnostics()
                .error(
                    DiagnosticCode.TYPE_MISMATCH,
                    address.span(),
                    "\"macaddr\" takes an array of 6 bytes or an address; this is "
                        + type.get().withArticle(),
                    "mem(address, 6) are the bytes at an address");
          }
          return isAddress
              ? Optional.of(new Type.EncodedString(new Encoding.MacAddress()))
              : Optional.empty();
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              A hardware address, from an array of 6 bytes or from memory: 00:1A:2B:3C:4D:5E.
              """,
              """
              BEGIN { print(macaddr(mem(0, 6))); exit(0); }
              """,
              "macaddr(bytes)",
              "macaddr(address)");
        }
      };

  /** A number with reversed byte order. */
  public static final Builtin BSWAP =
      new Builtin(Signature.of(NUMBER), Effect.PURE, "bswap") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return typing
              .number(call, 0, "the argument of \"bswap\"")
              .map(type -> IntType.of(type.bytes(), Signedness.UNSIGNED));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "unsigned, of the argument's size",
              """
              The bytes of a number in reverse order: from network to host byte order and back.
              Their number follows from the type: bswap((uint16)x) swaps two.
              """,
              """
              BEGIN { printf("%x\\n", bswap((uint16)0x1234)); exit(0); }
              """,
              "bswap(number)");
        }
      };

  static final ImmutableList<Builtin> ALL = ImmutableList.of(NTOP, PTON, MACADDR, BSWAP);

  private static final int IPV6_BYTES = 16;

  private NetworkBuiltins() {}

  /**
   * Returns the bytes of an IP address in network order, 4 or 16; empty if this is none. No name is
   * looked up.
   */
  public static Optional<byte[]> addressBytes(String text) {
    if (!InetAddresses.isInetAddress(text) || text.contains("%")) {
      return Optional.empty();
    }
    byte[] bytes = InetAddresses.forString(text).getAddress();
    if (!text.contains(":") || bytes.length == IPV6_BYTES) {
      return Optional.of(bytes);
    }
    // Java makes ::ffff:192.0.2.1 an IPv4 address.
    byte[] mapped = new byte[IPV6_BYTES];
    mapped[10] = -1;
    mapped[11] = -1;
    System.arraycopy(bytes, 0, mapped, IPV6_BYTES - bytes.length, bytes.length);
    return Optional.of(mapped);
  }

  /** Also a structure of an address, such as {@code struct in6_addr}. */
  private static boolean isAddress(Type type, int size) {
    return isBytes(type, size) || (type instanceof Type.KernelStruct && type.size() == size);
  }

  private static boolean isBytes(Type type, int size) {
    return type instanceof ArrayType array && array.size() == size;
  }
}
