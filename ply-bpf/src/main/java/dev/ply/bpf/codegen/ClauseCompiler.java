package dev.ply.bpf.codegen;

import dev.ply.analysis.AnalyzedClause;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.plan.PlannedProgram;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.Statement;

/**
 * Compiles one clause: its predicate, then its statements; and holds together what compiles their
 * parts.
 */
final class ClauseCompiler implements Statement.Visitor<Void> {
  private final AnalyzedClause clause;
  private final AnalyzedScript script;
  private final CodeBuilder code;
  private final Memory memory;
  private final ObjectBuilder object;
  private final Register context;
  private final ContextLayout layout;
  private final PlannedProgram program;
  private final ArithmeticCode arithmetic;
  private final ExpressionCompiler expressions;
  private final TextCompiler texts;
  private final MapCompiler maps;
  private final EventCompiler events;
  private final RecordCompiler records;
  private final Label end;

  /** What conditions say on the way to what is being compiled. */
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
    this.layout = layout;
    this.arithmetic = new ArithmeticCode(code);
    this.expressions = new ExpressionCompiler(this);
    this.texts = new TextCompiler(this);
    this.maps = new MapCompiler(this);
    this.events = new EventCompiler(this);
    this.records = new RecordCompiler(this);
    this.end = code.label("end");
    this.known = KnownValues.of(program, clause, script.target());
  }

  /** Emits the clause; control leaves at its end. */
  void compile() {
    clause
        .clause()
        .predicate()
        .ifPresent(
            predicate -> {
              code.mark(predicate.span());
              scoped(() -> expressions.jumpIf(predicate, false, end));
            });
    clause.clause().body().accept(this);
    code.place(end);
  }

  @Override
  public Void visit(Statement.Block node) {
    events.compileBranch(() -> node.statements().forEach(statement -> statement.accept(this)));
    return null;
  }

  @Override
  public Void visit(Statement.If node) {
    Label otherwise = code.label("else");
    code.mark(node.condition().span());
    scoped(() -> expressions.jumpIf(node.condition(), false, otherwise));
    KnownValues before = known;
    known = known.where(node.condition());
    node.then().accept(this);
    known = before;
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
    // A map that is only ever deleted from never came to be.
    if (script.maps().stream().anyMatch(map -> map.name().equals(target.name()))) {
      scoped(() -> maps.delete(target));
    }
    return null;
  }

  @Override
  public Void visit(Statement.Return node) {
    code.mark(node.span());
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

  private void scoped(Runnable statement) {
    Memory.Scope scope = memory.open();
    statement.run();
    memory.close(scope);
  }

  AnalyzedClause clause() {
    return clause;
  }

  AnalyzedScript script() {
    return script;
  }

  CodeBuilder code() {
    return code;
  }

  Memory memory() {
    return memory;
  }

  KnownValues known() {
    return known;
  }

  ObjectBuilder object() {
    return object;
  }

  Register context() {
    return context;
  }

  ContextLayout layout() {
    return layout;
  }

  PlannedProgram program() {
    return program;
  }

  ArithmeticCode arithmetic() {
    return arithmetic;
  }

  ExpressionCompiler expressions() {
    return expressions;
  }

  TextCompiler texts() {
    return texts;
  }

  MapCompiler maps() {
    return maps;
  }

  RecordCompiler records() {
    return records;
  }
}
