package dev.ply.cli.bcc;

import dev.ply.cli.input.ProgramText;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.OptionParser;
import dev.ply.diagnostic.Source;
import dev.ply.ir.TypeDefinition;
import dev.ply.lang.ParseResult;
import dev.ply.lang.ScriptParser;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;

/** The types that headers of {@code -I} define. Headers that cannot be used are warned of. */
final class IncludedHeaders {
  private static final String OTHERWISE = "types come from the kernel (BTF)";

  private final Console console;

  IncludedHeaders(Console console) {
    this.console = console;
  }

  /** Returns the headers that {@code -I} names. */
  static List<Path> paths(CommandLine line) throws UsageException {
    List<Path> headers = new ArrayList<>();
    for (String value : OptionParser.values(line, "I")) {
      headers.add(OptionParser.path("I", value));
    }
    return headers;
  }

  /** Returns the types of all these headers. */
  List<TypeDefinition> definitions(List<Path> headers) throws UsageException {
    List<TypeDefinition> definitions = new ArrayList<>();
    for (Path header : headers) {
      definitions.addAll(definitions(header));
    }
    return definitions;
  }

  private List<TypeDefinition> definitions(Path header) throws UsageException {
    if (!Files.isRegularFile(header)) {
      console.warning("-I " + header + ": file not found; " + OTHERWISE);
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
      console.warning(
          "-I " + header + " is not used: it has more than C's declarations; " + OTHERWISE);
      return List.of();
    }
    return result.script().definitions();
  }
}
