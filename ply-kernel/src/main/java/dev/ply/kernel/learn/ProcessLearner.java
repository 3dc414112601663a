package dev.ply.kernel.learn;

import dev.ply.bpf.unwind.MappedCode;
import dev.ply.bpf.unwind.UnwindMemory;
import dev.ply.bpf.unwind.UnwindSizes;
import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.learn.ProcessCode.Fingerprint;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.sys.Clock;
import dev.ply.kernel.sys.SystemCalls;
import dev.ply.kernel.untrusted.ReadBudget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads the unwind tables of the processes that programs want, on a thread of its own. Programs
 * leave the processes that they have no tables of in a map, or whose code is not where it was; this
 * looks into the map when it is woken, and now and then while nobody does. Thread-safe.
 */
public final class ProcessLearner implements AutoCloseable {
  /** The CPU time for files of users other than root. */
  private static final Duration READING = Duration.ofSeconds(5);

  private static final long MILLISECOND = 1_000_000;

  /** How long to wait after a look that found something, and after many that found nothing. */
  private static final long SHORTEST = 4 * MILLISECOND;

  private static final long LONGEST = 256 * MILLISECOND;

  /** How long nobody looks where nothing was wanted, and nothing wakes the thread. */
  private static final long LOOK_AFTER = 1_000 * MILLISECOND;

  /** The CPU time for looks at processes: at once, and as a part of the time of the trace. */
  private static final long AT_ONCE = 3_000 * MILLISECOND;

  private static final long SHARE = 50;

  /** The same for second looks at processes whose tables are there. */
  private static final long SHARE_OF_REVIEWS = 1_000;

  private static final long REVIEW_PAUSE = 250 * MILLISECOND;

  private static final long REVIEW_AFTER = 1_000 * MILLISECOND;

  /** How long programs that ran before can still read what was left. */
  private static final long GRACE = 1_000 * MILLISECOND;

  /** How often processes that have ended are looked for. */
  private static final long SWEEP = 5 * GRACE;

  /** How long the start of a trace waits for tables. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration FAREWELL = Duration.ofMillis(200);

  private final LoadedMap wanted;
  private final TableMaps maps;
  private final UnwindMemory memory;
  private final FileTables files;
  private final Map<Integer, Seen> seen = new HashMap<>();
  private final Thread thread = new Thread(this::run, "ply-unwind");
  private final Semaphore wakeUps = new Semaphore(0);
  private final CountDownLatch areSelectedRead = new CountDownLatch(1);
  private Set<Integer> selected = Set.of();
  private final long begin = System.nanoTime();
  private long looked = begin;
  private boolean isAnyWanted;
  private long spent;
  private long reviewed = begin;
  private long reviewing;

  /** The last look at a process. */
  private static final class Seen {
    private final Optional<Fingerprint> code;
    private final long nanos;
    private final long next;
    private long reviewed = System.nanoTime();

    /**
     * Records a look.
     *
     * @param nanos how long nothing new is expected
     */
    Seen(Optional<Fingerprint> code, long nanos) {
      this.code = code;
      this.nanos = nanos;
      this.next = System.nanoTime() + nanos;
    }

    boolean isDue() {
      return System.nanoTime() - next >= 0;
    }
  }

  /** Begins with empty maps; {@link #start} starts the thread. */
  public ProcessLearner(LoadedMap processes, LoadedMap memory, LoadedMap wanted) {
    this.wanted = wanted;
    this.maps = new TableMaps(processes, memory);
    this.memory =
        new UnwindMemory(new UnwindSizes(processes.maxEntries(), memory.maxEntries()), maps);
    this.files = new FileTables(ReadBudget.of(READING), TableCache.ofThisProcess());
  }

  /**
   * Starts the thread.
   *
   * @param processes those whose tables it reads first
   */
  public void start(Set<Integer> processes) {
    selected = Set.copyOf(processes);
    thread.setDaemon(true);
    thread.start();
  }

  /** Has the thread look at once at what programs want. */
  public void wakeUp() {
    wakeUps.release();
  }

  /** Waits a limited time until the tables of the processes are there that are read first. */
  public void awaitSelected() {
    try {
      boolean unused = areSelectedRead.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void lookAtSelected() {
    try {
      selected.forEach(this::look);
    } finally {
      areSelectedRead.countDown();
    }
  }

  private void run() {
    try {
      lookAtSelected();
      long pause = SHORTEST;
      long reused = System.nanoTime();
      while (!Thread.interrupted()) {
        boolean isWoken = wakeUps.tryAcquire(pause, TimeUnit.NANOSECONDS);
        int unused = wakeUps.drainPermits();
        boolean hasLooked = (isWoken || isLookDue()) && look();
        pause = hasLooked ? SHORTEST : Math.min(LONGEST, pause * 2);
        review();
        if (isWoken) {
          // Of many processes that start, several are read at once.
          Thread.sleep(SHORTEST / MILLISECOND);
        }
        if (System.nanoTime() - reused > SWEEP) {
          reuse();
          reused = System.nanoTime();
        }
      }
    } catch (InterruptedException e) {
      // Closed.
      return;
    } catch (KernelException | IllegalStateException | OutOfMemoryError e) {
      // Closed meanwhile, no longer permitted, or no memory: stacks of new processes are walked by
      // frame pointers, and marked.
      return;
    } finally {
      // By this thread: one that is stuck in a file still holds what it has read.
      release();
    }
  }

  /** Some that are wanted are not read at once, and what wakes the thread can be lost. */
  private boolean isLookDue() {
    return isAnyWanted || System.nanoTime() - looked > LOOK_AFTER;
  }

  private synchronized void release() {
    files.budget().releaseAll();
    maps.close();
  }

  private synchronized void reuse() {
    memory.reuse();
    List<Integer> ended = seen.keySet().stream().filter(ProcessLearner::hasEnded).toList();
    ended.forEach(memory::remove);
    seen.keySet().removeAll(ended);
  }

  /** Looks at the processes that are wanted; returns whether there were some. */
  private synchronized boolean look() {
    List<Integer> processes = new ArrayList<>();
    wanted.forEach((key, values) -> processes.add(key.getInt(0)));
    isAnyWanted = !processes.isEmpty();
    looked = System.nanoTime();
    boolean hasLooked = false;
    for (int process : processes) {
      Seen last = seen.get(process);
      if ((last == null || last.isDue()) && !isTooMuch()) {
        look(process);
        hasLooked = true;
      }
    }
    return hasLooked;
  }

  /**
   * Looks again at the process that was looked at longest ago: it may have another library where
   * one was, which programs do not notice.
   */
  private synchronized void review() {
    long now = System.nanoTime();
    if (now - reviewed < REVIEW_PAUSE || reviewing > (now - begin) / SHARE_OF_REVIEWS) {
      return;
    }
    reviewed = now;
    long started = SystemCalls.clock(Clock.THREAD_CPU_TIME);
    Optional<Map.Entry<Integer, Seen>> oldest =
        seen.entrySet().stream()
            .filter(entry -> memory.has(entry.getKey()))
            .min(Comparator.comparingLong(entry -> entry.getValue().reviewed));
    if (oldest.isEmpty() || now - oldest.get().getValue().reviewed < REVIEW_AFTER) {
      return;
    }
    Seen last = oldest.get().getValue();
    last.reviewed = now;
    Optional<Fingerprint> code =
        ProcessCode.of(oldest.get().getKey(), files).map(ProcessCode::fingerprint);
    reviewing += SystemCalls.clock(Clock.THREAD_CPU_TIME) - started;
    if (code.isPresent() && !code.equals(last.code) && !isTooMuch()) {
      look(oldest.get().getKey());
    }
  }

  /** Of a user that makes processes by the thousand, most are not looked at. */
  private boolean isTooMuch() {
    return spent > AT_ONCE + (System.nanoTime() - begin) / SHARE;
  }

  private void look(int process) {
    long started = SystemCalls.clock(Clock.THREAD_CPU_TIME);
    Optional<ProcessCode> code = ProcessCode.of(process, files);
    Optional<Seen> last = Optional.ofNullable(seen.get(process));
    Optional<Fingerprint> now = code.map(ProcessCode::fingerprint);
    boolean isOld =
        memory.has(process)
            && now.isPresent()
            && last.map(before -> before.code).equals(Optional.of(now));
    if (!isOld) {
      code.ifPresent(
          found -> memory.add(process, found.stack(), mapped(found), ProcessLearner::hasEnded));
    }
    long cost = SystemCalls.clock(Clock.THREAD_CPU_TIME) - started;
    spent += cost;
    boolean isOfNoUse = isOld || code.isEmpty();
    long wait = isOfNoUse ? last.map(before -> before.nanos * 2).orElse(SHORTEST) : SHORTEST;
    seen.put(process, new Seen(now, Math.min(10 * GRACE, Math.max(wait, SHARE * cost))));
    if (!isOfNoUse || hasEnded(process)) {
      boolean unused = wanted.delete(TableMaps.key(process));
    }
  }

  /** What strangers' files and runtimes contain costs their own stacks only. */
  private List<MappedCode> mapped(ProcessCode code) {
    try {
      return code.mapped(files);
    } catch (RuntimeException e) {
      return List.of();
    }
  }

  private static boolean hasEnded(int process) {
    return !Files.exists(Path.of("/proc/" + process));
  }

  /** Ends the thread, and releases the memory of tables; does not wait long for it. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(FAREWELL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
