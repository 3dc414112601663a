package dev.ply.bpf.isa;

/**
 * A jump target, identified by its name.
 *
 * @param name unique in a program
 */
public record Label(String name) {
  @Override
  public String toString() {
    return name;
  }
}
