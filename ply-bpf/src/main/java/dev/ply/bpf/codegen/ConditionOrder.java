package dev.ply.bpf.codegen;

import dev.ply.ir.BinaryOp;
import dev.ply.ir.Expr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Puts the parts of a condition into the order in which they are best tested: what costs least
 * first, as one part may spare the others. No part has an effect, so that the order does not show.
 */
final class ConditionOrder {
  /** About as many machine instructions as a kernel of 2024 takes on x86-64. */
  private static final int HELPER = 12;

  private static final int CLOCK = 60;
  private static final int NAME = 40;
  private static final int LOOK_UP = 120;
  private static final int MEMORY = 150;
  private static final int STACK = 2000;

  private ConditionOrder() {}

  /** Returns the parts that {@code node} joins by its operator, the cheapest first. */
  static List<Expr> cheapestFirst(Expr.Binary node) {
    List<Expr> parts = parts(node);
    parts.sort(Comparator.comparingInt(ConditionOrder::cost));
    return parts;
  }

  /** Returns the parts that {@code node} joins by its operator, as they stand. */
  static List<Expr> parts(Expr.Binary node) {
    List<Expr> parts = new ArrayList<>();
    add(node, node.op(), parts);
    return parts;
  }

  private static void add(Expr expr, BinaryOp op, List<Expr> parts) {
    if (expr instanceof Expr.Binary binary && binary.op() == op) {
      add(binary.left(), op, parts);
      add(binary.right(), op, parts);
    } else {
      parts.add(expr);
    }
  }

  private static int cost(Expr expr) {
    if (expr instanceof Expr.Unary unary) {
      return 1 + cost(unary.operand());
    }
    if (expr instanceof Expr.Binary binary) {
      return 1 + cost(binary.left()) + cost(binary.right());
    }
    if (expr instanceof Expr.MapRead read) {
      return LOOK_UP + read.map().keys().stream().mapToInt(ConditionOrder::cost).sum();
    }
    if (expr instanceof Expr.Call call) {
      return cost(call) + call.arguments().stream().mapToInt(ConditionOrder::cost).sum();
    }
    return 1;
  }

  private static int cost(Expr.Call call) {
    return switch (call.function()) {
      case RETVAL, CALLER, CTX, DATA, REGS, UPTR, KPTR, KADDR, KSYM -> 1;
      case PID, KPID, UID, GID, CPU, PROBE, STRCMP -> HELPER;
      case TIME, WALLTIME, NSECS -> CLOCK;
      case COMM -> NAME;
      case STR, MEM, DYN -> MEMORY;
      case STACK, USTACK, PRINT, PRINTF, CLEAR, EXIT -> STACK;
    };
  }
}
