package dev.ply.ir;

/**
 * A type as scripts name it: {@code uint32}, {@code struct sock *}.
 *
 * @param base one or more keywords separated by single spaces: {@code unsigned long}
 * @param pointers the number of stars
 */
public record TypeName(String base, int pointers) implements TypeReference {
  /**
   * {@return the type of a name as C writes it}
   *
   * @param type {@code u32}, {@code struct sock *}
   */
  public static TypeName parse(String type) {
    String base = type.replace("*", "").strip();
    return new TypeName(base, (int) type.chars().filter(c -> c == '*').count());
  }

  /** {@return the name as scripts write it} */
  public String text() {
    return pointers == 0 ? base : base + " " + "*".repeat(pointers);
  }
}
