package dev.ply.kernel.symbolize;

import dev.ply.kernel.mapping.RecordedMappings;
import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.privilege.CapabilitySet;
import dev.ply.kernel.process.KeptCapabilities;
import dev.ply.kernel.untrusted.MemoryBudget;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.Resource;
import dev.ply.target.UserSymbols;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Reads the symbols of processes on a thread of its own, for one trace. Callers wait for a limited
 * total time: no file or process can delay reading events or stopping. Thread-safe.
 */
public final class SymbolReader implements UserSymbols {
  /** CPU time for files of users other than root. */
  private static final Duration READING = Duration.ofSeconds(3);

  private static final long PATIENCE = 10_000_000_000L;

  /** The fraction of its run time that a trace waits in addition: 1/10. */
  private static final long SHARE = 10;

  /**
   * The maximum number of processes queued for inspection; others are inspected when symbols are
   * requested.
   */
  private static final int MOST_WAITING = 1 << 12;

  /**
   * The interval of processing mapping records: buffers hold those of about a hundred processes.
   */
  private static final Duration UPDATES = Duration.ofMillis(50);

  /** The longest interval, after several that had few records. */
  private static final Duration LONGEST_UPDATES = Duration.ofMillis(200);

  private static final Duration FAREWELL = Duration.ofMillis(200);

  /**
   * Answers that take the reader less than this are not counted: large profiles have many stack
   * traces of known functions. CPU time spent on other users' files has its own limit.
   */
  private static final long FREE = 1_000_000;

  private final SharedCode shared;
  private final Optional<KeptCapabilities> kept;
  private final MemoryBudget memory;
  private final ReadBudget budget;
  private final ProcessSymbols symbols;
  private final BlockingDeque<Runnable> tasks = new LinkedBlockingDeque<>();
  private final Thread thread = new Thread(this::run, "ply-symbols");
  private final long begin = System.nanoTime();
  private volatile Optional<RecordedMappings> mappings = Optional.empty();
  private volatile boolean isBusy;

  /** How long the thread waits for a task before it processes mapping records, in ms. */
  private long interval = UPDATES.toMillis();

  private boolean isStarted;
  private boolean isLimited;
  private long limit;
  private long waited;

  /** The result of a request, guarded by the reader. */
  private static final class Answer {
    private final long requested = System.nanoTime();
    private final boolean isBehindAnother;
    private boolean isThere;
    private long nanos;
    private Optional<List<Frame>> frames = Optional.empty();

    /**
     * Begins a request.
     *
     * @param isBehindAnother whether the reader has to finish something else first
     */
    Answer(boolean isBehindAnother) {
      this.isBehindAnother = isBehindAnother;
    }

    /** Receives the frames, and when the reader began to look them up. */
    void give(Optional<List<Frame>> found, long begin) {
      frames = found;
      nanos = System.nanoTime() - (isBehindAnother ? requested : begin);
      isThere = true;
    }
  }

  /** Creates a reader that shares symbols and memory with the others of a tracer. */
  public SymbolReader(SharedCode shared) {
    this(shared, Optional.empty());
  }

  /**
   * Creates a reader that shares symbols and memory with the others of a tracer.
   *
   * @param kept what its thread keeps when the process becomes another user
   */
  public SymbolReader(SharedCode shared, Optional<KeptCapabilities> kept) {
    this.shared = shared;
    this.kept = kept;
    this.memory = shared.memory();
    this.budget = ReadBudget.of(READING, memory);
    this.symbols = new ProcessSymbols(budget, shared);
  }

  @Override
  public void recordMappings() {
    mappings = RecordedMappings.open(memory);
    mappings.ifPresent(opened -> tasks.addFirst(() -> symbols.use(opened)));
    start();
  }

  @Override
  public void leaveRuntimesAlone() {
    symbols.leaveRuntimesAlone();
  }

  @Override
  public void remember(int process) {
    start();
    if (tasks.size() < MOST_WAITING) {
      tasks.addLast(() -> symbols.remember(process));
    }
  }

  @Override
  public void update() {
    if (mappings.isPresent() && tasks.size() < MOST_WAITING) {
      tasks.addLast(symbols::update);
    }
  }

  @Override
  public Set<Integer> runtimes() {
    return symbols.runtimes();
  }

  @Override
  public void forgetAllBut(Set<Integer> kept) {
    start();
    tasks.addLast(() -> symbols.forgetAllBut(kept));
  }

  @Override
  public Optional<List<Frame>> frames(int process, List<Long> addresses) {
    start();
    Answer answer = new Answer(isBusy);
    tasks.addFirst(() -> answer(answer, process, addresses));
    try {
      return await(answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private void answer(Answer answer, int process, List<Long> addresses) {
    long begin = System.nanoTime();
    Optional<List<Frame>> frames = Optional.empty();
    try {
      frames = Optional.of(symbols.frames(process, addresses));
    } catch (OutOfMemoryError e) {
      // Recorded before the answer, so that the caller finds the reason.
      giveUpMemory();
    } finally {
      synchronized (this) {
        // Before the caller's next request.
        isBusy = false;
        answer.give(frames, begin);
        notifyAll();
      }
    }
  }

  private synchronized Optional<List<Frame>> await(Answer answer) throws InterruptedException {
    while (!answer.isThere) {
      long elapsed = System.nanoTime() - answer.requested;
      long left = left() - elapsed;
      if (left <= 0) {
        budget.exceeded(Resource.TIME);
        waited += elapsed;
        return Optional.empty();
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    // Without the time to wake this thread, which is long on a busy machine.
    waited += answer.nanos > FREE ? answer.nanos : 0;
    return answer.frames;
  }

  private long left() {
    return (isLimited ? limit : PATIENCE + (System.nanoTime() - begin) / SHARE) - waited;
  }

  @Override
  public synchronized void limitWait(Duration most) {
    limit = Math.min(left(), most.toNanos()) + waited;
    isLimited = true;
    notifyAll();
  }

  @Override
  public Optional<String> hiddenUnless() {
    CapabilitySet held = CapabilitySet.ofThisProcess();
    return held.has(Capability.CAP_SYS_PTRACE)
            || (kept.isPresent() && kept.get().has(Capability.CAP_SYS_PTRACE))
        ? Optional.empty()
        : Optional.of(
            "it requires CAP_SYS_PTRACE: " + held.remedy(List.of(Capability.CAP_SYS_PTRACE)));
  }

  @Override
  public Optional<String> shortage() {
    if (!budget.exceeded().isEmpty()) {
      String resources =
          budget.exceeded().stream()
              .sorted()
              .map(Resource::word)
              .collect(Collectors.joining(" and "));
      return Optional.of(
          "some functions of processes have no names: reading them takes too much " + resources);
    }
    long lost = symbols.missedMappings();
    return lost > 0
        ? Optional.of(
            "some functions of processes that have exited may have no names: "
                + lost
                + " records of what processes mapped were lost")
        : symbols.missingNames().sentence();
  }

  private synchronized void start() {
    if (!isStarted) {
      isStarted = true;
      thread.setDaemon(true);
      thread.start();
      // No lambda, whose class would have to be loaded by every trace.
      if (kept.isPresent()) {
        kept.get().hold(tasks::addFirst);
      }
    }
  }

  private void run() {
    try {
      while (true) {
        run(nextTask());
      }
    } catch (InterruptedException e) {
      // Closed.
      return;
    } finally {
      // By this thread: one that is stuck in a file still holds what it has read.
      symbols.close();
    }
  }

  private Runnable nextTask() throws InterruptedException {
    if (mappings.isEmpty()) {
      return tasks.takeFirst();
    }
    interval =
        mappings.get().hadMany()
            ? UPDATES.toMillis()
            : Math.min(LONGEST_UPDATES.toMillis(), interval * 2);
    Runnable task = tasks.pollFirst(interval, TimeUnit.MILLISECONDS);
    return task == null ? symbols::update : task;
  }

  /** A failed task does not affect the next. */
  private void run(Runnable task) {
    isBusy = true;
    try {
      task.run();
    } catch (OutOfMemoryError e) {
      giveUpMemory();
    } catch (RuntimeException | Error e) {
      // Its frames then print as addresses.
      return;
    } finally {
      isBusy = false;
    }
  }

  /** Results need the memory more than symbols do. */
  private void giveUpMemory() {
    symbols.forget();
    shared.dropAll();
    budget.exceeded(Resource.MEMORY);
  }

  /** Ends the thread; does not wait longer than a limit for it. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(FAREWELL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    mappings.ifPresent(RecordedMappings::close);
  }
}
