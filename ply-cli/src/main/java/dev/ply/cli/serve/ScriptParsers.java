package dev.ply.cli.serve;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.run.Program;
import java.util.List;
import java.util.stream.Stream;

/**
 * The front ends that read scripts of a configuration.
 *
 * @param scripts the ply language
 * @param bpftrace bpftrace's language
 * @param tools tools, by their names
 */
record ScriptParsers(Program.Parser scripts, Program.Parser bpftrace, Program.Parser tools) {
  /**
   * Reads a script.
   *
   * @throws UsageException if an option has no place, or a file cannot be read
   */
  Program parse(ScriptConfig config) throws UsageException {
    Stream<String> value = Stream.of(config.value());
    Stream<String> options = config.options().stream();
    Program program =
        switch (config.kind()) {
          case FILE, TEXT -> scripts.parse(words(value, options));
          // What follows the file are its parameters.
          case BPFTRACE -> bpftrace.parse(words(options, value));
          case TOOL -> tools.parse(words(value, options));
        };
    program.requireEndless();
    return program;
  }

  private static String[] words(Stream<String> first, Stream<String> second) {
    List<String> words = Stream.concat(first, second).toList();
    return words.toArray(String[]::new);
  }
}
