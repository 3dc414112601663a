package dev.ply.cli.tool;

import dev.ply.lang.argument.ScriptArguments;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A script as an editor has it, which may be that of a tool: its header is checked, and what the
 * tool's command line would give the script is known.
 *
 * @param problem what is wrong with the header
 * @param options what the script receives if the tool is called without options
 * @param variables what it has by name
 */
public record ToolScript(
    Optional<Problem> problem, List<String> options, Map<String, String> variables) {
  /** A script that is no tool. */
  private static final ToolScript NONE = new ToolScript(Optional.empty(), List.of(), Map.of());

  /** What only headers of tools have. */
  private static final Pattern SECTION =
      Pattern.compile(
          "# ?(?:options|filters|interval|operand|library|columns(?: @\\w*)?|scratch|needs):.*");

  /** Probes for operands and libraries that only a call names; their kind is what matters. */
  private static final String FUNCTION = "kprobe:vfs_read";

  private static final String LIBRARY = "c";

  /** Keeps copies. */
  public ToolScript {
    options = List.copyOf(options);
    variables = Map.copyOf(variables);
  }

  /**
   * An error of a header.
   *
   * @param line counted from 1
   * @param message a sentence without full stop
   */
  public record Problem(int line, String message) {}

  /**
   * {@return what a script is as a tool}
   *
   * @param name that the tool would have: its file's, without the ending
   */
  public static ToolScript of(String name, String script) {
    if (!isMeant(name, script)) {
      return NONE;
    }
    try {
      ToolHeader header = HeaderReader.read(name, script);
      return new ToolScript(Optional.empty(), ToolRun.unset(header, script), variables(header));
    } catch (HeaderException e) {
      return new ToolScript(Optional.of(new Problem(e.line(), e.problem())), List.of(), Map.of());
    }
  }

  private static boolean isMeant(String name, String script) {
    boolean isFirst = true;
    for (String line : (Iterable<String>) script.lines()::iterator) {
      if (!line.startsWith("#")) {
        break;
      }
      boolean isTitle = isFirst && line.startsWith("# " + name + ": ");
      if (isTitle || SECTION.matcher(line).matches()) {
        return true;
      }
      isFirst &= line.startsWith("#!");
    }
    return false;
  }

  private static Map<String, String> variables(ToolHeader header) {
    Map<String, String> variables = new HashMap<>();
    header
        .interval()
        .ifPresent(usual -> variables.put(Tool.INTERVAL, String.valueOf(Math.max(1, usual))));
    header.operand().ifPresent(side -> variables.put(Tool.PROBE, FUNCTION));
    header.library().ifPresent(library -> variables.put(Tool.LIBRARY, LIBRARY));
    return variables;
  }

  /** {@return arguments with what the tool's command line would add} */
  public ScriptArguments with(ScriptArguments arguments) {
    ScriptArguments all = options.isEmpty() ? arguments : arguments.withWords(options);
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      all = all.withVariable(variable.getKey(), variable.getValue());
    }
    return all;
  }
}
