package dev.ply.cli;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.follow.Followers;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.Output;
import dev.ply.cli.io.Outputs;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Sizes;
import dev.ply.cli.run.Dump;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.TraceRequest;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.layout.Layout;
import dev.ply.layout.OutputFormat;
import dev.ply.listing.Detail;
import dev.ply.target.Mechanism;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.commons.cli.CommandLine;

/**
 * A parsed command line of ply. ScriptOptions can follow the program; {@code --} ends them.
 *
 * @param remarks the optional remarks
 * @param detail what lists of probes show
 * @param request how to run the program
 * @param operands the program or its file, and its parameters; patterns to list, words to explain
 */
record ScriptOptions(
    Action action,
    Set<Console.Remark> remarks,
    Output.Buffering buffering,
    Detail detail,
    TraceRequest request,
    List<String> operands) {

  /** The purposes of a command line. */
  enum Action {
    RUN,
    CHECK,
    SELF_TEST,
    INFO,
    VERSION,
    LIST,
    HELP
  }

  ScriptOptions {
    remarks = Set.copyOf(remarks);
    operands = List.copyOf(operands);
  }

  /** Returns the file of the command's own output; empty for the standard output. */
  Optional<Path> output() {
    return request.outputs().own().path();
  }

  /** Parses a command line of a front end. */
  static ScriptOptions parse(FrontEnd frontEnd, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(ScriptManual.MANUAL, arguments);
    List<String> operands = line.getArgList();
    return new ScriptOptions(
        action(line),
        OptionParser.remarks(line, "d", "q"),
        line.hasOption('u') ? Output.Buffering.NONE : Output.Buffering.FULL,
        line.hasOption('v') ? Detail.FIELDS : Detail.NAMES,
        OptionParser.restricted(
            new TraceRequest(frontEnd)
                .layouts(textLayout(line), Layout.PLY_JSON)
                .writingTo(outputs(line))
                .running(OptionParser.value(line, "c").map(ChildCommand::shell))
                .onlyProcess(OptionParser.pid(line, "p"))
                .lasting(Durations.of(line))
                .followedBy(Followers.of(line))
                .becoming(OptionParser.privileges(line))
                .onLoss(OptionParser.onLoss(line, "k"))
                .notices(OptionParser.notices(line, "q"))
                .dumping(sections(line))
                .settings(Sizes.settings(line))
                .sizes(attached(OptionParser.value(line, "attach"), sizes(line)))
                .symbolMemory(Sizes.symbolMemory(line))
                .parameters(operands.subList(Math.min(1, operands.size()), operands.size())),
            line),
        operands);
  }

  private static Action action(CommandLine line) {
    if (line.hasOption('h')) {
      return Action.HELP;
    } else if (line.hasOption('l')) {
      return Action.LIST;
    } else if (line.hasOption('v')) {
      return Action.VERSION;
    } else if (line.hasOption("info")) {
      return Action.INFO;
    } else if (line.hasOption('T')) {
      return Action.SELF_TEST;
    }
    return line.hasOption('e') ? Action.CHECK : Action.RUN;
  }

  private static Outputs outputs(CommandLine line) throws UsageException {
    Outputs outputs = OptionParser.outputs(line);
    if (!outputs.has(OutputFormat.TEXT) && line.hasOption("compat")) {
      throw new UsageException(
          "--compat lays out text and cannot be combined with -f " + outputs.own().format().word());
    }
    return outputs;
  }

  private static Layout textLayout(CommandLine line) {
    if (line.hasOption("compat")) {
      return line.hasOption("raw") ? Layout.PLY_COMPATIBLE_RAW : Layout.PLY_COMPATIBLE;
    }
    return line.hasOption("raw") ? Layout.PLY_RAW : Layout.PLY;
  }

  private static Set<Dump.Section> sections(CommandLine line) {
    if (!line.hasOption('S')) {
      return Set.of();
    }
    Set<Dump.Section> sections = EnumSet.allOf(Dump.Section.class);
    if (!line.hasOption('d')) {
      sections.remove(Dump.Section.STATES);
    }
    return sections;
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
          "unknown mechanism \"" + name.get() + "\"; known are " + mechanisms());
    }
    return mechanism.map(sizes::attachedBy).orElse(sizes);
  }

  /** Returns the names of all mechanisms. */
  static String mechanisms() {
    StringJoiner names = new StringJoiner(", ");
    for (Mechanism mechanism : Mechanism.choices()) {
      names.add(mechanism.toString());
    }
    return names.toString();
  }
}
