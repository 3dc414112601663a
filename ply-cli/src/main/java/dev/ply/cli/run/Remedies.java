package dev.ply.cli.run;

/**
 * What a front end's messages say can be done about what is lost or refused.
 *
 * @param keys how maps get room for more keys
 * @param buffer how no events are lost
 * @param stacks how no stack traces are lost
 * @param privileges what works without privileges
 */
public record Remedies(String keys, String buffer, String stacks, String privileges) {
  /** Stack traces are lost if there is no other way than these. */
  public static final String FEWER_STACKS =
      "fewer frames, as in ustack(8), make fewer stacks; those of cleared keys are kept until the"
          + " end";

  /** Returns those of a front end that has an option for the number of keys of maps. */
  public static Remedies of(String keys, String buffer, String privileges) {
    return new Remedies(keys, buffer, keys + ", above 262144; " + FEWER_STACKS, privileges);
  }
}
