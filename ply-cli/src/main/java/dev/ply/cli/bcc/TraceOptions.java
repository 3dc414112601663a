package dev.ply.cli.bcc;

import dev.ply.cli.follow.Followers;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.OutputFile;
import dev.ply.cli.io.Outputs;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.Filter;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Sizes;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.TraceRequest;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.lang.bcc.ArgdistSettings;
import dev.ply.lang.bcc.TraceScript;
import dev.ply.lang.bcc.TraceSettings;
import dev.ply.layout.OutputFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.commons.cli.CommandLine;

/**
 * The command line of trace.
 *
 * @param settings without what headers define
 * @param remarks the optional remarks
 * @param output the file to write results to
 * @param messages which lines are shown
 * @param plain how to run a program, but for what the specifiers make of it
 */
public record TraceOptions(
    Action action,
    List<String> specifiers,
    TraceSettings settings,
    Set<Console.Remark> remarks,
    List<Path> headers,
    Optional<Path> output,
    ShownMessages messages,
    TraceRequest plain) {
  private static final int PAGE = 4096;
  private static final int MOST_PAGES = (1 << 30) / PAGE;

  /** The purposes of a command line. */
  enum Action {
    RUN,
    SHOW,
    CHECK,
    VERSION,
    HELP
  }

  /** Keeps copies. */
  public TraceOptions {
    specifiers = List.copyOf(specifiers);
    remarks = Set.copyOf(remarks);
    headers = List.copyOf(headers);
  }

  /** Parses a command line, without the command's name. */
  public static TraceOptions parse(FrontEnd frontEnd, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(TraceManual.MANUAL, arguments);
    OptionalInt most = OptionParser.positive(line, "M", "lines");
    if (line.hasOption("A") && most.isEmpty()) {
      throw new UsageException("-A needs -M: the number of lines that are counted");
    }
    if (line.hasOption("p") && line.hasOption("L")) {
      throw new UsageException("-p and -L both choose what is traced: give one of them");
    }
    int size =
        OptionParser.positive(line, "Z", "characters").orElse(TraceSettings.DEFAULT.stringSize());
    if (size > ArgdistSettings.LONGEST_STRING) {
      throw new UsageException(
          "-Z takes at most " + ArgdistSettings.LONGEST_STRING + " characters, not " + size);
    }
    return new TraceOptions(
        action(line),
        line.getArgList(),
        new TraceSettings(
            size,
            time(line),
            line.hasOption("C"),
            line.hasOption("K"),
            line.hasOption("U"),
            line.hasOption("a"),
            List.of()),
        OptionParser.remarks(line, "v", "q"),
        IncludedHeaders.paths(line),
        OptionParser.path(line, "o"),
        new ShownMessages(OptionParser.value(line, "f"), most, line.hasOption("A")),
        plain(frontEnd, line));
  }

  private static TraceSettings.Time time(CommandLine line) throws UsageException {
    if (line.hasOption("u") && !line.hasOption("t")) {
      throw new UsageException("-u needs -t: it shows seconds since 1970 instead of the start");
    }
    if (line.hasOption("t")) {
      return line.hasOption("u") ? TraceSettings.Time.UNIX : TraceSettings.Time.SINCE_START;
    }
    return line.hasOption("T") ? TraceSettings.Time.OF_DAY : TraceSettings.Time.NONE;
  }

  private static Action action(CommandLine line) {
    if (line.hasOption("h")) {
      return Action.HELP;
    }
    if (line.hasOption("V")) {
      return Action.VERSION;
    }
    if (line.hasOption("script")) {
      return Action.SHOW;
    }
    return line.hasOption("dry-run") ? Action.CHECK : Action.RUN;
  }

  private static TraceRequest plain(FrontEnd frontEnd, CommandLine line) throws UsageException {
    TraceRequest request =
        OptionParser.restricted(
            new TraceRequest(frontEnd)
                .running(OptionParser.value(line, "command").map(ChildCommand::shell))
                .onlyProcess(OptionParser.pid(line, "p"))
                .lasting(Durations.of(line))
                .followedBy(Followers.of(line))
                .becoming(OptionParser.privileges(line))
                .onLoss(TraceRequest.OnLoss.GO_ON)
                .notices(TraceRequest.Notices.LEFT_OUT)
                .settings(Sizes.settings(line))
                .symbolMemory(Sizes.symbolMemory(line)),
            line);
    OptionalInt pages = OptionParser.positive(line, "b", "pages");
    if (pages.orElse(1) > MOST_PAGES) {
      throw new UsageException(
          "-b takes at most " + MOST_PAGES + " pages, not " + pages.getAsInt());
    }
    request =
        request.sizes(
            pages.isPresent()
                ? Sizes.of(line).withRingBufferBytes(pages.getAsInt() * PAGE)
                : Sizes.of(line));
    request = restricted(request, line, "L", Filter.TID);
    request = restricted(request, line, "uid", Filter.UID);
    request = restricted(request, line, "n", Filter.NAME);
    request = restricted(request, line, "c", Filter.CGROUP);
    boolean isOfOthers = line.hasOption("p") || line.hasOption("L") || line.hasOption("S");
    return isOfOthers ? request : request.restrictedBy("pid != " + ProcessHandle.current().pid());
  }

  private static TraceRequest restricted(
      TraceRequest request, CommandLine line, String option, Filter filter) throws UsageException {
    Optional<String> value = OptionParser.value(line, option);
    return value.isPresent() ? request.restrictedBy(filter.condition(value.get())) : request;
  }

  /** Returns the request to run the script that the specifiers are translated to. */
  TraceRequest request(TraceScript script) {
    return plain
        .layouts(unused -> messages.layout(script))
        .writingTo(new Outputs(new OutputFile(output, OutputFormat.TEXT), List.of()))
        .endingWith(messages.enough())
        .readBy((compilation, source, unused) -> compilation.script(source, script.result()));
  }
}
