package dev.ply.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.Session;
import dev.ply.ir.declaration.Configuration;
import dev.ply.lang.PlyScript;
import dev.ply.type.Dialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of structures of the running kernel, by its BTF. */
@Tag("live")
@Timeout(300)
final class KernelMembersIT {
  @TempDir private Path directory;

  @BeforeEach
  void assume() {
    Live.assumeTracing();
    assumeTrue(new RunningKernel().types().isKnown(), "this kernel has no BTF");
  }

  /** Returns the lines that a script prints while a child of this process runs, each once. */
  private static SortedSet<String> lines(String script, String... command) throws Exception {
    SortedSet<String> lines = Collections.synchronizedSortedSet(new TreeSet<>());
    try (KernelTracer tracer = KernelTracer.open();
        Session session =
            tracer
                .prepare(
                    PlyScript.parse(script.replace("PARENT", "" + ProcessHandle.current().pid())))
                .printTo(line -> lines.add(line.toString().strip()))
                .start()) {
      assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
      session.stop();
    }
    return lines;
  }

  @Test
  void recordsAndTheRunningThreadHaveTheirTypes() throws Exception {
    assertThat(
            lines(
                "tracepoint:syscalls:sys_enter_*nanosleep / ppid == PARENT && comm == \"sleep\" / {"
                    + " printf(\"%d %d %s %d %d\", args->rqtp->tv_sec, args.rqtp->tv_nsec,"
                    + " str(curtask->comm), curtask->pid == tid(init),"
                    + " container_of(&curtask->se, struct task_struct, se) == curtask); }",
                "sleep", "0.25"))
        .containsExactly("0 250000000 sleep 1 1");
  }

  /** An array becomes the address of its first element; to bpftrace, a number is one, too. */
  @Test
  void arraysAndNumbersAreAddresses() throws Exception {
    assertThat(
            lines(
                "tracepoint:syscalls:sys_enter_*nanosleep / ppid == PARENT && comm == \"sleep\" / {"
                    + " $c = (int8 *)curtask->comm; $w = (uint64 *)curtask->comm;"
                    + " printf(\"%s %d\", str($c), *$w == *(uint64 *)&curtask->comm); }",
                "sleep", "0.25"))
        .containsExactly("sleep 1");
    Configuration ofBpftrace = new Configuration(Map.of(), Dialect.BPFTRACE);
    String number =
        "BEGIN { $n = (uint64)(uint64 *)curtask->comm; printf(\"%d\", *$n == *(uint64 *)$n); }";
    SortedSet<String> printed = new TreeSet<>();
    try (KernelTracer tracer = KernelTracer.open();
        Session session =
            tracer
                .prepare(PlyScript.parse(number).withConfiguration(ofBpftrace))
                .printTo(line -> printed.add(line.toString()))
                .start()) {
      session.stop();
    }
    assertThat(printed).containsExactly("1");
  }

  @Test
  void argumentsAreCastToStructures() throws Exception {
    assumeTrue(
        Files.exists(Path.of("/sys/bus/event_source/devices/kprobe")),
        "this kernel has no kprobes");
    Path file = Files.writeString(directory.resolve("plymembers.txt"), "content");
    assertThat(
            lines(
                "struct list { struct list *next; };"
                    + " kprobe:vfs_open / ppid == PARENT && comm == \"cat\" / {"
                    + " $d = ((struct path *)arg0)->dentry;"
                    + " $l = (struct list *)&$d->d_lru; $k = $d->d_lru.next;"
                    + " if (str($d->d_name.name) == \"plymembers.txt\") {"
                    + " printf(\"%s %d\", str($d->d_name.name), (uint64)$l->next == (uint64)$k); }"
                    + " }",
                "cat", file.toString()))
        .containsExactly("plymembers.txt 1");
  }
}
