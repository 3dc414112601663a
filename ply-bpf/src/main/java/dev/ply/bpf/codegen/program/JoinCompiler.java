package dev.ply.bpf.codegen.program;

import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.EventSite.Join;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.ir.Expr;
import dev.ply.type.AddressSpace;
import dev.ply.type.StructField;
import dev.ply.type.Type.IntType;

/**
 * Compiles {@code join}: copies the strings of an array of pointers to scratch memory, one after
 * the other, and sends as much as there is.
 */
final class JoinCompiler {
  private final ClauseCode clause;
  private final EventCompiler events;
  private final CodeBuilder code;

  JoinCompiler(ClauseCode clause, EventCompiler events) {
    this.clause = clause;
    this.events = events;
    this.code = clause.code();
  }

  /** Sends the strings of an array. */
  void send(Expr.Call call) {
    String separator = EventBuiltins.separator(call);
    EventSite site = clause.object().addEvent(id -> new Join(id, separator));
    Expr array = call.arguments().get(0);
    boolean isOfUser = clause.clause().spaceOf(array) == AddressSpace.USER;
    Register next = code.fresh();
    code.move(next, clause.arithmetic().register(clause.expressions().scalar(array, IntType.U64)));
    Place record = clause.memory().allocate(site.layout().size());
    code.store(Size.W, record, new Immediate(site.id()));
    code.store(Size.W, field(site, record, 2), new Immediate(0));
    Register used = copyStrings(next, isOfUser, site, record);
    code.store(Size.W, field(site, record, 1), used);
    Operand flags = events.wakeUp();
    Register size = code.fresh();
    Label sent = code.label("sent");
    Label full = code.label("full");
    code.move(size, used);
    code.jump(Width.W64, JumpOp.JGT, size, new Immediate(Join.FULL + Join.LONGEST + 1), sent);
    code.alu(Width.W64, AluOp.ADD, size, site.layout().fields().get(3).offset());
    Register result =
        code.callForResult(
            Helper.RINGBUF_OUTPUT,
            code.map(clause.object().events()),
            code.address(record),
            code.value(size),
            code.value(flags));
    code.jump(Width.W64, JumpOp.JSLT, result, new Immediate(0), full);
    code.place(sent);
    events.countLost(full, sent);
  }

  private static Place field(EventSite site, Place record, int index) {
    StructField field = site.layout().fields().get(index);
    return record.plus(field.offset());
  }

  /** Copies the strings and returns their size; bounds are checked on copies that do not spill. */
  private Register copyStrings(Register next, boolean isOfUser, EventSite site, Place record) {
    int word = clause.script().target().architecture().wordSize();
    Place slot = clause.memory().allocate(Long.BYTES);
    Register used = code.fresh();
    Register rounds = code.fresh();
    Label head = code.label("string");
    Label cut = code.label("cut");
    Label failed = code.label("unreadable");
    Label copied = code.label("copied");
    Label end = code.label("joined");
    code.move(used, new Immediate(0));
    code.move(rounds, new Immediate(0));
    code.place(head);
    Register error =
        code.callForResult(
            isOfUser ? Helper.PROBE_READ_USER : Helper.PROBE_READ_KERNEL,
            code.address(slot),
            code.value(word),
            code.value(next));
    code.jump(Width.W64, JumpOp.JNE, error, new Immediate(0), end);
    Register string = code.fresh();
    code.load(Size.ofBytes(word), string, slot);
    code.jumpIfNull(string, end);
    code.jump(Width.W64, JumpOp.JGE, rounds, new Immediate(Join.STRINGS), cut);
    code.alu(Width.W64, AluOp.ADD, rounds, 1);
    code.alu(Width.W64, AluOp.ADD, next, word);
    Register offset = code.fresh();
    code.move(offset, used);
    code.jump(Width.W64, JumpOp.JGT, offset, new Immediate(Join.FULL), cut);
    Register to = code.fresh();
    code.address(field(site, record, 3)).load(to);
    code.alu(Width.W64, AluOp.ADD, to, offset);
    Register length =
        code.callForResult(
            isOfUser ? Helper.PROBE_READ_USER_STR : Helper.PROBE_READ_KERNEL_STR,
            code.value(to),
            code.value(Join.LONGEST + 1),
            code.value(string));
    code.jump(Width.W64, JumpOp.JGT, length, new Immediate(Join.LONGEST + 1), failed);
    code.jump(Width.W64, JumpOp.JEQ, length, new Immediate(0), failed);
    code.place(copied);
    code.alu(Width.W64, AluOp.ADD, used, length);
    code.jump(head);
    code.outOfLine(
        () -> {
          // The helper has cleared the memory: an empty string.
          code.place(failed);
          code.move(length, new Immediate(1));
          code.jump(copied);
          code.place(cut);
          code.store(Size.W, field(site, record, 2), new Immediate(1));
          code.jump(end);
        });
    code.place(end);
    return used;
  }
}
