package dev.ply.kernel;

import static dev.ply.Values.comm;
import static dev.ply.Values.pid;
import static dev.ply.Values.tid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Probe;
import dev.ply.Session;
import dev.ply.result.Loss;
import dev.ply.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that opens session after session is left as it was, in descriptors, threads and memory.
 */
@Tag("live")
@Tag("any-kernel")
class ManySessionsIT {
  /** Of which {@code -Dharness.sessions=10000} makes more. */
  private static final int SESSIONS = Integer.getInteger("harness.sessions", 100);

  private static final long SELF = ProcessHandle.current().pid();

  /** What a process holds, as far as the kernel tells. */
  private record Held(List<String> descriptors, TreeSet<String> threads, List<String> instances) {
    static Held now() throws IOException {
      return new Held(openFiles(), liveThreads(), ownInstances());
    }

    /** Returns what the descriptors refer to; numbers of pipes and sockets do not matter. */
    private static List<String> openFiles() throws IOException {
      try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
        return files
            .flatMap(Held::target)
            .filter(target -> !target.equals("/proc/" + SELF + "/fd"))
            .map(target -> target.replaceAll("\\d+", "N"))
            .sorted()
            .toList();
      }
    }

    private static Stream<String> target(Path descriptor) {
      try {
        return Stream.of(Files.readSymbolicLink(descriptor).toString());
      } catch (IOException e) {
        // The one that lists the directory is closed by now.
        return Stream.empty();
      }
    }

    private static TreeSet<String> liveThreads() {
      TreeSet<String> names = new TreeSet<>();
      Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
      // The runtime's own, which end when they have been idle for a minute.
      names.remove("process reaper");
      names.removeIf(name -> name.startsWith("ForkJoinPool.commonPool-worker"));
      return names;
    }

    private static List<String> ownInstances() throws IOException {
      Path directory = Path.of("/sys/kernel/tracing/instances");
      if (!Files.isDirectory(directory)) {
        return List.of();
      }
      try (Stream<Path> instances = Files.list(directory)) {
        return instances
            .map(instance -> instance.getFileName().toString())
            .filter(name -> name.contains("_" + SELF + "_"))
            .toList();
      }
    }
  }

  @Test
  void nothingIsLeft() throws Exception {
    Live.assumeTracing();
    runSession();
    Held before = Held.now();
    long memoryBefore = usedMemory();
    for (int i = 0; i < SESSIONS; i++) {
      runSession();
    }
    assertThat(Held.now()).isEqualTo(before);
    // A leak of a session's smallest map would be more than this.
    assertThat(usedMemory() - memoryBefore).isLessThan(SESSIONS * 4_000L + 4_000_000);
  }

  private static long usedMemory() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void runSession() throws IOException {
    var reads = Probe.tracepoint("raw_syscalls:sys_enter").where(pid().eq(SELF)).by(comm()).count();
    var events =
        Probe.tracepoint("syscalls:sys_enter_openat").where(pid().eq(SELF)).print(tid(), comm());
    StringBuilder printed = new StringBuilder();
    try (KernelTracer tracer = KernelTracer.open()) {
      try (Session session = tracer.prepare(reads, events).printTo(printed::append).start()) {
        Files.readAllBytes(Path.of("/proc/self/stat"));
        session.stop();
        Table<Long> counted = session.read(reads);
        assertThat(counted.size()).isPositive();
        assertThat(session.lost(Loss.EVENTS)).isZero();
      }
    }
    assertThat(printed).isNotEmpty();
  }
}
