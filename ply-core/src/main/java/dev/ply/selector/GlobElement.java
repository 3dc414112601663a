package dev.ply.selector;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * An element of a pattern. Matching maps the set of all offsets where it can start to the set of
 * all where it can end, so time is bounded by the square of the name's length for any pattern.
 */
sealed interface GlobElement {
  /**
   * Returns the set of offsets in {@code name} where a match that starts at one of {@code starts}
   * can end.
   */
  BitSet ends(String name, BitSet starts);

  /** Returns the set of offsets where a match of the sequence {@code elements} can end. */
  static BitSet ends(List<GlobElement> elements, String name, BitSet starts) {
    BitSet positions = starts;
    for (GlobElement element : elements) {
      if (positions.isEmpty()) {
        break;
      }
      positions = element.ends(name, positions);
    }
    return positions;
  }

  /** Returns the set with one offset. */
  static BitSet at(int position) {
    BitSet set = new BitSet(position + 1);
    set.set(position);
    return set;
  }

  /** An element of a character set. */
  sealed interface Single extends GlobElement {
    /** Returns whether the set contains a character. */
    boolean contains(char c);

    @Override
    default BitSet ends(String name, BitSet starts) {
      BitSet ends = new BitSet(name.length() + 1);
      starts.stream()
          .filter(start -> start < name.length() && contains(name.charAt(start)))
          .forEach(start -> ends.set(start + 1));
      return ends;
    }
  }

  /** A single character. */
  record Literal(char value) implements Single {
    @Override
    public boolean contains(char c) {
      return c == value;
    }
  }

  /** Any character. */
  record Any() implements Single {
    @Override
    public boolean contains(char c) {
      return true;
    }
  }

  /** A character set in brackets. */
  record OneOf(BitSet characters, boolean negated) implements Single {
    @Override
    public boolean contains(char c) {
      return characters.get(c) != negated;
    }
  }

  /** Any string, including the empty one. */
  record AnyText() implements GlobElement {
    @Override
    public BitSet ends(String name, BitSet starts) {
      BitSet ends = new BitSet(name.length() + 1);
      ends.set(starts.nextSetBit(0), name.length() + 1);
      return ends;
    }
  }

  /** An extended pattern: alternatives in parentheses. */
  record Choice(Kind kind, List<List<GlobElement>> alternatives) implements GlobElement {
    /** How many times the alternatives may occur. */
    enum Kind {
      ONE('@'),
      AT_MOST_ONE('?'),
      ANY_NUMBER('*'),
      AT_LEAST_ONE('+'),
      NONE('!');

      private final char sign;

      Kind(char sign) {
        this.sign = sign;
      }

      /** Returns the quantifier for the character before the parenthesis. */
      static Optional<Kind> of(char sign) {
        return Arrays.stream(values()).filter(kind -> kind.sign == sign).findFirst();
      }
    }

    public Choice {
      alternatives = List.copyOf(alternatives);
    }

    @Override
    public BitSet ends(String name, BitSet starts) {
      return switch (kind) {
        case ONE -> once(name, starts);
        case AT_MOST_ONE -> or(once(name, starts), starts);
        case AT_LEAST_ONE -> repeated(name, once(name, starts));
        case ANY_NUMBER -> repeated(name, starts);
        case NONE -> others(name, starts);
      };
    }

    private BitSet once(String name, BitSet starts) {
      BitSet ends = new BitSet(name.length() + 1);
      alternatives.forEach(alternative -> ends.or(GlobElement.ends(alternative, name, starts)));
      return ends;
    }

    private BitSet repeated(String name, BitSet starts) {
      BitSet reached = (BitSet) starts.clone();
      int before;
      do {
        before = reached.cardinality();
        reached.or(once(name, reached));
      } while (reached.cardinality() > before);
      return reached;
    }

    /** From each start separately: what matches from one offset need not match from another. */
    private BitSet others(String name, BitSet starts) {
      BitSet ends = new BitSet(name.length() + 1);
      starts.stream()
          .forEach(
              start -> {
                BitSet rest = new BitSet(name.length() + 1);
                rest.set(start, name.length() + 1);
                rest.andNot(once(name, at(start)));
                ends.or(rest);
              });
      return ends;
    }

    private static BitSet or(BitSet a, BitSet b) {
      BitSet both = (BitSet) a.clone();
      both.or(b);
      return both;
    }
  }
}
