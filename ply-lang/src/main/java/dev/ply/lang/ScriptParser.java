package dev.ply.lang;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Clause;
import dev.ply.ir.Configuration;
import dev.ply.ir.Script;
import dev.ply.ir.SourceSpan;
import dev.ply.lang.grammar.PlyParser;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;

/** Parses scripts. Stateless and thread-safe. */
public final class ScriptParser {
  private final Source source;
  private final Positions positions;
  private final Diagnostics diagnostics = new Diagnostics();
  private final TypeDefinitions definitions;
  private final MapDeclarations declarations;
  private final List<Clause> clauses = new ArrayList<>();
  private Configuration configuration = Configuration.NONE;

  private ScriptParser(Source source) {
    this.source = source;
    this.positions = new Positions(source.name());
    this.definitions = new TypeDefinitions(positions, diagnostics);
    this.declarations = new MapDeclarations(positions, diagnostics);
  }

  /**
   * Parses a script in an empty environment.
   *
   * @param source text and name of the script
   * @return the script, and all syntax errors
   */
  public static ParseResult parse(Source source) {
    return parse(source, Map.of());
  }

  /**
   * Parses a script. Any input yields a script or at least one error.
   *
   * @param source text and name of the script
   * @param environment values of environment variables such as {@code $HOME}, by names without
   *     {@code $}
   * @return the script, and all syntax errors
   */
  public static ParseResult parse(Source source, Map<String, String> environment) {
    ScriptParser parser = new ScriptParser(source);
    EnvironmentVariables variables = new EnvironmentVariables(environment, parser.diagnostics);
    try {
      parser.parse(variables);
    } catch (StackOverflowError e) {
      // Nesting is limited, but little of the caller's stack may be left.
      parser.diagnostics.error(
          DiagnosticCode.SYNTAX, parser.start(), "the script is nested too deeply");
    }
    return new ParseResult(
        new Script(
            parser.configuration,
            parser.clauses,
            variables.substitutions(),
            parser.definitions.definitions(),
            parser.declarations.declarations()),
        Diagnostics.onePerPlace(parser.diagnostics.list()));
  }

  private SourceSpan start() {
    return new SourceSpan(source.name(), 1, 1, 1, 2);
  }

  private void parse(EnvironmentVariables variables) {
    Preprocessor.Result script = Preprocessor.apply(source, diagnostics);
    List<Token> words = Tokenizer.of(script.source(), script.macros(), this::withoutDefinitions);
    variables.findAssigned(words);
    CommonTokenStream tokens = new CommonTokenStream(new ListTokenSource(words));
    PlyParser parser = new PlyParser(tokens);
    parser.removeErrorListeners();
    // SLL suffices for this grammar; full LL would only be slower.
    parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
    SyntaxErrors faults = new SyntaxErrors(positions, Tokenizer.withoutEnd(words));
    parser.setErrorHandler(faults);
    PlyParser.ScriptContext tree = parser.script();
    ErrorRegions damage = new ErrorRegions(tree);
    Macros macros = new Macros(positions, diagnostics);
    tree.macro().forEach(macros::define);
    AstBuilder builder =
        new AstBuilder(
            positions,
            diagnostics,
            MapNames.in(words),
            definitions.constants(),
            macros,
            variables,
            damage,
            tokens);
    if (tree.config() != null) {
      report(faults.between(0, tree.config().getStop().getTokenIndex() + 1));
      configuration = new ConfigurationBuilder(positions, diagnostics).build(tree.config());
    }
    boolean isDamaged = false;
    for (int i = 0; i < tree.getChildCount(); i++) {
      if (tree.getChild(i) instanceof PlyParser.ProbeContext probe) {
        int next =
            tree.getChild(i + 1) instanceof ParserRuleContext following
                ? following.getStart().getTokenIndex() + 1
                : tokens.size();
        // The error at the start of a probe may be the missing end of the previous one.
        report(probe, faults.between(probe.getStart().getTokenIndex() + 1, next));
        clauses.addAll(builder.clauses(probe));
        isDamaged = damage.isIn(probe);
      } else if (tree.getChild(i) instanceof PlyParser.MacroContext macro) {
        int next =
            tree.getChild(i + 1) instanceof ParserRuleContext following
                ? following.getStart().getTokenIndex() + 1
                : tokens.size();
        report(faults.between(macro.getStart().getTokenIndex() + 1, next));
        isDamaged = damage.isIn(macro);
      } else if (tree.getChild(i) instanceof PlyParser.StrayContext stray) {
        // After an unparsed definition it is unknown whether the input was complete.
        if (!isDamaged) {
          stray(stray.getStart());
        }
        clauses.add(builder.unknown(stray));
      }
    }
    variables.options().reportUnknown(start());
    if (damage.isIn(tree) && !diagnostics.hasErrors()) {
      diagnostics.error(DiagnosticCode.SYNTAX, start(), "this is no script");
    }
    if (tree.probe().isEmpty() && tree.stray().isEmpty()) {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          start(),
          "the script has no probe",
          "write, say, kprobe:vfs_read { @[comm] = count(); }");
    }
  }

  private List<Token> withoutDefinitions(List<Token> tokens) {
    return declarations.removeFrom(definitions.removeFrom(tokens));
  }

  /** Input after an unknown language construct is not reported. */
  private void report(PlyParser.ProbeContext probe, Collection<Diagnostic> faults) {
    if (!AstBuilder.isForeign(probe)) {
      report(faults);
    }
  }

  private void report(Collection<Diagnostic> faults) {
    for (Diagnostic fault : faults) {
      diagnostics.error(
          fault.code(), fault.span(), fault.message(), fault.hints().toArray(String[]::new));
    }
  }

  private void stray(Token token) {
    SyntaxProblem finding = SyntaxProblem.ofWord(token).orElseGet(() -> SyntaxProblem.stray(token));
    diagnostics.error(
        DiagnosticCode.SYNTAX,
        positions.of(token),
        finding.message(),
        finding.hints().toArray(String[]::new));
  }
}
