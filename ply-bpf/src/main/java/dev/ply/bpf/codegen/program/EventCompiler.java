package dev.ply.bpf.codegen.program;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.Events;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.LossCounter;
import dev.ply.bpf.codegen.emit.Place;
import dev.ply.bpf.codegen.value.SideEffects;
import dev.ply.bpf.isa.AluOp;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Immediate;
import dev.ply.bpf.isa.JumpOp;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Operand;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.isa.Width;
import dev.ply.bpf.object.EventItem;
import dev.ply.bpf.object.EventSite;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.aggregate.EmitFunction;
import dev.ply.builtin.catalog.EventBuiltins;
import dev.ply.diagnostic.Severity;
import dev.ply.ir.Expr;
import dev.ply.ir.ExprText;
import dev.ply.ir.PrintedMap;
import dev.ply.ir.declaration.Setting;
import dev.ply.probe.Provider.Trait;
import dev.ply.result.Loss;
import dev.ply.result.Message;
import dev.ply.result.TraceLine;
import dev.ply.type.StructField;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.StructType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Compiles calls that send events: records are reserved in the ring buffer and written in place.
 */
final class EventCompiler implements Events {
  private static final int NO_WAKEUP = 1;
  private static final int FORCE_WAKEUP = 2;
  private static final int PRODUCER_POSITION = 3;
  private static final int USUAL_CAT_BYTES = 10240;

  /** The number of wake-ups while the buffer fills once. */
  private static final int PARTS = 4;

  /** The number of bytes at a part's start in which records wake the reader. */
  private static final int NEAR = 2048;

  private final ClauseCode clause;
  private final CodeBuilder code;

  /** The site that last printed each map, on every path to this point. */
  private final Map<String, Integer> shown = new HashMap<>();

  EventCompiler(ClauseCode clause) {
    this.clause = clause;
    this.code = clause.code();
  }

  /** Compiles a call if it sends an event or acts; returns whether it does. */
  boolean compile(Expr.Call call) {
    if (clause.builtins().of(Builtin.of(call)) instanceof BuiltinCode.Action action) {
      action.run(clause, call);
      return true;
    }
    if (clause.builtins().of(Builtin.of(call)) instanceof BuiltinCode.Event event) {
      event.send(clause, call);
      return true;
    }
    return false;
  }

  @Override
  public void print(Expr.Call call) {
    List<Expr> values = new ArrayList<>();
    List<EventItem> items = new ArrayList<>();
    Optional<PrintedMap> map = PrintedMap.of(call.arguments());
    map.ifPresent(
        printed ->
            items.add(
                new EventItem.WholeMap(printed.map().name(), printed.top(), printed.divisor())));
    for (Expr argument : map.isPresent() ? List.<Expr>of() : call.arguments()) {
      items.add(
          argument instanceof Expr.MapRead read && read.map().keys().isEmpty()
              ? new EventItem.WholeMap(read.map().name())
              : field(argument, values));
    }
    StructType layout = layout(values);
    EventSite site =
        clause.object().addEvent(id -> new EventSite.Print(id, layout, items, call.span()));
    send(site, values);
    noteShown(site, items);
  }

  @Override
  public void printf(Expr.Call call, Message message) {
    formatted(
        call,
        (id, layout, format, items) -> new EventSite.Printf(id, layout, format, items, message));
  }

  @Override
  public void trace(Expr.Call call) {
    TraceLine line = ((EventBuiltins.TracePrintf) call.function()).line();
    formatted(
        call, (id, layout, format, items) -> new EventSite.Trace(id, layout, format, items, line));
  }

  @Override
  public void command(Expr.Call call) {
    formatted(
        call,
        (id, layout, format, items) ->
            new EventSite.Command(id, layout, format, items, call.span()));
  }

  @Override
  public void report(Expr.Call call, Severity severity) {
    formatted(
        call,
        (id, layout, format, items) ->
            new EventSite.Report(id, layout, format, items, severity, call.span()));
  }

  @Override
  public void file(Expr.Call call) {
    int limit =
        clause.script().configuration().number(Setting.MAX_CAT_BYTES).orElse(USUAL_CAT_BYTES);
    formatted(
        call,
        (id, layout, format, items) ->
            new EventSite.File(id, layout, format, items, limit, call.span()));
  }

  /** Creates the site of a call with a format. */
  private interface FormattedSite {
    EventSite create(int id, StructType layout, String format, List<EventItem> items);
  }

  private void formatted(Expr.Call call, FormattedSite kind) {
    String format = ((Expr.StringLiteral) call.arguments().get(0)).value();
    List<Expr> values = new ArrayList<>();
    List<EventItem> items = new ArrayList<>();
    for (Expr argument : call.arguments().subList(1, call.arguments().size())) {
      items.add(
          argument instanceof Expr.MapRead read && !clause.clause().isTyped(read)
              ? new EventItem.WholeMap(read.map().name())
              : field(argument, values));
    }
    StructType layout = layout(values);
    EventSite site = clause.object().addEvent(id -> kind.create(id, layout, format, items));
    send(site, values);
    noteShown(site, items);
  }

  @Override
  public void emit(Expr.Call call) {
    EmitFunction<?> function = (EmitFunction<?>) call.function();
    StructType layout = layout(call.arguments());
    EventSite site = clause.object().addEvent(id -> new EventSite.Emit(id, layout, function));
    send(site, call.arguments());
  }

  @Override
  public void clear(Expr.Call call) {
    String map = ((Expr.MapRead) call.arguments().get(0)).map().name();
    StructType layout = layout(List.of());
    Integer shownBy = shown.get(map);
    OptionalInt site = shownBy == null ? OptionalInt.empty() : OptionalInt.of(shownBy);
    send(clause.object().addEvent(id -> new EventSite.Clear(id, layout, map, site)), List.of());
  }

  @Override
  public void zero(Expr.Call call) {
    String map = ((Expr.MapRead) call.arguments().get(0)).map().name();
    StructType layout = layout(List.of());
    Integer shownBy = shown.get(map);
    OptionalInt site = shownBy == null ? OptionalInt.empty() : OptionalInt.of(shownBy);
    send(clause.object().addEvent(id -> new EventSite.Zero(id, layout, map, site)), List.of());
  }

  private void noteShown(EventSite site, List<EventItem> items) {
    for (EventItem item : items) {
      if (item instanceof EventItem.WholeMap map) {
        shown.put(map.name(), site.id());
      }
    }
  }

  /** Compiles conditional statements: maps they print are not known to be printed after them. */
  void compileBranch(Runnable statements) {
    Map<String, Integer> before = Map.copyOf(shown);
    statements.run();
    shown.clear();
    shown.putAll(before);
  }

  /** Compiles repeated statements. */
  void compileLoop(Runnable statements) {
    Map<String, Integer> before = Map.copyOf(shown);
    shown.clear();
    statements.run();
    shown.clear();
    shown.putAll(before);
  }

  @Override
  public void exit(Expr.Call call) {
    StructType layout = StructType.ofKeyParts(List.of(IntType.U32, IntType.S32));
    EventSite site = clause.object().addEvent(id -> new EventSite.Exit(id, layout));
    send(site, call.arguments());
  }

  @Override
  public void join(Expr.Call call) {
    new JoinCompiler(clause, this).send(call);
  }

  @Override
  public void unwatch(Expr.Call call) {
    StructType layout = StructType.ofKeyParts(List.of(IntType.U32, IntType.U64));
    EventSite site = clause.object().addEvent(id -> new EventSite.Unwatch(id, layout));
    send(site, call.arguments());
  }

  /** Adds the value to the record; field 0 is the number of the site. */
  private static EventItem field(Expr value, List<Expr> values) {
    values.add(value);
    return new EventItem.Field(ExprText.heading(value, "value"), values.size());
  }

  private StructType layout(List<Expr> values) {
    List<Type> types = new ArrayList<>();
    types.add(IntType.U32);
    values.forEach(value -> types.add(clause.clause().typeOf(value)));
    return StructType.ofKeyParts(types);
  }

  private boolean isRare() {
    return clause
        .clause()
        .clause()
        .point()
        .provider()
        .filter(kind -> kind.has(Trait.RARE))
        .isPresent();
  }

  /**
   * Returns the flags that a record is submitted with: without waking the reader, which polls by
   * itself, unless it completes another part of the buffer: a wake-up costs more than everything
   * else. Near a part's start every record wakes, since one on another CPU can hide that the part
   * is complete.
   */
  Operand wakeUp() {
    if (isRare()) {
      return new Immediate(FORCE_WAKEUP);
    }
    int part = clause.object().manyEvents() / PARTS;
    Register position =
        code.callForResult(
            Helper.RINGBUF_QUERY,
            code.map(clause.object().events()),
            code.value(PRODUCER_POSITION));
    Register flags = code.fresh();
    Label quiet = code.label("quiet");
    code.alu(Width.W64, AluOp.AND, position, part - 1);
    code.constant(flags, NO_WAKEUP);
    code.jump(Width.W64, JumpOp.JGT, position, new Immediate(Math.min(NEAR, part / 2)), quiet);
    code.constant(flags, FORCE_WAKEUP);
    code.place(quiet);
    return flags;
  }

  private void send(EventSite site, List<Expr> values) {
    StructType layout = site.layout();
    // A reserved record must be submitted, whichever way statements among the values take.
    List<Optional<Place>> before = evaluated(values, layout);
    Label full = code.label("full");
    Label sent = code.label("sent");
    Register record =
        code.callForResult(
            Helper.RINGBUF_RESERVE,
            code.map(clause.object().events()),
            code.value(layout.size()),
            code.value(0));
    code.jumpIfNull(record, full);
    code.store(Size.W, new Place(record, 0), new Immediate(site.id()));
    for (int i = 1; i < layout.fields().size(); i++) {
      StructField field = layout.fields().get(i);
      Place to = new Place(record, field.offset());
      if (i <= before.size() && before.get(i - 1).isPresent()) {
        code.copy(before.get(i - 1).get(), to, field.type().size());
      } else if (i <= values.size()) {
        clause.maps().write(values.get(i - 1), to, field.type());
      } else {
        code.zero(to, field.type().size());
      }
    }
    Operand flags = site instanceof EventSite.Exit ? new Immediate(FORCE_WAKEUP) : wakeUp();
    code.call(Helper.RINGBUF_SUBMIT, code.value(record), code.value(flags));
    code.place(sent);
    countLost(full, sent);
  }

  /** Evaluates values in which there are statements, and all others with them, in order. */
  private List<Optional<Place>> evaluated(List<Expr> values, StructType layout) {
    List<Optional<Place>> places = new ArrayList<>();
    if (values.stream().noneMatch(SideEffects::areStatements)) {
      return places;
    }
    for (int i = 0; i < values.size(); i++) {
      Type type = layout.fields().get(i + 1).type();
      Place place = clause.memory().allocate(type.size());
      clause.maps().write(values.get(i), place, type);
      places.add(Optional.of(place));
    }
    return places;
  }

  /** Counts a lost event at {@code full}, and continues at {@code sent}. */
  void countLost(Label full, Label sent) {
    code.outOfLine(
        () -> {
          code.place(full);
          new LossCounter(code, clause.object()).count(Loss.EVENTS, sent);
        });
  }
}
