package dev.ply.cli.follow;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.manual.CommandOption;
import dev.ply.cli.run.Follower;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.CommandLine;

/** The options for what follows a trace while it runs, with the same names everywhere. */
public final class Followers {
  /** Measures what the trace costs. */
  static final CommandOption COST =
      CommandOption.flag(
          "", "cost", "measure what the trace costs: hits, ns a hit and % of a CPU of each probe");

  private Followers() {}

  /** {@return all options} */
  public static CommandOption[] options() {
    return new CommandOption[] {COST, OverheadLimit.OPTION};
  }

  /** {@return what a command line asks for} */
  public static List<Follower.Maker> of(CommandLine line) throws UsageException {
    List<Follower.Maker> makers = new ArrayList<>();
    if (line.hasOption(COST.name())) {
      makers.add(CostFollower::new);
    }
    OverheadLimit.of(line).map(OverheadFollower.Maker::new).ifPresent(makers::add);
    return makers;
  }
}
