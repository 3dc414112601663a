package dev.ply.cli.info;

import dev.ply.cli.io.Console;
import dev.ply.cli.io.ExitCode;
import dev.ply.cli.io.UsageException;
import dev.ply.listing.Listed;
import dev.ply.listing.ProbeListing;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.type.Escapes;
import java.util.List;
import java.util.Locale;

/** Prints what a machine has of patterns, a line each. */
public final class PrintedProbes {
  private final ProbeListing listing;
  private final Console console;
  private int printed;

  /** Creates what prints lists to a console. */
  public PrintedProbes(ProbeListing listing, Console console) {
    this.listing = listing;
    this.console = console;
  }

  /**
   * Prints what each of these patterns selects, all without patterns, and returns the exit status:
   * 1 if one selects nothing.
   *
   * @throws UsageException for an invalid pattern
   */
  public int print(List<String> patterns) throws UsageException {
    int status = ExitCode.OK;
    for (String list : patterns.isEmpty() ? List.of("*") : patterns) {
      for (String pattern : ProbeListing.patterns(list)) {
        status = Math.max(status, print(pattern));
      }
    }
    return status;
  }

  private int print(String pattern) throws UsageException {
    printed = 0;
    try {
      listing.list(pattern, this::print);
    } catch (InvalidSelectorException e) {
      throw new UsageException(e.getMessage() + ": " + e.hint());
    } catch (ProbeSiteNotFoundException e) {
      String hints = String.join("; ", e.hints());
      throw new UsageException(e.getMessage() + (hints.isEmpty() ? "" : ": " + hints));
    }
    if (printed == 0) {
      console.error(listing.nothing(pattern));
      return ExitCode.FAILURE;
    }
    return ExitCode.OK;
  }

  private void print(Listed entry) {
    if (entry instanceof Listed.LeftOut leftOut) {
      console.warning(leftOut.text());
      return;
    }
    printed++;
    if (entry instanceof Listed.Type type) {
      console.output().print(type.text() + "\n");
    } else if (entry instanceof Listed.Probe probe) {
      console.output().print(Escapes.escape(probe.text()) + "\n");
      for (String field : probe.fields()) {
        console.output().print(String.format(Locale.ROOT, "    %s%n", Escapes.escape(field)));
      }
    }
  }
}
