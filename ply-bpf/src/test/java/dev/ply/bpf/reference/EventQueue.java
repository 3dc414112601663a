package dev.ply.bpf.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * What clauses send to user space, which handles it later and in order: what is printed, maps that
 * are to be emptied, the end.
 */
final class EventQueue {
  private final List<Runnable> waiting = new ArrayList<>();
  private OptionalInt exitStatus = OptionalInt.empty();
  private boolean discarding;

  void send(Runnable event) {
    waiting.add(event);
  }

  /** Sends the end: the first one counts, and nothing after it does. */
  void sendExit(int status) {
    send(
        () -> {
          if (exitStatus.isEmpty()) {
            exitStatus = OptionalInt.of(status);
          }
          discarding = true;
        });
  }

  void handleAll() {
    for (Runnable event : List.copyOf(waiting)) {
      if (!discarding) {
        event.run();
      }
    }
    waiting.clear();
  }

  /** What END sends is handled again. */
  void startLast() {
    discarding = false;
  }

  OptionalInt exitStatus() {
    return exitStatus;
  }
}
