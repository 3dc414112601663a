package dev.ply.cli;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.ir.Configuration;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import dev.ply.target.Mechanism;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/**
 * A parsed command line of ply. Options can follow the program; {@code --} ends them.
 *
 * @param command the shell command to run while tracing
 * @param settings those that options make
 * @param sizes the sizes of maps, buffer and stacks, and the mechanism
 * @param process the PID of the only process to trace
 * @param output the file to write results to
 * @param symbolMemory the heap for symbols of processes in bytes; a fifth of it if empty
 * @param operands the program or its file, and its parameters
 */
record Options(
    Optional<String> command,
    boolean debug,
    boolean dryRun,
    boolean help,
    boolean keepGoing,
    boolean list,
    boolean dump,
    Layout layout,
    boolean selfTest,
    boolean unbuffer,
    boolean version,
    boolean quiet,
    boolean info,
    Configuration settings,
    OptionalLong process,
    Optional<Path> output,
    CompilerOptions sizes,
    OptionalLong symbolMemory,
    List<String> operands) {
  Options {
    operands = List.copyOf(operands);
  }

  /** Parses a command line. */
  static Options parse(String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(known(), "ply -h", arguments);
    return new Options(
        OptionParser.value(line, "c"),
        line.hasOption('d'),
        line.hasOption('e'),
        line.hasOption('h'),
        line.hasOption('k'),
        line.hasOption('l'),
        line.hasOption('S'),
        layout(line),
        line.hasOption('T'),
        line.hasOption('u'),
        line.hasOption('v'),
        line.hasOption('q'),
        line.hasOption("info"),
        Sizes.settings(line),
        OptionParser.pid(line, "p"),
        OptionParser.path(line, "o"),
        attached(OptionParser.value(line, "attach"), sizes(line)),
        Sizes.symbolMemory(line),
        line.getArgList());
  }

  private static Layout layout(CommandLine line) throws UsageException {
    OutputFormat format = OptionParser.format(line, "f");
    if (format != OutputFormat.TEXT && line.hasOption("compat")) {
      throw new UsageException("--compat lays out text: it does not go with -f " + format.word());
    }
    return format.layout(textLayout(line), Layout.PLY_JSON);
  }

  private static Layout textLayout(CommandLine line) {
    if (line.hasOption("compat")) {
      return line.hasOption("raw") ? Layout.PLY_COMPATIBLE_RAW : Layout.PLY_COMPATIBLE;
    }
    return line.hasOption("raw") ? Layout.PLY_RAW : Layout.PLY;
  }

  private Set<Dump.Section> sections() {
    if (!dump) {
      return Set.of();
    }
    Set<Dump.Section> sections = EnumSet.allOf(Dump.Section.class);
    if (!debug) {
      sections.remove(Dump.Section.STATES);
    }
    return sections;
  }

  /** Returns how to run the program. */
  TraceRequest request() {
    return new TraceRequest(
        FrontEnd.PLY,
        Purpose.TRACE,
        command.map(ChildCommand::shell),
        process,
        keepGoing,
        sections(),
        quiet,
        layout,
        settings,
        sizes,
        symbolMemory,
        Optional.empty(),
        operands.subList(Math.min(1, operands.size()), operands.size()));
  }

  private static CompilerOptions sizes(CommandLine line) throws UsageException {
    CompilerOptions sizes = Sizes.of(line);
    return line.hasOption("unsafe") ? sizes.unsafe() : sizes;
  }

  private static CompilerOptions attached(Optional<String> name, CompilerOptions sizes)
      throws UsageException {
    Optional<Mechanism> mechanism = name.flatMap(Mechanism::named);
    if (name.isPresent() && mechanism.isEmpty()) {
      throw new UsageException(
          "nothing is attached by \"" + name.get() + "\", but by one of " + mechanisms());
    }
    return mechanism.map(sizes::attachedBy).orElse(sizes);
  }

  private static String mechanisms() {
    StringJoiner names = new StringJoiner(", ");
    for (Mechanism mechanism : Mechanism.choices()) {
      names.add(mechanism.toString());
    }
    return names.toString();
  }

  /** Returns the help text. */
  static String usage() {
    return OptionParser.usage(
        known(),
        "usage: ply [options] <text|file|-> [parameter...]",
        "Traces the running kernel with a program of the ply language; - reads it from stdin.");
  }

  private static org.apache.commons.cli.Options known() {
    return new org.apache.commons.cli.Options()
        .addOption(
            Option.builder("c")
                .longOpt("command")
                .hasArg()
                .argName("CMD")
                .desc("run CMD in a shell once all probes are attached, and stop when it ends")
                .build())
        .addOption(
            Option.builder()
                .longOpt("attach")
                .hasArg()
                .argName("HOW")
                .desc("attach by HOW where that can be: " + mechanisms())
                .build())
        .addOption(
            Option.builder()
                .longOpt("compat")
                .desc("lay results out as ply 2.4 does, in columns as wide as the types")
                .build())
        .addOption("d", "debug", false, "tell on stderr what is being done")
        .addOption("e", "dry-run", false, "check the program, but do not run it")
        .addOption(valued("f", "FORMAT", "write results as " + OutputFormat.words()))
        .addOption("h", "help", false, "show this help, or explain the words that follow")
        .addOption("k", "keep-going", false, "go on when events or map updates are lost")
        .addOption(
            "l", "list", false, "list the probes that patterns select, with -v what they can read")
        .addOption(valued("o", "FILE", "write results to FILE"))
        .addOption(
            valued(
                "p",
                "PID",
                "trace this process only, which is $target, with the files that it sees, and stop"
                    + " when it ends"))
        .addOption(Sizes.MISSING_PROBES)
        .addOption(Sizes.NO_PERF_MAPS)
        .addOption("q", "quiet", false, "show no warnings")
        .addOption(
            Option.builder()
                .longOpt("raw")
                .desc("write the bytes of printf's %s and %c as they are, not escaped")
                .build())
        .addOption(
            "S",
            "dump",
            false,
            "show what the program is compiled to, with -d also what is known of registers; then"
                + " run it")
        .addOption("T", "self-test", false, "try what this kernel offers for tracing")
        .addOption(Option.builder().longOpt("info").desc("show what this kernel offers").build())
        .addOption("u", "unbuffer", false, "write each piece of output at once")
        .addOption(
            Option.builder()
                .longOpt("unsafe")
                .desc(
                    "allow system, signal and override, and probes at addresses that no symbol"
                        + " covers")
                .build())
        .addOption("v", "version", false, "show the version")
        .addOption(Sizes.MAP_ENTRIES)
        .addOption(Sizes.BUFFER)
        .addOption(Sizes.STACK_DEPTH)
        .addOption(Sizes.SYMBOL_MEMORY);
  }

  private static Option valued(String letter, String argument, String description) {
    return Option.builder(letter).hasArg().argName(argument).desc(description).build();
  }
}
