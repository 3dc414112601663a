package dev.ply.cli.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A script as an editor has it, which may be that of a tool: its header is checked, and what the
 * tool's command line would give the script is known.
 *
 * @param problem what is wrong with the header
 * @param parameters what the script receives if the tool is called without options
 */
public record ToolScript(Optional<Problem> problem, List<String> parameters) {
  /** A script that is no tool. */
  private static final ToolScript NONE = new ToolScript(Optional.empty(), List.of());

  /** What only headers of tools have. */
  private static final Pattern SECTION =
      Pattern.compile(
          "# ?(?:options|filters|interval|operand|library|columns(?: @\\w*)?|needs):.*");

  /** Probes for operands and libraries that only a call names; their kind is what matters. */
  private static final String FUNCTION = "kprobe:vfs_read";

  private static final String LIBRARY = "c";

  /** Keeps a copy of the parameters. */
  public ToolScript {
    parameters = List.copyOf(parameters);
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
      return new ToolScript(Optional.empty(), parameters(HeaderReader.read(name, script), script));
    } catch (HeaderException e) {
      return new ToolScript(Optional.of(new Problem(e.line(), e.problem())), List.of());
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

  private static List<String> parameters(ToolHeader header, String script) {
    List<String> parameters = new ArrayList<>(ToolRun.unset(header, script));
    header.interval().ifPresent(seconds -> parameters.add(String.valueOf(Math.max(1, seconds))));
    header.operand().ifPresent(side -> parameters.add(FUNCTION));
    header.library().ifPresent(library -> parameters.add(LIBRARY));
    return parameters;
  }
}
