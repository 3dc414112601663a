package dev.ply.kernel.process;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.privilege.Capability;
import dev.ply.kernel.sys.UserCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The capabilities that the threads which read symbols of processes keep when the process becomes
 * another user. A capability is a thread's own: all others lose theirs. Thread-safe.
 */
public final class KeptCapabilities {
  private static final long PATIENCE = 5;

  /** What threads that read symbols have a use for. */
  private static final Map<String, Capability> USEFUL =
      Map.of(
          "sys_ptrace", Capability.CAP_SYS_PTRACE,
          "dac_read_search", Capability.CAP_DAC_READ_SEARCH);

  private final Set<Capability> capabilities;
  private final List<Executor> readers = new ArrayList<>();
  private final List<CompletableFuture<?>> begun = new ArrayList<>();
  private final Set<String> threads = ConcurrentHashMap.newKeySet();
  private boolean isSettled;

  private KeptCapabilities(Set<Capability> capabilities) {
    this.capabilities = Set.copyOf(capabilities);
  }

  /**
   * {@return a choice that no thread has made yet}
   *
   * @param names of capabilities there is a use for, as {@link #isUseful} takes them
   */
  public static KeptCapabilities of(Collection<String> names) {
    return new KeptCapabilities(
        names.stream()
            .flatMap(name -> Optional.ofNullable(USEFUL.get(plain(name))).stream())
            .collect(Collectors.toSet()));
  }

  /**
   * {@return whether there is a use for keeping a capability}
   *
   * @param name {@code sys_ptrace}, also in capitals and with {@code CAP_}
   */
  public static boolean isUseful(String name) {
    return USEFUL.containsKey(plain(name));
  }

  private static String plain(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.startsWith("cap_") ? lower.substring("cap_".length()) : lower;
  }

  /** {@return whether nothing is kept} */
  public boolean isEmpty() {
    return capabilities.isEmpty();
  }

  /** {@return whether a reader has a capability} */
  public boolean has(Capability capability) {
    return !threads.isEmpty() && capabilities.contains(capability);
  }

  /**
   * Adds a thread that reads symbols, which has begun.
   *
   * @param reader runs a task on that thread
   */
  public synchronized void hold(Executor reader) {
    if (!isEmpty() && !isSettled) {
      readers.add(reader);
      begun.add(CompletableFuture.runAsync(UserCalls::keepCapabilities, reader));
    }
  }

  /** Waits until the threads would keep all capabilities. */
  synchronized void prepare() {
    await(begun);
  }

  /** Leaves the threads just what is kept. */
  synchronized void settle() {
    isSettled = true;
    List<CompletableFuture<?>> settled = new ArrayList<>();
    for (Executor reader : readers) {
      settled.add(CompletableFuture.runAsync(this::reduce, reader));
    }
    await(settled);
  }

  private void reduce() {
    UserCalls.holdOnly(mask());
    try {
      threads.add(Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString());
    } catch (IOException e) {
      // The thread is then one that has too many.
      return;
    }
  }

  private static void await(List<CompletableFuture<?>> all) {
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
          .orTimeout(PATIENCE, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof KernelException refused) {
        throw refused;
      }
      throw new IllegalStateException(
          "a thread that reads symbols does not answer within " + PATIENCE + " s", e);
    }
  }

  /** Returns the mask of what a thread may have. */
  long allowed(String thread) {
    return threads.contains(thread) ? mask() : 0;
  }

  /** {@return whether a thread has kept anything: only those that read symbols do} */
  public boolean isInUse() {
    return !threads.isEmpty();
  }

  private long mask() {
    return capabilities.stream().mapToLong(Capability::mask).reduce(0, (one, other) -> one | other);
  }
}
