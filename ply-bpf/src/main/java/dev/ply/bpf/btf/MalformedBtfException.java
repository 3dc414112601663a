package dev.ply.bpf.btf;

/** Thrown for invalid BTF, or BTF of an unknown kind. */
public final class MalformedBtfException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedBtfException(String message) {
    super(message);
  }
}
