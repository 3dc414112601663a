package dev.ply.rust;

/** A symbol that is not of the forms known here, or exceeds a bound. */
final class UnknownFormException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownFormException() {
    super("not decoded", null, false, false);
  }
}
