package dev.ply.kernel.oracle;

import java.util.regex.Pattern;

/** What our verifier objects to and the kernel does not, by what ours says then. */
enum Reason {
  /** Linux 6.3 and later let privileged programs do so; what they read is anything. */
  UNWRITTEN_STACK(
      "reads stack that was never written",
      "stack \\w+ of \\d+ bytes? at .* (which is|of which only \\d+ are) (un)?initialised.*"),
  /** Linux 6.14 and later know that an array has the key. */
  SURE_LOOKUP(
      "does not test a look-up of a constant key in an array",
      ".* may be null(: map_lookup_elem found nothing)?; test it.*"),
  /** Privileged programs may; what is returned means nothing to anybody. */
  POINTER_RESULT("returns a pointer", "r0 is a pointer, but the program's result must be.*"),
  /** Privileged programs may; what comes of it means nothing to anybody. */
  POINTER_AS_NUMBER("negates a pointer or adds one to memory", ".* is a pointer and cannot be .*"),
  /** To privileged programs it is a number then. */
  RELEASED(
      "reads the address of a released record",
      "r\\d+ is read, but the record it pointed to was released"),
  /** Linux 5.8 and later let privileged programs read what BTF describes of it. */
  MAP_ITSELF("accesses a map itself", ".* itself; only helpers can access it"),
  /**
   * The kernel follows numbers where ours does not: through negations and swaps of their bytes,
   * parts of words on the stack, and many paths one by one; some of these are not there then.
   */
  NUMBERS(
      "is within bounds only if numbers are known more exactly",
      "(.* may be outside .*|.* is outside .*|.* reach(es)? beyond .*|.* not bounded; .*"
          + "|.* may be negative.*|.* may be zero|.* needs an offset that is a multiple of .*"
          + "|.* is not aligned to its size|.* known only at run time"
          + "|.* on another path; use .*)"),
  /** The kernel knows that control never gets there: of CPUs, for one, there are only so many. */
  NEVER_TAKEN("is wrong only where control never gets", "-"),
  /** Linux 6.13 and later give each function of such programs a stack of its own. */
  OWN_STACKS(
      "has functions that need more than 512 bytes of stack together",
      "the functions called here need .*"),
  /** The kernel loads them and reserves nothing when they run. */
  IMPOSSIBLE_RECORD(
      "reserves a record larger than any ring buffer", ".* for ringbuf_reserve is too large"),
  /** To be looked into. */
  UNKNOWN("not classified", ".*");

  private final String text;
  private final Pattern message;

  Reason(String text, String message) {
    this.text = text;
    this.message = Pattern.compile(message);
  }

  /** Returns the likely reason for a message of our verifier. */
  static Reason of(String message) {
    for (Reason reason : values()) {
      if (reason.message.matcher(message).matches()) {
        return reason;
      }
    }
    return UNKNOWN;
  }

  @Override
  public String toString() {
    return text;
  }
}
