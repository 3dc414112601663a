package dev.ply.cli.profile;

/** What became of a request. */
sealed interface Answer {
  /** The store has the profile. */
  record Accepted() implements Answer {}

  /** The store takes no such profile, and would not later. */
  record Refused(String reason) implements Answer {}

  /** The store did not take the profile now. */
  record Failed(String reason) implements Answer {}

  /** Nobody waits for the answer any more. */
  record Ended() implements Answer {}
}
