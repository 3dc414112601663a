package dev.ply.kernel.untrusted;

/** Resources that reading files takes. */
public enum Resource {
  /** CPU time, or waiting time. */
  TIME("time"),
  /** Heap memory. */
  MEMORY("memory");

  private final String word;

  Resource(String word) {
    this.word = word;
  }

  /** Returns its name in messages. */
  public String word() {
    return word;
  }
}
