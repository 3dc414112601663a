package dev.ply.cli.io;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** Signals that stop the trace. */
public final class Signals {
  /** The signal of a terminal's interrupt key. */
  public static final String INTERRUPT = "INT";

  private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, INTERRUPT, 2, "TERM", 15);

  private static final String SUSPEND = "TSTP";

  private static final Duration LAST_WORDS = Duration.ofMillis(200);

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private Signals() {}

  /**
   * Calls {@code stop} with the name of the first signal, on a new thread. One that comes more than
   * a second later exits at once, after {@code abandon}; the kernel then detaches all probes.
   * SIGHUP stays ignored if it was ignored at startup, as under nohup.
   */
  public static void onFirst(Consumer<String> stop, Runnable abandon) {
    RepeatedSignal signals = new RepeatedSignal();
    NUMBERS.forEach(
        (name, number) ->
            handle(
                name,
                () -> {
                  switch (signals.received(System.nanoTime())) {
                    case STOP -> stop.accept(name);
                    case ABANDON -> exit(abandon, ExitCode.ofSignal(number));
                    case ECHO -> {
                      // The trace is being stopped.
                    }
                  }
                }));
  }

  /**
   * Exits as after a signal if this process still runs a second later: results that are nearly
   * written are not cut.
   */
  public static void abandonLater(String signal, Runnable lastWords) {
    try {
      Thread.sleep(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exit(lastWords, ExitCode.ofSignal(NUMBERS.getOrDefault(signal, 15)));
  }

  /** Exits even if the last words cannot be written. */
  private static void exit(Runnable lastWords, int status) {
    Thread writer = new Thread(lastWords, "ply-last-words");
    writer.setDaemon(true);
    writer.start();
    try {
      writer.join(LAST_WORDS.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(status);
  }

  /**
   * Calls {@code action} whenever this process receives a signal.
   *
   * @param name without {@code SIG}
   */
  public static void onEach(String name, Runnable action) {
    handle(name, action);
  }

  /**
   * Stops this process as a shell's suspend key does, but between two actions.
   *
   * @param before it stops
   * @param after it continues
   */
  public static void onSuspend(Runnable before, Runnable after) {
    handle(
        SUSPEND,
        () -> {
          before.run();
          suspend();
          onSuspend(before, after);
          after.run();
        });
  }

  /** Stops, unless no shell could continue this process: the kernel knows. */
  private static void suspend() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> type = Class.forName("sun.misc.SignalHandler");
      Object suspend = signal.getConstructor(String.class).newInstance(SUSPEND);
      Object unused =
          signal
              .getMethod("handle", signal, type)
              .invoke(null, suspend, type.getField("SIG_DFL").get(null));
      // Java raises no signal that it does not handle.
      String kill = "kill -" + SUSPEND + " " + ProcessHandle.current().pid();
      int unusedStatus = new ProcessBuilder("sh", "-c", kill).start().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ReflectiveOperationException | IOException e) {
      throw new IllegalStateException("this process cannot be suspended", e);
    }
  }

  /**
   * Installs a handler. A shutdown hook could neither set the exit status nor see a second signal,
   * and the compiler's warning about {@code sun.misc.Signal} cannot be suppressed: hence
   * reflection.
   */
  private static void handle(String name, Runnable handler) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> type = Class.forName("sun.misc.SignalHandler");
      InvocationHandler calls =
          (proxy, method, arguments) -> {
            handler.run();
            return null;
          };
      Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls);
      Method install = signal.getMethod("handle", signal, type);
      install.invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java runtime cannot handle the signal " + name, e);
    }
  }
}
