package dev.ply.examples.benchmark;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where processes run: a workload on the last CPU, what traces it on the others, so that neither
 * takes time from the other. No restriction on a machine with one CPU.
 */
enum Pinning {
  /** On the last CPU. */
  TO_LAST(Integer.toString(Pinning.last())),
  /** On all others. */
  OFF_LAST("0-" + (Pinning.last() - 1));

  private final String cpus;

  Pinning(String cpus) {
    this.cpus = cpus;
  }

  private static int last() {
    return Runtime.getRuntime().availableProcessors() - 1;
  }

  /** Returns the words that precede a command. */
  List<String> words() {
    return last() == 0 ? List.of() : List.of("taskset", "-c", cpus);
  }

  /** Returns what precedes a command in a shell, with a space after it, or nothing. */
  String command() {
    return words().stream().map(word -> word + " ").collect(Collectors.joining());
  }

  /** Moves all threads of a process. */
  void apply(long pid) throws IOException, InterruptedException {
    if (last() > 0) {
      new ProcessBuilder("taskset", "-a", "-c", "-p", cpus, Long.toString(pid))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    }
  }
}
