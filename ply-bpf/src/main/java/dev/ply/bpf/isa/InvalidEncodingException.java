package dev.ply.bpf.isa;

/** Bytes that are not a program of RFC 9669. */
public final class InvalidEncodingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int slot;
  private final String reason;

  /** Says that slot {@code slot} cannot be decoded because of {@code reason}. */
  public InvalidEncodingException(int slot, String reason) {
    super("slot " + slot + ": " + reason);
    this.slot = slot;
    this.reason = reason;
  }

  /** Returns the number of the slot at fault, from 0. */
  public int slot() {
    return slot;
  }

  /** Returns what is wrong with it. */
  public String reason() {
    return reason;
  }
}
