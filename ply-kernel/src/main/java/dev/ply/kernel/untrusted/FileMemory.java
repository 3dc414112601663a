package dev.ply.kernel.untrusted;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What has been read of files and can be read again. When memory is needed for another file, what
 * was used longest ago is dropped: first that of users other than root, if it is needed for a file
 * of theirs. Thread-safe.
 */
public final class FileMemory {
  private final MemoryBudget budget;

  /** The one used longest ago first. */
  private final Set<Kept<?>> kept = new LinkedHashSet<>();

  /** Creates an empty memory within a budget. */
  public FileMemory(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Returns the budget that all claims are of. */
  public MemoryBudget budget() {
    return budget;
  }

  /** Reads something of a file, and claims the memory that it takes. */
  public interface Reading<T> {
    /** Reads it again each time. */
    T read() throws IOException;
  }

  /**
   * Something that was read, until it is dropped.
   *
   * @param <T> its type
   */
  public final class Kept<T> {
    private final Claim claim;
    private Optional<T> content;

    private Kept(T content, Claim claim) {
      this.content = Optional.of(content);
      this.claim = claim;
    }

    /** Returns it and counts that as a use; empty if its memory was needed. */
    public Optional<T> get() {
      synchronized (kept) {
        if (kept.remove(this)) {
          kept.add(this);
        }
        return content;
      }
    }

    /** Drops it. */
    public void drop() {
      synchronized (kept) {
        if (kept.remove(this)) {
          content = Optional.empty();
          claim.release();
        }
      }
    }
  }

  /**
   * Something that was read, and the memory that is claimed for it.
   *
   * @param <T> its type
   */
  public record Held<T>(T content, Claim claim) {}

  /**
   * Reads something, and keeps it as long as its memory is not needed.
   *
   * @param reader whose time is spent, for its thread
   * @throws BudgetExceededException if it takes too much even if nothing else is kept
   */
  public <T> Kept<T> read(ReadBudget reader, Reading<T> reading) throws IOException {
    Held<T> held = hold(reader, reading);
    return keep(held.content(), held.claim());
  }

  /**
   * Reads something that is kept until its claim is released.
   *
   * @param reader whose time is spent, for its thread
   * @throws BudgetExceededException if it takes too much even if nothing else is kept
   */
  public <T> Held<T> hold(ReadBudget reader, Reading<T> reading) throws IOException {
    boolean wasExceeded = reader.exceeded().contains(Resource.MEMORY);
    while (true) {
      Claim before = reader.claims();
      Optional<T> content = Optional.empty();
      try {
        content = Optional.of(reading.read());
      } catch (BudgetExceededException e) {
        if (!e.isForOthers() || !dropLeastUsed(e.isOfRoot())) {
          throw e;
        }
        if (!wasExceeded) {
          reader.retract(Resource.MEMORY);
        }
      } finally {
        if (content.isEmpty()) {
          reader.handOver(before).release();
        }
      }
      if (content.isPresent()) {
        return new Held<>(content.get(), reader.handOver(before));
      }
    }
  }

  private <T> Kept<T> keep(T content, Claim claim) {
    Kept<T> one = new Kept<>(content, claim);
    synchronized (kept) {
      kept.add(one);
    }
    return one;
  }

  /** Drops what was used longest ago; returns false if there is nothing. */
  private boolean dropLeastUsed(boolean isForRoot) {
    synchronized (kept) {
      Optional<Kept<?>> oldest = kept.stream().findFirst();
      Optional<Kept<?>> ofUsers = kept.stream().filter(one -> one.claim.isOfUsers()).findFirst();
      Optional<Kept<?>> dropped = isForRoot || ofUsers.isEmpty() ? oldest : ofUsers;
      dropped.ifPresent(Kept::drop);
      return dropped.isPresent();
    }
  }

  /** Drops all, as when the heap is full. */
  public void dropAll() {
    synchronized (kept) {
      Set.copyOf(kept).forEach(Kept::drop);
    }
  }
}
