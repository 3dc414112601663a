package dev.ply.cli.serve;

import dev.ply.metrics.MetricOptions;
import java.util.List;

/**
 * A script of a configuration.
 *
 * @param name of the script, which the names of its metrics have
 * @param value a path, the text of a script, or the name of a tool
 * @param options those of its command line, a word each
 * @param metrics its limits
 */
record ScriptConfig(
    String name, ScriptKind kind, String value, List<String> options, MetricOptions metrics) {
  ScriptConfig {
    options = List.copyOf(options);
  }
}
