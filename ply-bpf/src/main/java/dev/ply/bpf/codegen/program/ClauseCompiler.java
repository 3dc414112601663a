package dev.ply.bpf.codegen.program;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.typing.LocalVariable;
import dev.ply.bpf.codegen.builtin.ThreadCode;
import dev.ply.bpf.codegen.clause.Aggregates;
import dev.ply.bpf.codegen.clause.BuiltinTable;
import dev.ply.bpf.codegen.clause.ClauseCode;
import dev.ply.bpf.codegen.clause.ContextLayout;
import dev.ply.bpf.codegen.clause.Events;
import dev.ply.bpf.codegen.clause.Expressions;
import dev.ply.bpf.codegen.clause.Maps;
import dev.ply.bpf.codegen.clause.Records;
import dev.ply.bpf.codegen.clause.Texts;
import dev.ply.bpf.codegen.clause.Variables;
import dev.ply.bpf.codegen.emit.ArithmeticCode;
import dev.ply.bpf.codegen.emit.CodeBuilder;
import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.codegen.loop.LoopCompiler;
import dev.ply.bpf.codegen.loop.MapLoopCompiler;
import dev.ply.bpf.codegen.map.MapCompiler;
import dev.ply.bpf.codegen.storage.KnownValues;
import dev.ply.bpf.codegen.storage.ObjectBuilder;
import dev.ply.bpf.codegen.value.AggregateCompiler;
import dev.ply.bpf.codegen.value.EntryUpdate;
import dev.ply.bpf.codegen.value.ExpressionCompiler;
import dev.ply.bpf.codegen.value.RecordCompiler;
import dev.ply.bpf.codegen.value.TextCompiler;
import dev.ply.bpf.codegen.value.VariableCompiler;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.bpf.plan.SamplingPlan;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;
import java.util.function.Function;

/**
 * Compiles one clause: its predicate, then its statements; gives access to the compilers of their
 * parts.
 */
final class ClauseCompiler implements ClauseCode, Statement.Visitor<Void> {
  private final AnalyzedClause clause;
  private final AnalyzedScript script;
  private final CodeBuilder code;
  private final Memory memory;
  private final ObjectBuilder object;
  private final Register context;
  private final ContextLayout layout;
  private final PlannedProgram program;
  private final boolean asksName;
  private final ArithmeticCode arithmetic;
  private final ExpressionCompiler expressions;
  private final TextCompiler texts;
  private final AggregateCompiler aggregates;
  private final MapCompiler maps;
  private final EventCompiler events;
  private final RecordCompiler records;
  private final VariableCompiler variables;
  private final LoopCompiler loops;
  private final MapLoopCompiler mapLoops;
  private final Label end;

  /** Facts about values that the enclosing conditions imply. */
  private KnownValues known;

  ClauseCompiler(
      AnalyzedClause clause,
      AnalyzedScript script,
      CodeBuilder code,
      Memory memory,
      ObjectBuilder object,
      PlannedProgram program,
      ContextLayout layout,
      Register context) {
    this.clause = clause;
    this.script = script;
    this.code = code;
    this.memory = memory;
    this.object = object;
    this.context = context;
    this.program = program;
    this.asksName = program.asksName();
    this.layout = layout;
    this.arithmetic = new ArithmeticCode(code);
    this.expressions = new ExpressionCompiler(this);
    this.texts = new TextCompiler(this);
    this.aggregates = new AggregateCompiler(this);
    this.maps = new MapCompiler(this);
    this.events = new EventCompiler(this);
    this.records = new RecordCompiler(this);
    this.variables = new VariableCompiler(this);
    this.loops = new LoopCompiler(this);
    this.mapLoops = new MapLoopCompiler(this, loops);
    this.end = code.label("end");
    this.known = KnownValues.of(program, clause, script.target());
  }

  /** Emits the clause; control continues after it. */
  void compile() {
    clause
        .clause()
        .predicate()
        .ifPresent(
            predicate -> {
              code.mark(predicate.span());
              scoped(() -> expressions.jumpIf(predicate, false, end));
            });
    if (object.role(clause.clause()) == SamplingPlan.Role.SAMPLED) {
      new HitSampler(this).skipTo(end);
    }
    clause.clause().body().accept(this);
    code.place(end);
  }

  @Override
  public Void visit(Statement.Block node) {
    events.compileBranch(() -> compileBlock(node));
    return null;
  }

  private void compileBlock(Statement.Block node) {
    variables.compileBlock(
        () ->
            scoped(
                () ->
                    node.statements()
                        .forEach(
                            statement -> {
                              code.placeOutOfLine();
                              statement.accept(this);
                            })));
  }

  @Override
  public <T> T compileValue(Expr.Block node, Function<Expr, T> value) {
    return variables.compileValue(
        () -> {
          node.statements().statements().forEach(statement -> statement.accept(this));
          return value.apply(node.value());
        });
  }

  @Override
  public void compileLoopBody(Statement.Block body) {
    events.compileLoop(() -> compileBlock(body));
  }

  @Override
  public void compileCondition(Expr condition, Label otherwise) {
    scoped(() -> expressions.jumpIf(condition, false, otherwise));
  }

  @Override
  public void compileWhere(Expr condition, Runnable statements) {
    KnownValues before = known;
    known = known.where(condition);
    statements.run();
    known = before;
  }

  @Override
  public Void visit(Statement.While node) {
    scoped(() -> loops.compile(node));
    return null;
  }

  @Override
  public Void visit(Statement.ForRange node) {
    LocalVariable variable = clause.variable(node);
    variables.compileBlock(
        () -> {
          variables.allocate(variable);
          scoped(() -> loops.compile(node, variable));
        });
    return null;
  }

  @Override
  public Void visit(Statement.ForEach node) {
    code.mark(node.span());
    scoped(() -> mapLoops.compile(node));
    return null;
  }

  @Override
  public Void visit(Statement.Unroll node) {
    loops.compile(node);
    return null;
  }

  @Override
  public Void visit(Statement.Break node) {
    code.mark(node.span());
    loops.leave();
    return null;
  }

  @Override
  public Void visit(Statement.Continue node) {
    code.mark(node.span());
    loops.next();
    return null;
  }

  @Override
  public Void visit(Statement.Assign node) {
    LocalVariable variable = variables.assigned(node);
    code.mark(node.span());
    variables.allocate(variable);
    scoped(() -> variables.assign(variable, node.value()));
    return null;
  }

  @Override
  public Void visit(Statement.Declare node) {
    LocalVariable variable = clause.variable(node);
    code.mark(node.span());
    variables.allocate(variable);
    node.value()
        .ifPresentOrElse(
            value -> scoped(() -> variables.assign(variable, value)),
            () -> variables.clear(variable));
    return null;
  }

  @Override
  public Void visit(Statement.Update node) {
    code.mark(node.span());
    scoped(() -> new EntryUpdate(this).compile(node.target(), node.op(), node.value()));
    return null;
  }

  @Override
  public Void visit(Statement.If node) {
    Label otherwise = code.label("else");
    code.mark(node.condition().span());
    compileCondition(node.condition(), otherwise);
    compileWhere(node.condition(), () -> node.then().accept(this));
    if (node.otherwise().statements().isEmpty()) {
      code.place(otherwise);
    } else {
      Label endIf = code.label("endif");
      code.jump(endIf);
      code.place(otherwise);
      node.otherwise().accept(this);
      code.place(endIf);
    }
    return null;
  }

  @Override
  public Void visit(Statement.Store node) {
    code.mark(node.span());
    scoped(() -> maps.store(node.target(), node.value()));
    return null;
  }

  @Override
  public Void visit(Statement.Aggregate node) {
    code.mark(node.span());
    scoped(() -> maps.aggregate(node.target(), node.aggregation()));
    return null;
  }

  @Override
  public Void visit(Statement.Delete node) {
    MapRef target = node.target();
    code.mark(node.span());
    // A map without stores, only deletes, does not exist.
    if (script.maps().stream().anyMatch(map -> map.name().equals(target.name()))) {
      scoped(() -> maps.remove(target));
    }
    return null;
  }

  @Override
  public Void visit(Statement.Return node) {
    code.mark(node.span());
    node.value().ifPresent(value -> scoped(() -> expressions.evaluate(value)));
    code.jump(end);
    return null;
  }

  @Override
  public Void visit(Statement.Evaluate node) {
    code.mark(node.span());
    Expr expression = node.expression();
    scoped(
        () -> {
          if (!(expression instanceof Expr.Call call && events.compile(call))) {
            expressions.evaluate(expression);
          }
        });
    return null;
  }

  @Override
  public void scoped(Runnable statement) {
    Memory.Scope scope = memory.open();
    statement.run();
    memory.close(scope);
  }

  @Override
  public AnalyzedClause clause() {
    return clause;
  }

  @Override
  public AnalyzedScript script() {
    return script;
  }

  @Override
  public CodeBuilder code() {
    return code;
  }

  @Override
  public Memory memory() {
    return memory;
  }

  @Override
  public KnownValues known() {
    return known;
  }

  @Override
  public ObjectBuilder object() {
    return object;
  }

  @Override
  public Register context() {
    return context;
  }

  @Override
  public ContextLayout layout() {
    return layout;
  }

  @Override
  public boolean asksName() {
    return asksName;
  }

  @Override
  public PlannedProgram program() {
    return program;
  }

  @Override
  public ArithmeticCode arithmetic() {
    return arithmetic;
  }

  @Override
  public Expressions expressions() {
    return expressions;
  }

  @Override
  public Texts texts() {
    return texts;
  }

  @Override
  public Aggregates aggregates() {
    return aggregates;
  }

  @Override
  public Maps maps() {
    return maps;
  }

  @Override
  public Variables variables() {
    return variables;
  }

  @Override
  public Records records() {
    return records;
  }

  @Override
  public Events events() {
    return events;
  }

  @Override
  public BuiltinTable builtins() {
    return BuiltinCodes.ALL;
  }

  @Override
  public Register processor() {
    return new ThreadCode(this).processor();
  }
}
