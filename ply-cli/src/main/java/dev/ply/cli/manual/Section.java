package dev.ply.cli.manual;

import java.util.List;

/** A part of a command's description besides its options. */
public sealed interface Section {
  /** {@return a few words, without a colon} */
  String title();

  /**
   * Lines that help and manual show as they are, such as a syntax or examples.
   *
   * @param text lines, the last of which ends with a newline
   */
  record Lines(String title, String text) implements Section {}

  /** Names with what they mean, in the manual only. */
  record Terms(String title, List<Term> terms) implements Section {
    /** Keeps a copy of the terms. */
    public Terms {
      terms = List.copyOf(terms);
    }

    /** {@return terms} */
    public static Terms of(String title, Term... terms) {
      return new Terms(title, List.of(terms));
    }
  }

  /**
   * A name with what it means.
   *
   * @param meaning sentences
   */
  record Term(String name, String meaning) {}
}
