package dev.ply.table;

import java.util.Comparator;
import java.util.List;

/**
 * The order of values in a map dump: numbers by value, strings byte by byte, composite values
 * component by component, stack traces by id, histograms by bucket, from zero up and negative
 * values last.
 */
enum DatumOrder implements Comparator<Datum> {
  /** The only order. */
  ASCENDING;

  @Override
  public int compare(Datum a, Datum b) {
    return a.getClass() == b.getClass()
        ? a.accept(new Comparison(b))
        : Integer.compare(a.accept(RANK), b.accept(RANK));
  }

  /** Compares a value with another one of its kind. */
  private record Comparison(Datum other) implements Datum.Visitor<Integer> {
    @Override
    public Integer visit(Datum.Int a) {
      Datum.Int b = (Datum.Int) other;
      return compareInts(a, b);
    }

    @Override
    public Integer visit(Datum.Address a) {
      Datum.Address b = (Datum.Address) other;
      return Long.compareUnsigned(a.value(), b.value());
    }

    @Override
    public Integer visit(Datum.Text a) {
      Datum.Text b = (Datum.Text) other;
      return a.bytes().compareTo(b.bytes());
    }

    @Override
    public Integer visit(Datum.Decoded a) {
      Datum.Decoded b = (Datum.Decoded) other;
      return a.text().compareTo(b.text());
    }

    @Override
    public Integer visit(Datum.Bytes a) {
      Datum.Bytes b = (Datum.Bytes) other;
      return a.bytes().compareTo(b.bytes());
    }

    @Override
    public Integer visit(Datum.Quoted a) {
      Datum.Quoted b = (Datum.Quoted) other;
      return a.text().orElse("").compareTo(b.text().orElse(""));
    }

    @Override
    public Integer visit(Datum.Real a) {
      Datum.Real b = (Datum.Real) other;
      return Double.compare(a.value(), b.value());
    }

    @Override
    public Integer visit(Datum.Elements a) {
      Datum.Elements b = (Datum.Elements) other;
      return ASCENDING.compareAll(a.elements(), b.elements());
    }

    @Override
    public Integer visit(Datum.Struct a) {
      Datum.Struct b = (Datum.Struct) other;
      return ASCENDING.compareAll(a.fields(), b.fields());
    }

    @Override
    public Integer visit(Datum.Tuple a) {
      Datum.Tuple b = (Datum.Tuple) other;
      return ASCENDING.compareAll(a.elements(), b.elements());
    }

    @Override
    public Integer visit(Datum.Stack a) {
      Datum.Stack b = (Datum.Stack) other;
      return Integer.compareUnsigned(a.id(), b.id());
    }

    @Override
    public Integer visit(Datum.UserStack a) {
      Datum.UserStack b = (Datum.UserStack) other;
      return compareIds(a.process(), a.id(), b.process(), b.id());
    }

    @Override
    public Integer visit(Datum.MissingStack a) {
      Datum.MissingStack b = (Datum.MissingStack) other;
      return compareIds(a.process(), a.id(), b.process(), b.id());
    }

    @Override
    public Integer visit(Datum.BothStacks a) {
      Datum.BothStacks b = (Datum.BothStacks) other;
      int order = ASCENDING.compare(a.kernel(), b.kernel());
      return order != 0 ? order : ASCENDING.compare(a.user(), b.user());
    }

    @Override
    public Integer visit(Datum.Distribution a) {
      Datum.Distribution b = (Datum.Distribution) other;
      return compareHistograms(a.histogram(), b.histogram());
    }

    @Override
    public Integer visit(Datum.Buckets a) {
      Datum.Buckets b = (Datum.Buckets) other;
      return Long.compareUnsigned(a.histogram().count(), b.histogram().count());
    }

    /** Keys decide. */
    @Override
    public Integer visit(Datum.Series a) {
      return 0;
    }

    @Override
    public Integer visit(Datum.Stats a) {
      Datum.Stats b = (Datum.Stats) other;
      return compareStatistics(a.statistics(), b.statistics());
    }

    /** Keys decide. */
    @Override
    public Integer visit(Datum.Dump a) {
      return 0;
    }
  }

  private static int compareIds(int process, int id, int otherProcess, int otherId) {
    int order = Integer.compare(process, otherProcess);
    return order != 0 ? order : Integer.compareUnsigned(id, otherId);
  }

  /** Compares two lists by the first elements that differ; a prefix sorts first. */
  int compareAll(List<Datum> a, List<Datum> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int order = compare(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static int compareInts(Datum.Int a, Datum.Int b) {
    boolean negative = a.type().isSigned() && a.value() < 0;
    if (negative != (b.type().isSigned() && b.value() < 0)) {
      return negative ? -1 : 1;
    }
    // Numbers of one sign have the same order as unsigned numbers.
    return Long.compareUnsigned(a.value(), b.value());
  }

  /** Compares averages, then counts. */
  private static int compareStatistics(Statistics a, Statistics b) {
    int order =
        compareInts(
            new Datum.Int(a.average(), a.valueType()), new Datum.Int(b.average(), b.valueType()));
    return order != 0 ? order : Long.compareUnsigned(a.count(), b.count());
  }

  private static int compareHistograms(Histogram a, Histogram b) {
    for (int i = 0; i < Histogram.BUCKETS; i++) {
      int order = Long.compareUnsigned(a.count(i), b.count(i));
      if (order != 0) {
        return order;
      }
    }
    return Long.compareUnsigned(a.negative(), b.negative());
  }

  /** Makes the order total for tables with values of several kinds. */
  private static final Datum.Visitor<Integer> RANK =
      new Datum.Visitor<>() {
        @Override
        public Integer visit(Datum.Int value) {
          return 0;
        }

        @Override
        public Integer visit(Datum.Address value) {
          return 1;
        }

        @Override
        public Integer visit(Datum.Text value) {
          return 2;
        }

        @Override
        public Integer visit(Datum.Decoded value) {
          return 2;
        }

        @Override
        public Integer visit(Datum.Bytes value) {
          return 2;
        }

        @Override
        public Integer visit(Datum.Quoted value) {
          return 2;
        }

        @Override
        public Integer visit(Datum.Real value) {
          return 8;
        }

        @Override
        public Integer visit(Datum.Elements value) {
          return 3;
        }

        @Override
        public Integer visit(Datum.Struct value) {
          return 4;
        }

        @Override
        public Integer visit(Datum.Tuple value) {
          return 4;
        }

        @Override
        public Integer visit(Datum.Stack value) {
          return 6;
        }

        @Override
        public Integer visit(Datum.UserStack value) {
          return 7;
        }

        @Override
        public Integer visit(Datum.MissingStack value) {
          return 5;
        }

        @Override
        public Integer visit(Datum.BothStacks value) {
          return 7;
        }

        @Override
        public Integer visit(Datum.Distribution value) {
          return 8;
        }

        @Override
        public Integer visit(Datum.Buckets value) {
          return 8;
        }

        @Override
        public Integer visit(Datum.Series value) {
          return 8;
        }

        @Override
        public Integer visit(Datum.Stats value) {
          return 8;
        }

        @Override
        public Integer visit(Datum.Dump value) {
          return 8;
        }
      };
}
