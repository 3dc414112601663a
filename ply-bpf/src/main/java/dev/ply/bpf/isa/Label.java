package dev.ply.bpf.isa;

/** A jump target, identified by its name. */
public record Label(String name) {
  @Override
  public boolean equals(Object other) {
    return other instanceof Label label && label.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
