package dev.ply.lang;

import dev.ply.Safety;
import dev.ply.analysis.Analyzer;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.lang.argument.EnvironmentVariables;
import dev.ply.target.Target;
import java.util.Map;

/** Parses scripts. */
public final class PlyScript {
  /** The name under which an environment has the PID of the command that the tracer started. */
  public static final String CHILD = EnvironmentVariables.CHILD;

  /**
   * The name under which an environment says, with any value, that the command is run by a shell,
   * whose PID {@link #CHILD} is.
   */
  public static final String SHELL = EnvironmentVariables.SHELL;

  /**
   * The name under which an environment says, with any value, that timers without a unit are in
   * nanoseconds, as bpftrace has them: {@code interval:1000000}. Else intervals are in seconds, and
   * profiles in samples per second.
   */
  public static final String NANOSECONDS = EnvironmentVariables.NANOSECONDS;

  /**
   * The name under which an environment has the architecture whose macros headers see, as {@code
   * uname -m} has it; that of this machine unless given.
   */
  public static final String ARCHITECTURE = "-arch";

  /**
   * The name under which an environment has the kernel's release, {@code 6.12.1}, for {@code
   * LINUX_VERSION_CODE}; that of this machine unless given.
   */
  public static final String KERNEL = "-kernel";

  private PlyScript() {}

  /**
   * Parses a script.
   *
   * @param text the script
   * @return the script, not yet checked against a kernel
   * @throws CompilationException with all syntax errors; with a machine, {@link #parse(Source, Map,
   *     Target)}, there are those of analysis, too
   */
  public static Script parse(String text) {
    return parse(text, Map.of());
  }

  /**
   * Parses a script.
   *
   * @param text the script
   * @param environment values of environment variables such as {@code $HOME}, by names without
   *     {@code $}
   * @return the script, not yet checked against a kernel
   * @throws CompilationException with all syntax errors; with a machine, {@link #parse(Source, Map,
   *     Target)}, there are those of analysis, too
   */
  public static Script parse(String text, Map<String, String> environment) {
    return parse(new Source("<input>", text), environment);
  }

  /**
   * Parses a named script.
   *
   * @param source text and name of the script
   * @return the script, not yet checked against a kernel
   * @throws CompilationException with all syntax errors; with a machine, {@link #parse(Source, Map,
   *     Target)}, there are those of analysis, too
   */
  public static Script parse(Source source) {
    return parse(source, Map.of());
  }

  /**
   * Parses a named script.
   *
   * @param source text and name of the script
   * @param environment values of environment variables such as {@code $HOME}, by names without
   *     {@code $}
   * @return the script, not yet checked against a kernel
   * @throws CompilationException with all syntax errors; with a machine, {@link #parse(Source, Map,
   *     Target)}, there are those of analysis, too
   */
  public static Script parse(Source source, Map<String, String> environment) {
    return ScriptParser.parse(source, environment).orThrow();
  }

  /**
   * Parses and analyses a named script for a machine, and reports all syntax and type errors
   * together. The other overloads report syntax errors only; the tracer reports type errors when it
   * prepares the script.
   *
   * @param source text and name of the script
   * @param environment values of environment variables such as {@code $HOME}, by names without
   *     {@code $}
   * @param target the machine, whose functions, tracepoints and types the script means: {@code
   *     RunningKernel} of dev.ply.kernel, or {@code SimulatedTarget}
   * @return the script; if it has no errors of syntax, not yet checked against the machine
   * @throws CompilationException if it has errors of syntax: with those, and all errors of analysis
   */
  public static Script parse(Source source, Map<String, String> environment, Target target) {
    ParseResult result = ScriptParser.parse(source, environment);
    if (result.hasErrors()) {
      // What is unsafe is up to the tracer.
      new Analyzer(target, Safety.UNSAFE).analyze(result.script(), result.diagnostics());
    }
    return result.orThrow();
  }
}
