package dev.ply.probe;

import dev.ply.selector.InvalidSelectorException;
import java.util.Optional;

/** A probe that is attached nowhere: the tracer itself runs its clauses. */
public sealed interface TracerProbe extends AttachPoint {
  /** {@return whether the probe is run at the start or the end of every trace} */
  default boolean isOfEveryTrace() {
    return false;
  }

  @Override
  default <R> R accept(Visitor<R> visitor) {
    return visitor.visit(this);
  }

  /** Runs once, before any probe is attached. */
  record Begin() implements TracerProbe {
    @Override
    public String definition() {
      return "BEGIN";
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.BEGIN);
    }

    @Override
    public boolean isOfEveryTrace() {
      return true;
    }
  }

  /** Runs once, after all probes are detached. */
  record End() implements TracerProbe {
    @Override
    public String definition() {
      return "END";
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.END);
    }

    @Override
    public boolean isOfEveryTrace() {
      return true;
    }
  }

  /** Runs each time the tracer receives SIGUSR1. */
  record UserSignal() implements TracerProbe {
    /** The signal's name, without {@code SIG}. */
    public static final String NAME = "USR1";

    /** The rest of the definition. */
    private static final String EVENT = "signal:SIG" + NAME;

    /**
     * Parses the event in the syntax of scripts.
     *
     * @param text {@code signal:SIGUSR1}
     * @throws InvalidSelectorException if it is any other event
     */
    public static UserSignal parse(String text) {
      if (!text.equals(EVENT)) {
        throw new InvalidSelectorException(
            "\"" + text + "\" is not an event of the tracer", "there is self:" + EVENT);
      }
      return new UserSignal();
    }

    @Override
    public String definition() {
      return "self:" + EVENT;
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.SELF);
    }
  }

  /**
   * A test of a script.
   *
   * @param name of letters, digits, {@code _}, {@code -} and {@code .}
   */
  record Test(String name) implements TracerProbe {
    /**
     * Checks the name.
     *
     * @throws InvalidSelectorException if the syntax is invalid
     */
    public Test {
      requireOwnName(name, "test");
    }

    @Override
    public String definition() {
      return "test:" + name;
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.TEST);
    }
  }

  /**
   * A benchmark of a script: its clauses run many times.
   *
   * @param name of letters, digits, {@code _}, {@code -} and {@code .}
   */
  record Bench(String name) implements TracerProbe {
    /**
     * Checks the name.
     *
     * @throws InvalidSelectorException if the syntax is invalid
     */
    public Bench {
      requireOwnName(name, "bench");
    }

    @Override
    public String definition() {
      return "bench:" + name;
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.BENCH);
    }
  }

  private static void requireOwnName(String name, String provider) {
    if (!name.matches("[A-Za-z0-9_.-]+")) {
      throw new InvalidSelectorException(
          "\"" + name + "\" is not the name of a " + provider,
          "write " + provider + ":one, for example: letters, digits, _, - and .");
    }
  }
}
