package dev.ply.cli;

import dev.ply.kernel.Privileges;
import dev.ply.probe.Provider;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What {@code ply} alone says to somebody at a terminal: what it is, a few things that this kernel
 * can do, where help is.
 */
final class FirstWords {
  /** The number of suggestions. */
  private static final int SHOWN = 3;

  private final Target target;

  /**
   * Creates the words.
   *
   * @param target which has to offer what is shown
   */
  FirstWords(Target target) {
    this.target = target;
  }

  /** A thing to try, the most telling first; {@code requires} begins the names of its probes. */
  private record Trial(String purpose, Provider provider, String requires, String command) {}

  private static final List<Trial> TRIALS =
      List.of(
          new Trial(
              "which programs open which files",
              Provider.TRACEPOINT,
              "syscalls:sys_enter_openat",
              "ply -d 5 'tracepoint:syscalls:sys_enter_openat"
                  + " { printf(\"%s %s\\n\", comm, str(data->filename)); }'"),
          new Trial(
              "how many bytes reads of files return",
              Provider.KRETPROBE,
              "vfs_read",
              "ply -d 5 'kretprobe:vfs_read / retval > 0 / { @[comm] = quantize(retval); }'"),
          new Trial(
              "system calls by program",
              Provider.TRACEPOINT,
              "raw_syscalls:sys_enter",
              "ply -d 5 'tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }'"),
          new Trial(
              "where the CPUs spend their time",
              Provider.PROFILE,
              "",
              "ply -d 5 'profile:99hz { @[comm] = count(); }'"),
          new Trial(
              "which programs are started",
              Provider.TRACEPOINT,
              "sched:sched_process_exec",
              "ply -d 5 'tracepoint:sched:sched_process_exec"
                  + " { print(str(data->filename)); }'"));

  /** Returns the commands of the things to try that the target offers. */
  List<String> commands() {
    return offered().map(Trial::command).toList();
  }

  private Stream<Trial> offered() {
    return TRIALS.stream().filter(this::isOffered).limit(SHOWN);
  }

  private boolean isOffered(Trial trial) {
    try {
      return target.attachFeatures().lacking(trial.provider()).isEmpty()
          && (trial.provider() != Provider.TRACEPOINT
              || target.tracepoints().names().anyMatch(trial.requires()::equals));
    } catch (UnreadableTargetException | ProbeSiteNotFoundException e) {
      return false;
    }
  }

  /** Returns the text. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append("ply traces this Linux system: the kernel and programs, with short scripts.\n");
    List<String> missing = new ArrayList<>(Privileges.missing());
    if (!missing.isEmpty()) {
      text.append("Here it can only check scripts: ").append(missing.get(0)).append(".\n");
    }
    List<Trial> trials = offered().toList();
    if (!trials.isEmpty()) {
      text.append("\nTo try, for five seconds each (Ctrl-C ends sooner):\n");
    }
    for (Trial trial : trials) {
      text.append("\n  # ").append(trial.purpose()).append("\n  ").append(trial.command());
      text.append('\n');
    }
    return text.append(
            """

            ply -h             all options, and ply -h WORD explains a name of the language
            ply -l '*open*'    the probes that a pattern selects
            ply doctor         what this machine can trace
            """)
        .toString();
  }
}
