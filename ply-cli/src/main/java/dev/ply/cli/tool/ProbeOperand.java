package dev.ply.cli.tool;

import dev.ply.cli.io.UsageException;
import dev.ply.cli.tool.ToolHeader.ToolOperand;
import java.util.Set;
import java.util.regex.Pattern;

/** Functions and events as BCC's tools write them, and as ply does. */
final class ProbeOperand {
  /** For help. */
  static final String SYNTAX =
      """
      NAME                   of the kernel; * and ? stand for others: vfs_*
      LIBRARY:NAME           of a library or program: c:malloc, /bin/bash:readline
      t:CATEGORY:EVENT       a tracepoint
      u:LIBRARY:PROBE        a USDT probe
      kprobe:NAME and others any probe of the ply language
      """;

  private static final Set<String> PROVIDERS =
      Set.of(
          "kprobe",
          "kretprobe",
          "fentry",
          "fexit",
          "uprobe",
          "uretprobe",
          "usdt",
          "tracepoint",
          "rawtracepoint");

  /** What could end a definition and begin something else is in none. */
  private static final Pattern DEFINITION = Pattern.compile("[^\\s{}\"';,\\\\]+");

  private ProbeOperand() {}

  /** Returns the definition of a probe at a function. */
  static String definition(String operand, ToolOperand side) throws UsageException {
    if (!DEFINITION.matcher(operand).matches()) {
      throw new UsageException("\"" + operand + "\" is no function: vfs_read or c:malloc are");
    }
    String ret = side == ToolOperand.RETURN ? "ret" : "";
    int colon = operand.indexOf(':');
    if (colon < 0) {
      return "k" + ret + "probe:" + operand;
    }
    String first = operand.substring(0, colon);
    String rest = operand.substring(colon + 1);
    if (PROVIDERS.contains(first)) {
      return operand;
    }
    return switch (first) {
      case "t" -> "tracepoint:" + rest;
      case "u" -> usdt(rest);
      case "p", "" ->
          rest.startsWith(":")
              ? "k" + ret + "probe:" + rest.substring(1)
              : "u" + ret + "probe:" + rest;
      case "r" -> rest.startsWith(":") ? "kretprobe:" + rest.substring(1) : "uretprobe:" + rest;
      default -> "u" + ret + "probe:" + operand;
    };
  }

  /** BCC leaves the provider of a USDT probe out. */
  private static String usdt(String rest) {
    int colon = rest.indexOf(':');
    return colon >= 0 && rest.indexOf(':', colon + 1) < 0
        ? "usdt:" + rest.substring(0, colon) + ":*" + rest.substring(colon)
        : "usdt:" + rest;
  }
}
