package dev.ply.cli;

import dev.ply.diagnostic.Source;
import dev.ply.ir.TypeDefinition;
import dev.ply.lang.ParseResult;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.argdist.ArgdistScript;
import dev.ply.lang.print.ScriptPrinter;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code ply argdist}: argdist's options, specifiers and output. Also run through a link named
 * {@code argdist}.
 */
final class Argdist {
  /** The name of the command after {@code ply}. */
  static final String NAME = "argdist";

  private final Output output;
  private final PrintStream errors;

  Argdist(Output output, PrintStream errors) {
    this.output = output;
    this.errors = errors;
  }

  /** Returns the types that a header defines; none with a warning if it is no list of them. */
  private static List<TypeDefinition> definitions(Path header, Console console)
      throws UsageException {
    String types = "types come from the kernel (BTF)";
    if (!Files.isRegularFile(header)) {
      console.warning("-I " + header + ": there is no such file; " + types);
      return List.of();
    }
    Source source = ProgramText.readFile(header.toString(), InputStream.nullInputStream());
    String name = source.name().endsWith(".h") ? source.name() : source.name() + ".h";
    ParseResult result =
        ScriptParser.parse(
            new Source("<header>", "#include \"types.h\"\nBEGIN { }")
                .withImports(
                    List.of(
                        new Source.Import(
                            "types.h",
                            List.of(new Source(name, source.text())),
                            Optional.empty()))));
    if (result.hasErrors()) {
      console.warning("-I " + header + " is not used: it has more than C's declarations; " + types);
      return List.of();
    }
    return result.script().definitions();
  }

  /** Runs the command with its arguments, and returns its exit status. */
  int run(String... arguments) throws UsageException {
    ArgdistOptions options = ArgdistOptions.parse(arguments);
    Console console = new Console(output, errors, options.verbose(), true);
    if (options.help()) {
      output.print(ArgdistOptions.usage());
      return ExitCode.OK;
    }
    if (options.requests().isEmpty()) {
      throw new UsageException(
          "at least one specifier is required: -C or -H; ply argdist -h shows examples");
    }
    List<TypeDefinition> definitions = new ArrayList<>();
    for (Path header : options.headers()) {
      definitions.addAll(definitions(header, console));
    }
    ArgdistScript script =
        ArgdistScript.translate(options.requests(), options.settings().with(definitions));
    ProgramReader reader =
        (compilation, source, unused) -> compilation.script(source, script.result());
    return new Failures(console)
        .guard(
            script.source(),
            () -> {
              if (options.verbose() || options.script()) {
                output.print(ScriptPrinter.print(script.result().orThrow()));
                output.flush();
              }
              return options.script()
                  ? ExitCode.OK
                  : new LiveRun(console, options.request(script.tables()), reader)
                      .run(script.source());
            });
  }
}
