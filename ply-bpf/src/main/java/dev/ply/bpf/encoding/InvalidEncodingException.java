package dev.ply.bpf.encoding;

/** Bytecode that does not decode (RFC 9669). */
public final class InvalidEncodingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int slot;
  private final String reason;

  /**
   * Creates an exception for the slot with number {@code slot}, from 0.
   *
   * @param slot counted from 0
   * @param reason a clause
   */
  public InvalidEncodingException(int slot, String reason) {
    super("slot " + slot + ": " + reason);
    this.slot = slot;
    this.reason = reason;
  }

  /** {@return the number of the invalid slot, from 0} */
  public int slot() {
    return slot;
  }

  /** {@return the message without the slot number} */
  public String reason() {
    return reason;
  }
}
