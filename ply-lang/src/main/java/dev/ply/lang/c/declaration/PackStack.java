package dev.ply.lang.c.declaration;

import dev.ply.lang.c.expression.CNumber;
import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The effect of {@code #pragma pack} at a position of the source: the strictest alignment of
 * members.
 */
public final class PackStack {
  private record Pushed(String name, int limit) {}

  private final Deque<Pushed> pushed = new ArrayDeque<>();
  private int limit;

  /** Returns the strictest alignment in bytes, 0 if missing. */
  int limit() {
    return limit;
  }

  /**
   * Applies the operands of a pragma.
   *
   * @param tokens what follows the word pack
   * @return false if there is nothing to pop
   */
  public boolean apply(CToken place, List<CToken> tokens) throws CSyntaxException {
    int last = tokens.size() - 1;
    boolean isCall = tokens.size() >= 2 && tokens.get(0).is("(") && tokens.get(last).is(")");
    if (!isCall) {
      throw malformed(place);
    }
    List<CToken> operands = new ArrayList<>();
    for (int i = 1; i < last; i++) {
      CToken token = tokens.get(i);
      boolean isComma = i % 2 == 0;
      if (isComma != token.is(",")) {
        throw malformed(place);
      }
      if (!isComma) {
        operands.add(token);
      }
    }
    if (last > 1 && last % 2 != 0) {
      throw malformed(place);
    }
    return apply(operands, place);
  }

  private boolean apply(List<CToken> operands, CToken place) throws CSyntaxException {
    if (operands.isEmpty()) {
      limit = 0;
      return true;
    }
    CToken first = operands.get(0);
    if (!first.isName()) {
      if (operands.size() > 1) {
        throw malformed(place);
      }
      limit = alignment(first);
      return true;
    }
    if (first.is("show") && operands.size() == 1) {
      return true;
    }
    if (operands.size() > 3 || !(first.is("push") || first.is("pop"))) {
      throw malformed(place);
    }
    String name = "";
    int given = -1;
    for (CToken operand : operands.subList(1, operands.size())) {
      if (operand.isName() && name.isEmpty() && given < 0) {
        name = operand.text();
      } else if (!operand.isName() && given < 0) {
        given = alignment(operand);
      } else {
        throw malformed(place);
      }
    }
    if (first.is("push")) {
      pushed.push(new Pushed(name, limit));
      limit = given < 0 ? limit : given;
      return true;
    }
    return pop(name, given);
  }

  private boolean pop(String name, int given) {
    boolean isThere =
        name.isEmpty()
            ? !pushed.isEmpty()
            : pushed.stream().anyMatch(one -> one.name().equals(name));
    while (isThere && !pushed.isEmpty()) {
      Pushed top = pushed.pop();
      limit = top.limit();
      if (name.isEmpty() || top.name().equals(name)) {
        break;
      }
    }
    limit = given < 0 ? limit : given;
    return isThere;
  }

  private static int alignment(CToken token) throws CSyntaxException {
    long value =
        CNumber.parse(token.text(), Long.BYTES)
            .map(CNumber::value)
            .filter(one -> one >= 0)
            .orElse(3L);
    if (value > 16 || Long.bitCount(value) > 1) {
      throw new CSyntaxException(
          token,
          "\"" + token.text() + "\" is not an alignment",
          "#pragma pack takes 1, 2, 4, 8 or 16; without a number, alignment is natural again");
    }
    return (int) value;
  }

  private static CSyntaxException malformed(CToken place) {
    return new CSyntaxException(
        place,
        "unknown form of #pragma pack",
        "write #pragma pack(push, 1), #pragma pack(pop), #pragma pack(1) or #pragma pack()");
  }
}
