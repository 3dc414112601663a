package dev.ply.bpf.isa;

/** A jump target, identified by its name. */
public record Label(String name) {
  @Override
  public String toString() {
    return name;
  }
}
