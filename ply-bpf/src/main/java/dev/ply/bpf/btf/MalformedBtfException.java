package dev.ply.bpf.btf;

/** Thrown for what is no BTF, or one of a future kind. */
public final class MalformedBtfException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedBtfException(String message) {
    super(message);
  }
}
