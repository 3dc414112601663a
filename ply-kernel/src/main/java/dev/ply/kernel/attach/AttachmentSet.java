package dev.ply.kernel.attach;

import dev.ply.kernel.load.CloseAll;
import dev.ply.kernel.sys.SystemCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Everything that a script is attached to. Not thread-safe. */
public final class AttachmentSet implements AutoCloseable {
  /**
   * Detaching waits for the kernel much longer than it works, and some of these waits can be spent
   * together: 27 tracepoints of Linux 6.18 take 770 ms one after the other and 70 ms at once.
   */
  private static final int AT_ONCE = 64;

  private final List<Attachment> attachments = new ArrayList<>();
  private long missedRuns;

  void add(Attachment attachment) {
    attachments.add(attachment);
  }

  /** Closes an attachment that the kernel has refused to enable. */
  void discard(Attachment refused) {
    attachments.remove(refused);
    refused.close();
  }

  /** Returns how often the kernel came to a place without being able to run its program. */
  public long missedRuns() {
    return missedRuns + attachments.stream().mapToLong(Attachment::missedRuns).sum();
  }

  /** Detaches all programs; when it returns, none of them runs any more. */
  public void detach() {
    if (attachments.isEmpty()) {
      return;
    }
    // Nobody can ask for it any more when they are detached.
    missedRuns = missedRuns();
    ExecutorService workers =
        Executors.newFixedThreadPool(Math.min(attachments.size(), AT_ONCE), AttachmentSet::thread);
    attachments.forEach(attachment -> workers.execute(attachment::detach));
    workers.shutdown();
    awaitAll(workers);
    if (!SystemCalls.tryAwaitAllCpus().isSuccess()) {
      // Closing waits for runs that have begun, if slowly.
      close();
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "ply-detach");
    thread.setDaemon(true);
    return thread;
  }

  private static void awaitAll(ExecutorService workers) {
    boolean interrupted = false;
    while (!workers.isTerminated()) {
      try {
        boolean unused = workers.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Detaches everything and gives it back. */
  @Override
  public void close() {
    List<Attachment> closing = new ArrayList<>(attachments);
    attachments.clear();
    CloseAll.of(closing);
  }
}
