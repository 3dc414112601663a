package dev.ply.bpf.isa;

/** A place in a program that jumps name; two labels are the same place if their names are equal. */
public record Label(String name) {
  @Override
  public String toString() {
    return name;
  }
}
