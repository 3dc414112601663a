package dev.ply.ir.declaration;

import dev.ply.diagnostic.SourceSpan;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * {@code let @name = hash(entries);} between probes: the kind and size of a map.
 *
 * @param map with its {@code @}
 * @param kind how the kernel stores it
 * @param entries the maximum number of keys, above zero
 */
public record MapDeclaration(String map, Kind kind, int entries, SourceSpan span) {
  /** The handling of new keys of a full map. Aggregations are per CPU in any case. */
  public enum Kind {
    /** They are refused, and counted as lost. */
    HASH("hash", false),
    /** They replace those that have not been used for long. */
    LRU_HASH("lruhash", true),
    /** As {@link #HASH}. */
    PERCPU_HASH("percpuhash", false),
    /** As {@link #LRU_HASH}. */
    PERCPU_LRU_HASH("percpulruhash", true),
    /** As {@link #HASH}. */
    PERCPU_ARRAY("percpuarray", false);

    private final String keyword;
    private final boolean evicts;

    Kind(String keyword, boolean evicts) {
      this.keyword = keyword;
      this.evicts = evicts;
    }

    /**
     * {@return the kind of this name}
     *
     * @param name as scripts write it: {@code hash}, {@code lruhash}
     */
    public static Optional<Kind> named(String name) {
      return Arrays.stream(values()).filter(kind -> kind.keyword.equals(name)).findFirst();
    }

    /** {@return the names of all kinds} */
    public static List<String> names() {
      return Arrays.stream(values()).map(Kind::toString).toList();
    }

    /** {@return whether a full map evicts the keys that have not been used for long} */
    public boolean evicts() {
      return evicts;
    }

    @Override
    public String toString() {
      return keyword;
    }
  }

  /** {@return the declaration as scripts write it} */
  public String text() {
    return "let " + map + " = " + kind + "(" + entries + ");";
  }
}
