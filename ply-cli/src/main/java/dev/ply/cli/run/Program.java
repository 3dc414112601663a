package dev.ply.cli.run;

import dev.ply.cli.io.Outputs;
import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Source;

/**
 * What a command line of a front end runs.
 *
 * @param source its script, with the files that it imports
 * @param request how it is run
 */
public record Program(Source source, TraceRequest request) {
  /**
   * Checks that a service can run this: it has no end of its own, and prints nothing.
   *
   * @throws UsageException if an option asks for something else
   */
  public void requireEndless() throws UsageException {
    refuse(request.purpose() != Purpose.TRACE, "tests and benchmarks are", "ply runs them");
    refuse(request.duration().isPresent(), "--duration is", "the service runs always");
    refuse(request.command().isPresent(), "-c is", "the service starts no commands");
    refuse(
        request.process().isPresent(),
        "-p is",
        "processes end: --container, --cgroup and --filter select those of later, too");
    refuse(
        !request.outputs().equals(Outputs.STANDARD),
        "-f, -o and --html are",
        "maps are exported, and what scripts print is dropped");
    refuse(
        !request.followers().isEmpty(),
        "--prometheus, --otlp, --pyroscope, --parca, --cost, --max-overhead, --live and --web are",
        "the configuration says where metrics go");
    refuse(
        request.privileges().isPresent(),
        "--drop-privileges is",
        "the service attaches probes again when it is reloaded");
    refuse(!request.dump().isEmpty(), "dumps are", "ply -e -S shows bytecode");
  }

  private static void refuse(boolean isGiven, String what, String why) throws UsageException {
    if (isGiven) {
      throw new UsageException(what + " no option of a script that runs always: " + why);
    }
  }

  /** Makes programs of command lines, without running them: a front end. */
  @FunctionalInterface
  public interface Parser {
    /**
     * Returns the program of a command line.
     *
     * @param arguments those after the name of the front end
     * @throws UsageException if they are not what it takes, or a file cannot be read
     */
    Program parse(String... arguments) throws UsageException;
  }
}
