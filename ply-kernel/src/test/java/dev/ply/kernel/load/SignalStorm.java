package dev.ply.kernel.load;

import com.google.common.util.concurrent.Uninterruptibles;
import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.concurrent.atomic.AtomicLong;

/** Sends a thread the signal of a profiler's timer as often as possible, until closed. */
final class SignalStorm implements AutoCloseable {
  private static final int SIGPROF = 27;

  private final NativeLibrary library = NativeLibrary.getInstance("c");
  private final Pointer former;
  private final AtomicLong signals = new AtomicLong();
  private final Thread sender;
  private volatile boolean isOver;

  private SignalStorm() {
    // A handler that does nothing with the signal's number.
    former = signal(library.getFunction("abs"));
    int thread = library.getFunction("gettid").invokeInt(new Object[0]);
    int process = (int) ProcessHandle.current().pid();
    Function send = library.getFunction("tgkill");
    sender =
        new Thread(
            () -> {
              while (!isOver) {
                int unused = send.invokeInt(new Object[] {process, thread, SIGPROF});
                signals.incrementAndGet();
              }
            });
    sender.start();
  }

  static SignalStorm onThisThread() {
    return new SignalStorm();
  }

  private Pointer signal(Pointer handler) {
    return library.getFunction("signal").invokePointer(new Object[] {SIGPROF, handler});
  }

  /** Returns how many have been sent. */
  long signals() {
    return signals.get();
  }

  @Override
  public void close() {
    isOver = true;
    Uninterruptibles.joinUninterruptibly(sender);
    Pointer unused = signal(former);
  }
}
