package dev.ply.lang.events.translate;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A list of CPUs in a filter, {@code CPUS{0-3,8}}, as the kernel's lists of numbers.
 *
 * @param ranges in the order of the list, each with its step
 */
record CpuList(List<Range> ranges) {
  /** Before a list. */
  static final String START = "CPUS{";

  private static final int MOST_CPUS = 8192;

  private static final Pattern RANGE = Pattern.compile("(\\d+)(?:-(\\d+)(?::(\\d+)/(\\d+))?)?");

  CpuList {
    ranges = List.copyOf(ranges);
  }

  /**
   * Some CPUs from one to another.
   *
   * @param used how many of each {@code group}, 1 of 1 for all
   */
  record Range(long first, long last, long used, long group) {
    boolean isOne() {
      return first == last;
    }

    /** Returns whether a number is in the range. */
    Expr has(Nodes nodes, Expr value) {
      Expr first = nodes.number(this.first);
      if (isOne()) {
        return nodes.binary(BinaryOp.EQ, value, first);
      }
      // A negative number is not a CPU.
      Expr number = nodes.cast("uint64", 0, value);
      Expr upTo = nodes.binary(BinaryOp.LE, number, nodes.number(last));
      Expr within =
          this.first == 0
              ? upTo
              : nodes.binary(BinaryOp.LOGICAL_AND, nodes.binary(BinaryOp.GE, number, first), upTo);
      if (used == group) {
        return within;
      }
      Expr place =
          nodes.binary(
              BinaryOp.MOD, nodes.binary(BinaryOp.SUB, number, first), nodes.number(group));
      return nodes.binary(
          BinaryOp.LOGICAL_AND, within, nodes.binary(BinaryOp.LT, place, nodes.number(used)));
    }
  }

  /** Parses what is between the braces; empty if it is not a list. */
  static Optional<CpuList> parse(String text) {
    List<Range> ranges = new ArrayList<>();
    for (String part : text.trim().split("[,\\s]+", -1)) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        return Optional.empty();
      }
      OptionalLong first = number(range.group(1));
      OptionalLong last = range.group(2) == null ? first : number(range.group(2));
      OptionalLong used = range.group(3) == null ? OptionalLong.of(1) : number(range.group(3));
      OptionalLong group = range.group(4) == null ? OptionalLong.of(1) : number(range.group(4));
      if (first.isEmpty() || last.isEmpty() || used.isEmpty() || group.isEmpty()) {
        return Optional.empty();
      }
      Range one =
          new Range(first.getAsLong(), last.getAsLong(), used.getAsLong(), group.getAsLong());
      if (one.last < one.first || one.group == 0 || one.used == 0 || one.used > one.group) {
        return Optional.empty();
      }
      ranges.add(one);
    }
    return Optional.of(new CpuList(ranges));
  }

  private static OptionalLong number(String digits) {
    return digits.length() <= 4 && Integer.parseInt(digits) < MOST_CPUS
        ? OptionalLong.of(Integer.parseInt(digits))
        : OptionalLong.empty();
  }

  /** Returns a number compared with the list; no number is equal to several CPUs. */
  Expr compared(Nodes nodes, String operator, Expr value) {
    if (ranges.size() == 1 && ranges.get(0).isOne()) {
      BinaryOp op = operator.equals("!=") ? BinaryOp.NE : BinaryOp.EQ;
      return nodes.binary(op, value, nodes.number(ranges.get(0).first));
    }
    if (!operator.equals("&")) {
      return nodes.number(operator.equals("!=") ? 1 : 0);
    }
    return ranges.stream()
        .map(range -> range.has(nodes, value))
        .reduce((one, other) -> nodes.binary(BinaryOp.LOGICAL_OR, one, other))
        .orElseThrow();
  }
}
