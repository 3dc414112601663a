package dev.ply.result;

/** Measures what a trace costs, until closed. Thread-safe. */
public interface CostMeter extends AutoCloseable {
  /** {@return the cost since measuring began} */
  TraceCost soFar();

  @Override
  void close();
}
