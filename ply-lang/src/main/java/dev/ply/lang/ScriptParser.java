package dev.ply.lang;

import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.ir.Statement;
import dev.ply.ir.declaration.Configuration;
import dev.ply.lang.argument.EnvironmentVariables;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.lang.build.AstBuilder;
import dev.ply.lang.c.CFrontEnd;
import dev.ply.lang.declare.ConfigurationBuilder;
import dev.ply.lang.declare.ImportStatements;
import dev.ply.lang.declare.Macros;
import dev.ply.lang.declare.MapDeclarations;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.preprocess.HeaderFiles;
import dev.ply.lang.preprocess.IncludedHeader;
import dev.ply.lang.preprocess.Preprocessor;
import dev.ply.lang.preprocess.ScriptDeclarations;
import dev.ply.lang.syntax.ErrorRegions;
import dev.ply.lang.syntax.ScriptFile;
import dev.ply.lang.syntax.SyntaxProblem;
import dev.ply.lang.token.MapNames;
import dev.ply.lang.token.Positions;
import dev.ply.lang.token.TokenSequence;
import dev.ply.lang.token.Tokenizer;
import dev.ply.lang.token.VariableNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/** Parses scripts. Stateless and thread-safe. */
public final class ScriptParser {
  private final Source source;
  private final Positions positions;
  private final Diagnostics diagnostics = new Diagnostics();
  private final CFrontEnd c;
  private final MapDeclarations declarations;
  private final ImportStatements imports;
  private final Set<Source> read = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<Clause> clauses = new ArrayList<>();
  private final List<Statement.Block> uncalled = new ArrayList<>();
  private Configuration configuration = Configuration.NONE;

  private ScriptParser(Source source, ScriptArguments arguments) {
    this.source = source;
    this.positions = new Positions(source.name());
    this.c =
        new CFrontEnd(
            arguments.machine().architecture(), arguments.machine().release(), diagnostics);
    this.declarations = new MapDeclarations(positions, diagnostics);
    this.imports = new ImportStatements(positions, diagnostics);
  }

  /**
   * Parses a script without arguments.
   *
   * @param source text and name of the script
   * @return the script, and all syntax errors
   */
  public static ParseResult parse(Source source) {
    return parse(source, ScriptArguments.NONE);
  }

  /**
   * Parses a script. Any input yields a script or at least one error.
   *
   * @param source text and name of the script
   * @param arguments environment variables such as {@code $HOME}, parameters, and others
   * @return the script, and all syntax errors
   */
  public static ParseResult parse(Source source, ScriptArguments arguments) {
    ScriptParser parser = new ScriptParser(source, arguments);
    EnvironmentVariables variables = new EnvironmentVariables(arguments, parser.diagnostics);
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
            parser.c.definitions(),
            parser.declarations.declarations(),
            parser.uncalled,
            variables.names().renamed()),
        Diagnostics.onePerPlace(parser.diagnostics.list()));
  }

  /**
   * Returns the paths that a script imports or includes, {@code import "path";} and {@code #include
   * "path"}; of a header in angle brackets, {@code <path>}. Parsing reads no files: who reads them
   * adds them to the source, {@link Source#withImports}.
   *
   * @param source text and name of the script
   * @return each path once, in source order
   */
  public static List<String> imports(Source source) {
    return Stream.concat(
            ImportStatements.paths(source).stream(), IncludedHeader.paths(source).stream())
        .distinct()
        .toList();
  }

  /**
   * {@return whether a path of {@link #imports} is that of a header of the kernel or of the C
   * library, which need not be there}
   *
   * @param path as a source has it
   */
  public static boolean isBuiltIn(String path) {
    return path.startsWith("<")
        && IncludedHeader.of(path).filter(IncludedHeader::isBuiltIn).isPresent();
  }

  private SourceSpan start() {
    return new SourceSpan(source.name(), 1, 1, 1, 2);
  }

  private void parse(EnvironmentVariables variables) {
    List<ScriptFile> files = new ArrayList<>();
    read(source, false, files);
    Set<String> mapNames = new HashSet<>();
    for (ScriptFile file : files) {
      file.words().forEach(word -> variables.names().add(word.getText()));
      variables.addAssigned(VariableNames.assignedIn(new TokenSequence(file.words())));
      mapNames.addAll(MapNames.in(file.words()));
    }
    Macros macros = new Macros(positions, diagnostics);
    Map<ScriptFile, AstBuilder> builders = new LinkedHashMap<>();
    for (ScriptFile file : files) {
      // What imports a file with errors would only report what is missing because of them.
      if (!diagnostics.hasErrors() || file.source().imports().isEmpty()) {
        AstBuilder builder = build(file, mapNames, macros, variables);
        builders.put(file, builder);
      }
    }
    builders.forEach((file, builder) -> buildUncalled(file, builder, macros));
    variables.options().reportUnknown(start());
    boolean isEmpty =
        files.stream()
            .allMatch(file -> file.tree().probe().isEmpty() && file.tree().stray().isEmpty());
    if (isEmpty) {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          start(),
          "the script has no probe",
          "write kprobe:vfs_read { @[comm] = count(); }, for example");
    }
  }

  /** Parses a source after those that it imports. */
  private void read(Source one, boolean isImported, List<ScriptFile> files) {
    if (isImported && Preprocessor.isHeader(one)) {
      c.read(one, new HeaderFiles(diagnostics));
      return;
    }
    List<String> imported = one.imports().isEmpty() ? List.of() : ImportStatements.paths(one);
    for (Source.Import each : one.imports()) {
      if (imported.contains(each.path()) || each.path().equals(Source.Import.BEFORE)) {
        each.files().forEach(file -> readOnce(file, files));
      }
    }
    ScriptDeclarations script =
        Preprocessor.apply(one, c, file -> readOnce(file, files), diagnostics);
    List<Token> words =
        Tokenizer.of(script, all -> declarations.removeFrom(imports.removeFrom(all, one)));
    files.add(ScriptFile.parse(one, isImported, words, positions));
  }

  /** Parses a file that is imported or included, once. */
  private void readOnce(Source file, List<ScriptFile> files) {
    if (read.add(file)) {
      read(file, true, files);
    }
  }

  /** Functions that nothing calls are checked as well; one of them may call the next. */
  private void buildUncalled(ScriptFile file, AstBuilder builder, Macros macros) {
    for (PlyParser.FunctionContext function : file.tree().function()) {
      macros.uncalled().stream()
          .filter(macro -> macro.body() == function.block())
          .forEach(macro -> uncalled.add(builder.uncalled(macro)));
    }
  }

  /** Returns the builder of a file's clauses. */
  private AstBuilder build(
      ScriptFile file, Set<String> mapNames, Macros macros, EnvironmentVariables variables) {
    PlyParser.ScriptContext tree = file.tree();
    ErrorRegions damage = new ErrorRegions(tree);
    tree.macro().forEach(macros::define);
    tree.function().forEach(macros::define);
    AstBuilder builder =
        new AstBuilder(
            positions,
            diagnostics,
            mapNames,
            c.constants(),
            macros,
            variables,
            damage,
            file.tokens());
    if (tree.config() != null) {
      report(file.faults().between(0, tree.config().getStop().getTokenIndex() + 1));
      configure(file, tree.config());
    }
    boolean isDamaged = false;
    for (int i = 0; i < tree.getChildCount(); i++) {
      if (tree.getChild(i) instanceof PlyParser.ProbeContext probe) {
        // The error at the start of a probe may be the missing end of the previous one.
        report(probe, file.faults().between(probe.getStart().getTokenIndex() + 1, file.endOf(i)));
        clauses.addAll(builder.clauses(probe));
        isDamaged = damage.isIn(probe);
      } else if (tree.getChild(i) instanceof PlyParser.MacroContext
          || tree.getChild(i) instanceof PlyParser.FunctionContext) {
        ParserRuleContext definition = (ParserRuleContext) tree.getChild(i);
        report(file.faults().between(definition.getStart().getTokenIndex() + 1, file.endOf(i)));
        isDamaged = damage.isIn(definition);
      } else if (tree.getChild(i) instanceof PlyParser.StrayContext stray) {
        // After an unparsed definition it is unknown whether the input was complete.
        if (!isDamaged) {
          stray(stray.getStart());
        }
        clauses.add(builder.unknown(stray));
      }
    }
    if (damage.isIn(tree) && !diagnostics.hasErrors()) {
      diagnostics.error(DiagnosticCode.SYNTAX, start(), "not a script");
    }
    return builder;
  }

  private void configure(ScriptFile file, PlyParser.ConfigContext config) {
    if (file.isImported()) {
      diagnostics.error(
          DiagnosticCode.SYNTAX,
          positions.of(config.getStart()),
          "an imported script has no settings",
          "config = { … } is at the head of the script that imports it");
      return;
    }
    configuration = new ConfigurationBuilder(positions, diagnostics).build(config);
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
