package dev.ply.lang.argument;

import dev.ply.machine.Architecture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a script receives from its surroundings. Immutable.
 *
 * @param environment values of environment variables such as {@code $HOME}, by names without {@code
 *     $}
 * @param parameters the positional parameters, {@code $1} first; {@code $#} is their number
 * @param options values of the options that the script declares with {@code getopt}, by names
 *     without {@code --}; that of an option without a value is empty
 * @param command the command that the tracer started, for {@code cpid}
 * @param timers what timers without a unit count
 * @param machine the one that headers are read for
 */
public record ScriptArguments(
    Map<String, String> environment,
    List<String> parameters,
    Map<String, String> options,
    Optional<Command> command,
    TimerUnit timers,
    Machine machine) {
  /** Nothing: no variable, parameter, option or command; timers in seconds, on this machine. */
  public static final ScriptArguments NONE =
      new ScriptArguments(
          Map.of(), List.of(), Map.of(), Optional.empty(), TimerUnit.SECONDS, Machine.own());

  /** Before the name of an option. */
  private static final String OPTION = "--";

  /** Copies the collections. */
  public ScriptArguments {
    environment = Map.copyOf(environment);
    parameters = List.copyOf(parameters);
    options = Map.copyOf(options);
  }

  /**
   * A command that the tracer started.
   *
   * @param pid its PID, that of its shell if it has one
   * @param isShell whether a shell stays its parent
   */
  public record Command(long pid, boolean isShell) {}

  /** The unit of timers that the script writes without one. */
  public enum TimerUnit {
    /** Intervals are in seconds, profiles in samples per second. */
    SECONDS("s", "hz"),
    /** Both are in nanoseconds, as bpftrace has them: {@code interval:1000000}. */
    NANOSECONDS("ns", "ns");

    private final String interval;
    private final String profile;

    TimerUnit(String interval, String profile) {
      this.interval = interval;
      this.profile = profile;
    }

    /** {@return the suffix that stands for the unit of an interval} */
    public String ofIntervals() {
      return interval;
    }

    /** {@return the suffix that stands for the unit of a profile} */
    public String ofProfiles() {
      return profile;
    }
  }

  /**
   * The machine that headers are read for.
   *
   * @param architecture the one whose macros headers see
   * @param release the kernel's, {@code 6.12.1}, for {@code LINUX_VERSION_CODE}
   */
  public record Machine(Architecture architecture, String release) {
    /** {@return the machine that this is} */
    public static Machine own() {
      return new Machine(
          Architecture.named(System.getProperty("os.arch", "")).orElse(Architecture.X86_64),
          System.getProperty("os.version", ""));
    }
  }

  /**
   * {@return the arguments of a script that has environment variables only}
   *
   * @param environment values by names without {@code $}, such as {@link System#getenv()}
   */
  public static ScriptArguments ofEnvironment(Map<String, String> environment) {
    return NONE.withEnvironment(environment);
  }

  /**
   * {@return these arguments with other environment variables}
   *
   * @param variables values by names without {@code $}
   */
  public ScriptArguments withEnvironment(Map<String, String> variables) {
    return new ScriptArguments(variables, parameters, options, command, timers, machine);
  }

  /**
   * {@return these arguments with one environment variable more}
   *
   * @param name without {@code $}
   * @param value replaces an earlier one
   */
  public ScriptArguments withVariable(String name, String value) {
    Map<String, String> variables = new HashMap<>(environment);
    variables.put(name, value);
    return withEnvironment(variables);
  }

  /**
   * {@return these arguments with other parameters and options}
   *
   * @param words what follows the script on its command line: parameters, and options as {@code
   *     --name=value} or {@code --name}
   */
  public ScriptArguments withWords(List<String> words) {
    List<String> positional = new ArrayList<>();
    Map<String, String> named = new HashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (!word.startsWith(OPTION) || word.equals(OPTION)) {
        positional.add(word);
      } else if (equals < 0) {
        named.put(word.substring(OPTION.length()), "");
      } else {
        named.put(word.substring(OPTION.length(), equals), word.substring(equals + 1));
      }
    }
    return new ScriptArguments(environment, positional, named, command, timers, machine);
  }

  /** {@return these arguments with a command that the tracer started} */
  public ScriptArguments withCommand(Command started) {
    return new ScriptArguments(
        environment, parameters, options, Optional.of(started), timers, machine);
  }

  /**
   * {@return these arguments with another unit of timers}
   *
   * @param unit what those without a unit count
   */
  public ScriptArguments withTimers(TimerUnit unit) {
    return new ScriptArguments(environment, parameters, options, command, unit, machine);
  }

  /**
   * {@return these arguments with another machine}
   *
   * @param other the one that headers are read for
   */
  public ScriptArguments withMachine(Machine other) {
    return new ScriptArguments(environment, parameters, options, command, timers, other);
  }
}
