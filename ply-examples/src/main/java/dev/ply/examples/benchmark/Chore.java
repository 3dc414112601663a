package dev.ply.examples.benchmark;

import java.io.IOException;

/** Ordinary work, measured as a whole. It runs on the last CPU alone. */
enum Chore {
  /**
   * Reads tens of thousands of files: one process, which is the traced one. To /dev/null it would
   * read none.
   */
  TAR("tar", "exec tar cf /dev/zero /usr/share"),
  /**
   * Compiles fifty small files of C, several processes for each. The traced one is the shell that
   * starts them, so that nearly all calls are others.
   */
  BUILD(
      "build",
      """
      work=$(mktemp -d) || exit
      trap 'rm -rf "$work"' EXIT
      i=0
      while [ $i -lt 50 ]; do
        printf '#include <stdio.h>\nint f%d(void) { return puts("f"); }\n' $i > "$work/$i.c"
        cc -c -o "$work/$i.o" "$work/$i.c" || exit
        i=$((i + 1))
      done
      """);

  private final String title;
  private final String script;

  Chore(String title, String script) {
    this.title = title;
    this.script = script;
  }

  /** Returns what it is called in the table. */
  String title() {
    return title;
  }

  /** Returns a process that waits to do it, and tells its time in milliseconds. */
  Work start() throws IOException {
    String waiting = "read -r go; exec " + Pinning.TO_LAST.command() + "\"$@\"";
    Process process =
        new ProcessBuilder("sh", "-c", waiting, "sh", "sh", "-c", script)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new Waiting(process);
  }

  private record Waiting(Process process) implements Work {
    @Override
    public long pid() {
      return process.pid();
    }

    @Override
    public double quietRun() throws IOException, InterruptedException {
      long begin = System.nanoTime();
      process.getOutputStream().write('\n');
      process.getOutputStream().close();
      int status = process.waitFor();
      double millis = (System.nanoTime() - begin) / 1e6;
      if (status != 0) {
        throw new IOException("the work ended with status " + status);
      }
      return millis;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
