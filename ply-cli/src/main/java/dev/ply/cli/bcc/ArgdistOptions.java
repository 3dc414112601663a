package dev.ply.cli.bcc;

import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.cli.follow.Followers;
import dev.ply.cli.io.Console;
import dev.ply.cli.io.UsageException;
import dev.ply.cli.option.Durations;
import dev.ply.cli.option.OptionParser;
import dev.ply.cli.option.Sizes;
import dev.ply.cli.run.FrontEnd;
import dev.ply.cli.run.TraceRequest;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.lang.bcc.ArgdistScript;
import dev.ply.lang.bcc.ArgdistScript.Request;
import dev.ply.lang.bcc.ArgdistSettings;
import dev.ply.lang.bcc.Collect;
import dev.ply.layout.Layout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/**
 * The command line of argdist.
 *
 * @param requests the specifiers in the order given
 * @param settings without what headers define
 * @param remarks the optional remarks
 * @param plain how to run a program, but for what the specifiers make of it
 */
public record ArgdistOptions(
    Action action,
    List<Request> requests,
    ArgdistSettings settings,
    Set<Console.Remark> remarks,
    List<Path> headers,
    TraceRequest plain) {

  /** The number of keys of argdist's hash tables. */
  private static final int MAP_ENTRIES = 10_240;

  private static final String COUNT = "C";
  private static final String HISTOGRAM = "H";

  /** The purposes of a command line. */
  enum Action {
    RUN,
    SHOW,
    CHECK,
    VERSION,
    HELP
  }

  /** Keeps copies. */
  public ArgdistOptions {
    remarks = Set.copyOf(remarks);
    requests = List.copyOf(requests);
    headers = List.copyOf(headers);
  }

  /** Parses a command line, without the command's name. */
  public static ArgdistOptions parse(FrontEnd frontEnd, String... arguments) throws UsageException {
    CommandLine line = OptionParser.parse(ArgdistManual.MANUAL, arguments);
    if (!line.getArgList().isEmpty()) {
      throw new UsageException(
          "unexpected operand \"" + line.getArgList().get(0) + "\": -C and -H take specifiers");
    }
    int seconds =
        OptionParser.positive(line, "i", "seconds").orElse(ArgdistSettings.DEFAULT.seconds());
    CompilerOptions sizes = Sizes.of(line);
    return new ArgdistOptions(
        action(line),
        requests(line),
        new ArgdistSettings(
            stringSize(line),
            seconds,
            outputs(OptionParser.positive(line, "n", "outputs"), Durations.of(line), seconds),
            line.hasOption("c"),
            OptionParser.positive(line, "T", "rows"),
            thread(line),
            List.of()),
        OptionParser.remarks(line, "v", "q"),
        IncludedHeaders.paths(line),
        OptionParser.restricted(
            new TraceRequest(frontEnd)
                .writingTo(OptionParser.outputs(line))
                .running(OptionParser.value(line, "command").map(ChildCommand::shell))
                .onlyProcess(OptionParser.pid(line, "p"))
                .onLoss(TraceRequest.OnLoss.GO_ON)
                .followedBy(Followers.of(line))
                .becoming(OptionParser.privileges(line))
                .notices(TraceRequest.Notices.LEFT_OUT)
                .settings(Sizes.settings(line))
                .sizes(
                    line.hasOption(Sizes.MAP_ENTRIES.name())
                        ? sizes
                        : sizes.withMapEntries(MAP_ENTRIES))
                .symbolMemory(Sizes.symbolMemory(line)),
            line));
  }

  private static Action action(CommandLine line) {
    if (line.hasOption("h")) {
      return Action.HELP;
    }
    if (line.hasOption("V")) {
      return Action.VERSION;
    }
    if (line.hasOption("S")) {
      return Action.SHOW;
    }
    return line.hasOption("dry-run") ? Action.CHECK : Action.RUN;
  }

  private static List<Request> requests(CommandLine line) {
    List<Request> requests = new ArrayList<>();
    for (Option option : line.getOptions()) {
      boolean isCount = COUNT.equals(option.getOpt());
      if (isCount || HISTOGRAM.equals(option.getOpt())) {
        Collect collect = isCount ? Collect.COUNTS : Collect.HISTOGRAM;
        option.getValuesList().forEach(text -> requests.add(new Request(collect, text)));
      }
    }
    return requests;
  }

  /** A duration that is not a multiple of the interval ends with the interval it ends in. */
  private static OptionalInt outputs(
      OptionalInt number, Optional<Duration> duration, int interval) {
    if (duration.isEmpty()) {
      return number;
    }
    Duration shortOfOne = Duration.ofSeconds(interval).minusNanos(1);
    long within = duration.get().plus(shortOfOne).toSeconds() / interval;
    return OptionalInt.of(Math.toIntExact(Math.min(within, number.orElse(Integer.MAX_VALUE))));
  }

  private static int stringSize(CommandLine line) throws UsageException {
    int size =
        OptionParser.positive(line, "z", "characters").orElse(ArgdistSettings.DEFAULT.stringSize());
    if (size > ArgdistSettings.LONGEST_STRING) {
      throw new UsageException(
          "-z takes at most " + ArgdistSettings.LONGEST_STRING + " characters, not " + size);
    }
    return size;
  }

  private static OptionalLong thread(CommandLine line) throws UsageException {
    OptionalInt thread = OptionParser.positive(line, "t", "the ID of a thread");
    return thread.isPresent() ? OptionalLong.of(thread.getAsInt()) : OptionalLong.empty();
  }

  /** Returns the request to run the script that the specifiers are translated to. */
  TraceRequest request(ArgdistScript script) {
    return plain
        .layouts(Layout.argdist(script.tables()), Layout.PLY_JSON)
        .readBy((compilation, source, unused) -> compilation.script(source, script.result()));
  }
}
