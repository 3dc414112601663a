package dev.ply.kernel.jit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Why compiled methods of Java processes have no names, and what helps. Thread-safe. */
public final class MissingNames {
  /** Processes counted, so that a machine's whole life is not kept. */
  private static final int MOST = 1 << 10;

  /** The option is diagnostic, which has to be unlocked before it. */
  private static final String DUMP = "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit";

  private final Map<Integer, Reason> byProcess = new LinkedHashMap<>();

  /** A reason, as a clause about the process. */
  enum Reason {
    DISABLED(
        "runs with -XX:+DisableAttachMechanism: with " + DUMP + " it writes them when it ends"),
    UNKNOWN(
        "does not reveal its options, so it is not asked: jcmd PID Compiler.perfmap makes a runtime"
            + " write them"),
    TOO_OLD("is older than Java 17, which can list them"),
    DEAF("does not listen for SIGQUIT (-Xrs): with " + DUMP + " it writes them when it ends"),
    ELSEWHERE(
        "listens to its own user and to root of its user namespace only: jcmd Compiler.perfmap"
            + " makes it write them there"),
    STOPPED("is stopped: let it continue (kill -CONT), then trace again"),
    SILENT("does not answer: jcmd PID Compiler.perfmap makes a runtime write them"),
    ENDED("ended before it was asked: with " + DUMP + " it leaves them when it ends"),
    FORBIDDEN(
        "may not be asked, as an option says: jcmd PID Compiler.perfmap makes a runtime write"
            + " them");

    private final String clause;

    Reason(String clause) {
      this.clause = clause;
    }
  }

  /** Notes a process whose methods have no names. */
  synchronized void add(int process, Reason reason) {
    if (byProcess.size() < MOST) {
      byProcess.put(process, reason);
    }
  }

  /** Returns one sentence about the first process, and how many more there are. */
  public synchronized Optional<String> sentence() {
    return byProcess.entrySet().stream()
        .findFirst()
        .map(
            first ->
                "compiled methods of Java process "
                    + first.getKey()
                    + (byProcess.size() > 1 ? " and " + (byProcess.size() - 1) + " more" : "")
                    + " have no names: it "
                    + first.getValue().clause.replace("PID", Integer.toString(first.getKey())));
  }
}
