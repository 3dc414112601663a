package dev.ply.bpf.reference;

import static dev.ply.bpf.reference.ByteStrings.beforeNul;
import static dev.ply.bpf.reference.ByteStrings.byteOf;
import static dev.ply.bpf.reference.ByteStrings.cut;
import static dev.ply.bpf.reference.ByteStrings.encode;
import static dev.ply.bpf.reference.ByteStrings.padded;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.bpf.simulate.Firing;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.ir.Expr;
import dev.ply.table.Datum;
import dev.ply.type.AddressSpace;
import dev.ply.type.Encoding;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.EncodedString;
import java.util.List;
import java.util.Map;

/** What calls of functions that return strings are worth. */
final class StringCalls {
  private static final int COMM_BYTES = 15;

  private final ExpressionEvaluator expressions;
  private final AnalyzedClause clause;
  private final Moment moment;
  private final ClauseContext context;
  private final EncodedStrings encodings;

  StringCalls(
      ExpressionEvaluator expressions,
      AnalyzedClause clause,
      Moment moment,
      ClauseContext context,
      EncodedStrings encodings) {
    this.expressions = expressions;
    this.clause = clause;
    this.moment = moment;
    this.context = context;
    this.encodings = encodings;
  }

  /** Returns the bytes of a string that a call returns, without NULs after it. */
  String text(Expr.Call call, int size) {
    return switch (call.function().canonicalName()) {
      case "comm" -> cut(encode(moment.who().comm()), COMM_BYTES);
      case "str" -> str(call, size);
      case "mem" -> memory(call, size);
      case "dyn" -> dynamic(call, size);
      case "str_concat" ->
          cut(
              beforeNul(expressions.text(call.arguments().get(0)))
                  + beforeNul(expressions.text(call.arguments().get(1))),
              size - 1);
      default -> throw new IllegalArgumentException(call.function() + " is no string");
    };
  }

  /** Returns what an encoded string that a call returns decodes to. */
  Datum encoded(Expr.Call call, EncodedString type) {
    return switch (call.function().canonicalName()) {
      case "strftime" ->
          encodings.of(type.encoding(), List.of(expressions.bits64(call.arguments().get(1))));
      case "container", "pod" -> encodings.of(type.encoding(), List.of(moment.who().cgroup()));
      case "username" -> encodings.of(type.encoding(), List.of((long) moment.who().uid()));
      case "strerror", "signal_name", "syscall_name", "comm_of" ->
          encodings.of(type.encoding(), List.of(expressions.bits64(call.arguments().get(0))));
      case "buf" -> buffer(call, ((Encoding.Buffer) type.encoding()).capacity());
      case "words" ->
          new Datum.Decoded(
              buffer(call, ((Encoding.Words) type.encoding()).capacity())
                  .text()
                  .replaceFirst("\\x00+$", "")
                  .replace('\0', ' '));
      case "ntop" -> {
        boolean hasFamily = call.arguments().size() == 2;
        long family =
            hasFamily ? expressions.bits64(call.arguments().get(0)) : Encoding.InternetAddress.IPV4;
        long address = expressions.bits64(call.arguments().get(hasFamily ? 1 : 0));
        yield encodings.of(type.encoding(), List.of(family, address));
      }
      default -> throw new IllegalArgumentException(call.function() + " is no encoded string");
    };
  }

  /** Returns whether a string is longer where it is read. */
  boolean isCut(Expr.Call call, int size) {
    if (!((ArrayType) clause.typeOf(call)).marksCut()) {
      return false;
    }
    Expr source = call.arguments().get(0);
    if (clause.typeOf(source).isText()) {
      Datum.Text text = expressions.stored(source);
      int length = beforeNul(text.bytes()).length();
      return length > size - 1 || (length == size - 1 && text.isCut());
    }
    // The last byte may be one that cannot be read.
    return string(call, size).length() == size - 1 && byteAt(call, size - 1) > 0;
  }

  private String str(Expr.Call call, int size) {
    Type source = clause.typeOf(call.arguments().get(0));
    if (MemoryBuiltins.isDynamic(source)) {
      return dynamic(call, size);
    }
    return source.isText()
        ? cut(beforeNul(expressions.text(call.arguments().get(0))), size - 1)
        : string(call, length(call, size));
  }

  /** A string has room for its NUL; one that cannot be read as far as that is empty. */
  private String string(Expr.Call call, int size) {
    StringBuilder text = new StringBuilder();
    while (text.length() < size) {
      int next = byteAt(call, text.length());
      if (next <= 0) {
        return next == 0 ? text.toString() : "";
      }
      text.append((char) next);
    }
    return cut(text.toString(), Math.max(0, size - 1));
  }

  private String memory(Expr.Call call, int size) {
    StringBuilder bytes = new StringBuilder();
    while (bytes.length() < size && !hasNoSize(call)) {
      int next = byteAt(call, bytes.length());
      if (next < 0) {
        return "";
      }
      bytes.append((char) next);
    }
    return bytes.toString();
  }

  private static boolean hasNoSize(Expr.Call call) {
    return call.arguments().size() == 2
        && call.arguments().get(1) instanceof Expr.IntLiteral size
        && size.value() == 0;
  }

  /** Data that does not fit is cut, and then ends in a NUL. */
  private String dynamic(Expr.Call call, int size) {
    String name = ((Expr.Member) call.arguments().get(0)).name();
    String data = context.fieldText(name);
    return hasNoSize(call) ? "" : cut(data, data.length() < size ? size : size - 1);
  }

  /** Returns the byte at a distance from the call's address, -1 if it cannot be read. */
  private int byteAt(Expr.Call call, int distance) {
    Expr address = call.arguments().get(0);
    AddressSpace space = clause.spaceOf(address);
    if (context.pointedText(address) instanceof String text) {
      return byteOf(text, distance);
    }
    long at = expressions.number(address).as(64, false).value().longValue() + distance;
    for (var text : moment.firing().map(Firing::placedTexts).orElse(Map.of()).entrySet()) {
      long offset = at - text.getKey().address();
      if (text.getKey().space() == space && offset >= 0) {
        int found = byteOf(text.getValue(), offset);
        if (found >= 0) {
          return found;
        }
      }
    }
    return -1;
  }

  /** Returns how many bytes a call reads, of those it has room for. */
  private int length(Expr.Call call, int most) {
    if (call.arguments().size() < 2) {
      return most;
    }
    CInteger size = expressions.number(call.arguments().get(1));
    if (size.signed() && size.value().signum() < 0) {
      return 0;
    }
    return Long.compareUnsigned(expressions.bits64(call.arguments().get(1)), most) > 0
        ? most
        : (int) expressions.bits64(call.arguments().get(1));
  }

  /** An array is known as a string; memory that cannot be read is all zeroes. */
  private Datum.Bytes buffer(Expr.Call call, int capacity) {
    Expr source = call.arguments().get(0);
    int length = length(call, capacity);
    String bytes =
        clause.typeOf(source).isScalar()
            ? memory(call, length)
            : cut(expressions.text(source), length);
    return new Datum.Bytes(padded(bytes, length));
  }
}
