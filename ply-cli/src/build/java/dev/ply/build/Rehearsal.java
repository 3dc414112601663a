package dev.ply.build;

import dev.ply.cli.Ply;
import dev.ply.kernel.Privileges;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The training run of the class archive: typical calls of the command, of which a Java runtime
 * records the classes they load. The launcher runs it once for each runtime.
 *
 * <p>A class outside the archive costs a startup as much as fifty inside it. So all classes of the
 * command are loaded, whichever of them this kernel and these privileges let the calls reach. Newer
 * runtimes load the whole archive at each startup: theirs has only what typical traces load, as in
 * packages.
 */
public final class Rehearsal {
  private static final String CLASS = ".class";

  /** JEP 483: what is in the archive is loaded and linked before the program begins. */
  private static final int FIRST_TO_LOAD_ALL = 24;

  /** Classes that only one command or option loads, with libraries that others do not have. */
  private static final Set<String> SELDOM =
      Set.of(
          "dev/ply/cli/lsp/",
          "dev/ply/cli/live/",
          "dev/ply/cli/metrics/",
          "dev/ply/cli/serve/",
          "dev/ply/cli/webconfig/",
          "dev/ply/cli/yaml/",
          "dev/ply/metrics/");

  private static final String PROGRAM =
      """
      BEGIN {
        printf("%d %s\\n", pid, comm);
        @[comm, pid] = count();
        @sizes[kpid] = quantize(uid);
        seen[pid] = time;
      }
      tracepoint:raw_syscalls/sys_enter / pid == OWN / { print(comm, data->id); }
      interval:1ms { exit(0); }
      END { print(pid); }
      """
          .replace("OWN", Long.toString(ProcessHandle.current().pid()));

  private Rehearsal() {}

  /** Makes the calls; their output goes nowhere. */
  public static void main(String... arguments) throws IOException, ClassNotFoundException {
    if (Runtime.version().feature() < FIRST_TO_LOAD_ALL) {
      loadAll();
      runAll();
    }
    runTypical();
  }

  private static void runTypical() {
    run("-e", PROGRAM);
    run("bt", "--dry-run", "-e", PROGRAM);
    if (Privileges.missing().isEmpty()) {
      run("-c", "true", PROGRAM);
      run("bt", "-e", PROGRAM);
    }
  }

  private static void runAll() {
    run("-h");
    run("-v");
    run("complete", "BEGIN { @ = qua");
    run("complete", "tracepoint:sched:sched_s");
    run("complete", "tracepoint:sched:sched_switch { @[args.");
    run("-e", "-S", PROGRAM);
    run("-e", "tracepoint:syscalls:sys_enter_read { @[comm] = count(); }");
    run("-e", "tracepoint:syscalls:sys_exit_read { @[comm] = quantize(data->ret); }");
    run("-e", "tracepoint:syscalls:sys_enter_re* { @[probe] = count(); }");
    run("-e", "kprobe:vfs_read { @start[kpid] = time; }");
    run("-e", "kprobe:vfs_re* { @[stack] = count(); }");
    run("-e", "kretprobe:vfs_read { @[comm] = quantize(retval); }");
    run("-e", "uprobe:libc:malloc { @[ustack] = sum(arg0); }");
    run("bt", "--dry-run", "-e", "kprobe:vfs_read { @[comm] = hist(arg2); }");
    run("argdist", "-S", "-H", "r:c:malloc(size_t size):u64:$latency:$entry(size) > 1");
    run("-e", "BEGIN { print(there_is_no_such_name); }");
    run("-e", "BEGIN {");
    if (Privileges.missing().isEmpty()) {
      run("-d", PROGRAM);
      run("bt", "-f", "json", "-e", PROGRAM);
    }
  }

  private static void loadAll() throws IOException, ClassNotFoundException {
    for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      File jar = new File(path);
      if (jar.getName().startsWith("ply-")) {
        loadClasses(jar);
      }
    }
  }

  private static void loadClasses(File file) throws IOException, ClassNotFoundException {
    try (JarFile jar = new JarFile(file)) {
      for (JarEntry entry : jar.stream().toList()) {
        String name = entry.getName();
        if (name.endsWith(CLASS)
            && !name.endsWith("-info" + CLASS)
            && SELDOM.stream().noneMatch(name::startsWith)) {
          String binaryName = name.substring(0, name.length() - CLASS.length()).replace('/', '.');
          // Private classes, too, which Lookup.findClass refuses.
          Class<?> unused = Class.forName(binaryName, false, Rehearsal.class.getClassLoader());
        }
      }
    }
  }

  private static void run(String... arguments) {
    new Ply(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            OutputStream.nullOutputStream())
        .run(arguments);
  }
}
