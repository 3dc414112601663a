package dev.ply.cli;

import dev.ply.analysis.RestrictToProcess;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.ir.Script;
import dev.ply.result.Layout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a program is to be run, whatever the options are called that say so.
 *
 * @param command what to run while tracing, a shell's command
 * @param process the PID of the only process to trace; the trace ends with it
 * @param keepGoing whether the trace continues where events or map updates are lost
 * @param dump whether to show what the program is compiled to
 * @param quiet whether not to report how many probes are attached
 * @param sizes how much the program's maps, buffer and stacks hold, and how it is attached
 * @param parameters the values of {@code $1}, {@code $2} …
 */
record TraceRequest(
    FrontEnd frontEnd,
    Optional<String> command,
    OptionalLong process,
    boolean keepGoing,
    boolean dump,
    boolean quiet,
    Layout layout,
    CompilerOptions sizes,
    List<String> parameters) {
  TraceRequest {
    parameters = List.copyOf(parameters);
  }

  /**
   * Returns the values that scripts have by name: variables of the environment where the language
   * of the front end has them, parameters by their number, and how many these are by {@code #}.
   */
  Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> variables =
        frontEnd == FrontEnd.PLY ? new HashMap<>(environment) : new HashMap<>();
    for (int i = 0; i < parameters.size(); i++) {
      variables.put(String.valueOf(i + 1), parameters.get(i));
    }
    variables.put("#", String.valueOf(parameters.size()));
    return variables;
  }

  /** Returns a script with its clauses restricted to the process to trace. */
  Script restricted(Script script) {
    return process.isPresent() ? new RestrictToProcess(process.getAsLong()).apply(script) : script;
  }
}
