package dev.ply.cli;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.result.Layout;
import dev.ply.target.Mechanism;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.HelpFormatter;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/**
 * What a command line asks for. Options may follow the program; {@code --} ends them.
 *
 * @param command what to run while tracing, a shell's command
 * @param sizes how much the program's maps, buffer and stacks hold, and how it is attached
 * @param operands the program or its file, and the parameters of the program after it
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
    CompilerOptions sizes,
    List<String> operands) {
  Options {
    operands = List.copyOf(operands);
  }

  private static final int COLUMNS = 80;
  private static final int INDENT = 2;

  /** Reads a command line. */
  static Options parse(String... arguments) throws UsageException {
    CommandLine line;
    try {
      line =
          DefaultParser.builder()
              .setStripLeadingAndTrailingQuotes(false)
              .build()
              .parse(known(), arguments);
    } catch (MissingArgumentException e) {
      Option option = e.getOption();
      String name = option.getOpt() == null ? "--" + option.getLongOpt() : "-" + option.getOpt();
      throw new UsageException(
          name + " needs something behind it: " + name + " " + option.getArgName());
    } catch (UnrecognizedOptionException e) {
      throw new UsageException("there is no option " + e.getOption() + ": ply -h lists them");
    } catch (ParseException e) {
      throw new UsageException(lowerFirst(String.valueOf(e.getMessage())));
    }
    return new Options(
        Optional.ofNullable(line.getOptionValue('c')),
        line.hasOption('d'),
        line.hasOption('e'),
        line.hasOption('h'),
        line.hasOption('k'),
        line.hasOption('l'),
        line.hasOption('S'),
        line.hasOption("raw") ? Layout.PLY_RAW : Layout.PLY,
        line.hasOption('T'),
        line.hasOption('u'),
        line.hasOption('v'),
        attached(Optional.ofNullable(line.getOptionValue("attach")), Sizes.of(line)),
        line.getArgList());
  }

  /**
   * Returns the values that scripts have by name: environment variables, parameters by their
   * number, and how many these are by {@code #}.
   */
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    for (int i = 1; i < operands.size(); i++) {
      environment.put(String.valueOf(i), operands.get(i));
    }
    environment.put("#", String.valueOf(Math.max(0, operands.size() - 1)));
    return environment;
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
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    out.println("usage: ply [options] <text|file|-> [parameter...]");
    out.println(
        "Traces the running kernel with a program of the ply language; - reads it from stdin.");
    HelpFormatter formatter = new HelpFormatter();
    formatter.setOptionComparator(null);
    formatter.printOptions(out, COLUMNS, known(), INDENT, INDENT);
    out.flush();
    return text.toString();
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
        .addOption("d", "debug", false, "tell on stderr what is being done")
        .addOption("e", "dry-run", false, "check the program, but do not run it")
        .addOption("h", "help", false, "show this help, or explain the words that follow")
        .addOption("k", "keep-going", false, "go on when events or map updates are lost")
        .addOption(
            "l", "list", false, "list the probes that patterns select, with -v what they can read")
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
        .addOption("u", "unbuffer", false, "write each piece of output at once")
        .addOption("v", "version", false, "show the version")
        .addOption(Sizes.MAP_ENTRIES)
        .addOption(Sizes.BUFFER)
        .addOption(Sizes.STACK_DEPTH);
  }

  private static String lowerFirst(String message) {
    return message.isEmpty()
        ? message
        : Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }
}
