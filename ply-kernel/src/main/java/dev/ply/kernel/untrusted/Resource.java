package dev.ply.kernel.untrusted;

/** What reading files costs. */
public enum Resource {
  /** CPU time, or waiting. */
  TIME("time"),
  /** Bytes of the heap. */
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
