package dev.ply.cli;

import dev.ply.analysis.rewrite.RestrictToProcess;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.ir.Configuration;
import dev.ply.ir.Script;
import dev.ply.kernel.RunningKernel;
import dev.ply.kernel.process.ChildCommand;
import dev.ply.lang.PlyScript;
import dev.ply.layout.Layout;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How to run a program, independent of the front end's options.
 *
 * @param purpose what the program is run for
 * @param command the command to run while tracing
 * @param process the PID of the only process to trace; the trace ends with it
 * @param keepGoing whether the trace continues after lost events or map updates
 * @param dump the sections of the dump to print
 * @param quiet whether to omit the number of attached probes
 * @param settings those that take precedence over the script's
 * @param sizes the sizes of maps, buffer and stacks, and the mechanism
 * @param symbolMemory the heap for symbols of processes in bytes; a fifth of it if empty
 * @param traceableFunctions a list of the functions that patterns can select, instead of the
 *     kernel's
 * @param parameters the values of {@code $1}, {@code $2} …, and options of the script, {@code
 *     --name=value}
 */
record TraceRequest(
    FrontEnd frontEnd,
    Purpose purpose,
    Optional<ChildCommand> command,
    OptionalLong process,
    boolean keepGoing,
    Set<Dump.Section> dump,
    boolean quiet,
    Layout layout,
    Configuration settings,
    CompilerOptions sizes,
    OptionalLong symbolMemory,
    Optional<Path> traceableFunctions,
    List<String> parameters) {
  /** Before the name of an option of the script. */
  private static final String OPTION = "--";

  TraceRequest {
    dump = Set.copyOf(dump);
    parameters = List.copyOf(parameters);
  }

  /**
   * Returns the values of script variables: environment variables if the front end has them,
   * parameters by number, their count as {@code #}, and options with their {@code --}.
   */
  Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> variables =
        frontEnd == FrontEnd.PLY ? new HashMap<>(environment) : new HashMap<>();
    int number = 0;
    for (String parameter : parameters) {
      if (parameter.startsWith(OPTION) && parameter.length() > OPTION.length()) {
        int equals = parameter.indexOf('=');
        variables.put(
            equals < 0 ? parameter : parameter.substring(0, equals),
            equals < 0 ? "" : parameter.substring(equals + 1));
      } else {
        variables.put(String.valueOf(++number), parameter);
      }
    }
    if (frontEnd == FrontEnd.PLY && process.isPresent()) {
      variables.put("target", String.valueOf(process.getAsLong()));
    }
    if (frontEnd == FrontEnd.BPFTRACE) {
      variables.put(PlyScript.NANOSECONDS, "");
    }
    variables.put("#", String.valueOf(number));
    return variables;
  }

  /** Returns this kernel as the traced process sees it, if there is only one. */
  RunningKernel kernel() {
    OptionalInt viewer =
        process.isPresent()
            ? OptionalInt.of(Math.toIntExact(process.getAsLong()))
            : OptionalInt.empty();
    return RunningKernel.of(viewer, traceableFunctions, symbolMemory);
  }

  /** Returns a script with these settings, restricted to the traced process. */
  Script configured(Script script) {
    Script set = script.withConfiguration(settings.withDefaults(script.configuration()));
    return process.isPresent() ? new RestrictToProcess(process.getAsLong()).apply(set) : set;
  }
}
