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
    if (a instanceof Datum.Int x && b instanceof Datum.Int y) {
      return compareInts(x, y);
    } else if (a instanceof Datum.Address x && b instanceof Datum.Address y) {
      return Long.compareUnsigned(x.value(), y.value());
    } else if (a instanceof Datum.Text x && b instanceof Datum.Text y) {
      return x.bytes().compareTo(y.bytes());
    } else if (a instanceof Datum.Real x && b instanceof Datum.Real y) {
      return Double.compare(x.value(), y.value());
    } else if (a instanceof Datum.Decoded x && b instanceof Datum.Decoded y) {
      return x.text().compareTo(y.text());
    } else if (a instanceof Datum.Bytes x && b instanceof Datum.Bytes y) {
      return x.bytes().compareTo(y.bytes());
    } else if (a instanceof Datum.Quoted x && b instanceof Datum.Quoted y) {
      return x.text().orElse("").compareTo(y.text().orElse(""));
    } else if (a instanceof Datum.Elements x && b instanceof Datum.Elements y) {
      return compareAll(x.elements(), y.elements());
    } else if (a instanceof Datum.Tuple x && b instanceof Datum.Tuple y) {
      return compareAll(x.elements(), y.elements());
    } else if (a instanceof Datum.Struct x && b instanceof Datum.Struct y) {
      return compareAll(x.fields(), y.fields());
    } else if (a instanceof Datum.Stack x && b instanceof Datum.Stack y) {
      return Integer.compareUnsigned(x.id(), y.id());
    } else if (a instanceof Datum.UserStack x && b instanceof Datum.UserStack y) {
      int order = Integer.compare(x.process(), y.process());
      return order != 0 ? order : Integer.compareUnsigned(x.id(), y.id());
    } else if (a instanceof Datum.MissingStack x && b instanceof Datum.MissingStack y) {
      int order = Integer.compare(x.process(), y.process());
      return order != 0 ? order : Integer.compareUnsigned(x.id(), y.id());
    } else if (a instanceof Datum.Distribution x && b instanceof Datum.Distribution y) {
      return compareHistograms(x.histogram(), y.histogram());
    } else if (a instanceof Datum.Buckets x && b instanceof Datum.Buckets y) {
      return Long.compareUnsigned(x.histogram().count(), y.histogram().count());
    } else if (a instanceof Datum.Stats x && b instanceof Datum.Stats y) {
      return compareStatistics(x.statistics(), y.statistics());
    }
    return Integer.compare(rank(a), rank(b));
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
  private static int rank(Datum datum) {
    if (datum instanceof Datum.Int) {
      return 0;
    } else if (datum instanceof Datum.Address) {
      return 1;
    } else if (datum instanceof Datum.Text
        || datum instanceof Datum.Decoded
        || datum instanceof Datum.Bytes
        || datum instanceof Datum.Quoted) {
      return 2;
    } else if (datum instanceof Datum.Elements) {
      return 3;
    }
    if (datum instanceof Datum.Struct || datum instanceof Datum.Tuple) {
      return 4;
    }
    if (datum instanceof Datum.MissingStack) {
      return 5;
    }
    if (datum instanceof Datum.Stack) {
      return 6;
    }
    return datum instanceof Datum.UserStack ? 7 : 8;
  }
}
