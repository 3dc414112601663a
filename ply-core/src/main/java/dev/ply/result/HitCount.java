package dev.ply.result;

import java.util.List;

/** The hits of a trace's probes, counted by the kernel until closed. Thread-safe. */
public interface HitCount extends AutoCloseable {
  /**
   * The hits of the probe sites that share a program.
   *
   * @param points the sites, as {@link AttachedSite#point} names them
   * @param hits since counting began, whether predicates were true or not
   */
  record Hits(List<String> points, long hits) {
    /** Copies the points. */
    public Hits {
      points = List.copyOf(points);
    }
  }

  /** {@return the hits so far, in script order} */
  List<Hits> soFar();

  @Override
  void close();
}
