package dev.ply.bpf.isa;

/** A place in a program that jumps name; two labels are the same place if their names are equal. */
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
