package dev.ply.ir;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A part of a pattern. It is matched by sets of positions: from all places where it may begin, to
 * all where it may end. So the time is bounded by the square of the name's length, whatever the
 * pattern.
 */
sealed interface GlobElement {
  /** Returns where a match of this in {@code name} may end that begins at one of {@code starts}. */
  BitSet ends(String name, BitSet starts);

  /** Returns where a match of all of {@code elements}, one after the other, may end. */
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

  /** Returns the set of that one position. */
  static BitSet at(int position) {
    BitSet set = new BitSet(position + 1);
    set.set(position);
    return set;
  }

  /** A character of a set. */
  sealed interface Single extends GlobElement {
    /** Tells whether a character belongs to the set. */
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

  /** That character. */
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

  /** A character in brackets. */
  record OneOf(BitSet characters, boolean negated) implements Single {
    @Override
    public boolean contains(char c) {
      return characters.get(c) != negated;
    }
  }

  /** Any text, the empty one too. */
  record AnyText() implements GlobElement {
    @Override
    public BitSet ends(String name, BitSet starts) {
      BitSet ends = new BitSet(name.length() + 1);
      ends.set(starts.nextSetBit(0), name.length() + 1);
      return ends;
    }
  }

  /** A list of patterns in parentheses. */
  record Choice(Kind kind, List<List<GlobElement>> alternatives) implements GlobElement {
    /** How many of the alternatives there are to be. */
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

      /** Returns the kind that is written with that character before the parenthesis. */
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

    /** What begins at one place and is an alternative there may be none from another place. */
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
