package dev.ply.bpf.codegen.builtin;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Cost;
import dev.ply.bpf.codegen.clause.Texts;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.emit.ScalarCode;
import dev.ply.bpf.codegen.value.StringSearch;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.builtin.catalog.StringBuiltins;
import dev.ply.ir.Expr;
import dev.ply.type.BytePattern;

/** Generates code for string functions. */
public final class StringCode {
  private StringCode() {}

  /** Adds the generators of the built-ins of strings. */
  public static void addTo(BuiltinTable codes) {
    codes.comparison(StringBuiltins.STRCMP, Cost.HELPER, new Order());
    codes.comparison(StringBuiltins.STRNCMP, Cost.HELPER, StringCode::jumpIfPrefixDiffers);
    codes.scalar(
        StringBuiltins.MEMCMP,
        Cost.HELPER,
        (clause, call) ->
            clause
                .texts()
                .compareBytes(
                    call.arguments().get(0),
                    call.arguments().get(1),
                    Math.toIntExact(((Expr.IntLiteral) call.arguments().get(2)).value())));
    codes.comparison(StringBuiltins.STRCONTAINS, Cost.MEMORY, StringCode::jumpIfContained);
    codes.scalar(
        StringBuiltins.STRSTR,
        Cost.MEMORY,
        (clause, call) ->
            new ScalarCode.InRegister(
                new StringSearch(clause).index(call.arguments().get(0), call.arguments().get(1))));
    codes.scalar(
        StringBuiltins.STRGLOB,
        Cost.MEMORY,
        (clause, call) ->
            new ScalarCode.InRegister(
                new StringSearch(clause)
                    .matches(
                        call.arguments().get(0),
                        BytePattern.of(((Expr.StringLiteral) call.arguments().get(1)).value()))));
    codes.scalar(
        StringBuiltins.STRLEN,
        Cost.MEMORY,
        (clause, call) -> new StringSearch(clause).length(call.arguments().get(0)));
    codes.inMemory(StringBuiltins.STR_CONCAT, Cost.MEMORY, StringCode::concatenate);
  }

  /** Writes both to memory in which the second's offset can be computed. */
  private static void concatenate(ClauseCode clause, Expr.Call call, Place to, int size) {
    CodeBuilder code = clause.code();
    Texts.Text start = clause.texts().terminated(call.arguments().get(0));
    Texts.Text end = clause.texts().terminated(call.arguments().get(1));
    int whole = Math.max(start.size() + end.size() - 1, size);
    Place both = clause.memory().allocateInScratch(whole);
    code.zero(both, whole);
    Register length = copied(code, start, both);
    code.alu(Width.W64, AluOp.SUB, length, 1);
    Register rest = code.fresh();
    code.move(rest, both.base());
    code.alu(Width.W64, AluOp.ADD, rest, length);
    copied(code, end, new Place(rest, both.offset()));
    code.store(Size.B, both.plus(size - 1), new Immediate(0));
    code.copy(both, to, size);
  }

  /** Copies a string and returns its length, including the NUL, which the verifier sees bounded. */
  private static Register copied(CodeBuilder code, Texts.Text text, Place to) {
    Register length =
        code.callForResult(
            Helper.PROBE_READ_KERNEL_STR,
            code.address(to),
            code.value(text.size()),
            code.address(text.place()));
    Label known = code.label("length");
    Label unread = code.label("unread");
    code.jump(Width.W64, JumpOp.JSLT, length, new Immediate(1), unread);
    code.jump(Width.W64, JumpOp.JLE, length, new Immediate(text.size()), known);
    code.place(unread);
    code.move(length, new Immediate(1));
    code.place(known);
    return length;
  }

  private static void jumpIfContained(
      ClauseCode clause, Expr.Call call, boolean sense, Label target) {
    Register index =
        new StringSearch(clause).index(call.arguments().get(0), call.arguments().get(1));
    clause
        .code()
        .jump(Width.W64, sense ? JumpOp.JSGE : JumpOp.JSLT, index, new Immediate(0), target);
  }

  private static void jumpIfPrefixDiffers(
      ClauseCode clause, Expr.Call call, boolean sense, Label target) {
    Expr.IntLiteral length = (Expr.IntLiteral) call.arguments().get(2);
    clause
        .texts()
        .jumpIfEqual(
            call.arguments().get(0),
            call.arguments().get(1),
            Math.toIntExact(length.value()),
            !sense,
            target);
  }

  /** Generates the ordering of two strings. */
  private static final class Order implements BuiltinCode.Comparison {
    @Override
    public ScalarCode compile(ClauseCode clause, Expr.Call call) {
      return clause.texts().compare(call.arguments().get(0), call.arguments().get(1));
    }

    @Override
    public void jumpIf(ClauseCode clause, Expr.Call call, boolean sense, Label target) {
      clause.texts().jumpIfEqual(call.arguments().get(0), call.arguments().get(1), !sense, target);
    }
  }
}
