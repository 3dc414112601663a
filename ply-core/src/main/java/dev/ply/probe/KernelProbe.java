package dev.ply.probe;

import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.KernelSelector;
import java.util.Optional;
import java.util.OptionalInt;

/** A probe in kernel code. */
public sealed interface KernelProbe extends AttachPoint {
  /** {@return the probed location} */
  KernelSelector place();

  @Override
  default String definition() {
    return provider().orElseThrow().keyword() + ":" + place().text();
  }

  /**
   * {@return the same probe on one function}
   *
   * @param function in the kernel's code
   */
  KernelProbe on(KernelSelector.Function function);

  /**
   * {@return the same probe at an address; fentry and fexit, which have none, stay as they are}
   *
   * @param address in the kernel's code
   */
  default KernelProbe at(KernelSelector.Address address) {
    return this;
  }

  /** Several functions of one name are as many sites. */
  @Override
  default String identity() {
    return place() instanceof KernelSelector.Address address && address.name().isPresent()
        ? definition() + " " + address.value()
        : definition();
  }

  /** {@return whether this is a return probe} */
  default boolean isReturn() {
    return offers(Provider.Offer.RETURN_VALUE);
  }

  /** {@return the function whose entry or return is probed; empty for any other site} */
  default Optional<KernelSelector.Function> function() {
    return place() instanceof KernelSelector.Function function
        ? Optional.of(function)
        : Optional.empty();
  }

  @Override
  default Optional<KernelSelector.Function> typedFunction() {
    return function().filter(typed -> offers(Provider.Offer.NAMED_ARGUMENTS));
  }

  @Override
  default <R> R accept(Visitor<R> visitor) {
    return visitor.visit(this);
  }

  /**
   * A kernel instruction, usually the entry of a function.
   *
   * @param place the instruction, or the functions that match a pattern
   */
  record Kprobe(KernelSelector place) implements KernelProbe {
    /**
     * The entry of the function {@code function}.
     *
     * @param function without module, as in kallsyms
     */
    public Kprobe(String function) {
      this(new KernelSelector.Function(function));
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.KPROBE);
    }

    @Override
    public KernelProbe on(KernelSelector.Function function) {
      return new Kprobe(function);
    }

    @Override
    public KernelProbe at(KernelSelector.Address address) {
      return new Kprobe(address);
    }
  }

  /**
   * The return from a kernel function.
   *
   * @param place the function, or those that match a pattern
   * @param maxActive how many concurrent calls can be tracked, 1 to {@value #MOST_ACTIVE}; empty
   *     for the kernel's default
   */
  record Kretprobe(KernelSelector.Entry place, OptionalInt maxActive) implements KernelProbe {
    /** The kernel's limit (KRETPROBE_MAXACTIVE_MAX of kernel/trace/trace_kprobe.c). */
    public static final int MOST_ACTIVE = 4096;

    /**
     * Checks maxactive.
     *
     * @throws InvalidSelectorException if maxactive is out of range
     */
    public Kretprobe {
      if (maxActive.isPresent()
          && (maxActive.getAsInt() < 1 || maxActive.getAsInt() > MOST_ACTIVE)) {
        throw new InvalidSelectorException(
            "a kretprobe tracks 1 to "
                + MOST_ACTIVE
                + " concurrent calls, not "
                + maxActive.getAsInt(),
            "write kretprobe:" + place.text() + ":64, for example");
      }
    }

    /**
     * The return from a function, with the kernel's default maxactive.
     *
     * @param place the function, or those that match a pattern
     */
    public Kretprobe(KernelSelector.Entry place) {
      this(place, OptionalInt.empty());
    }

    /**
     * The return from the function {@code function}.
     *
     * @param function without module, as in kallsyms
     */
    public Kretprobe(String function) {
      this(new KernelSelector.Function(function));
    }

    /**
     * Parses a function and maxactive in the syntax of scripts: {@code vfs_read}, {@code
     * vfs_read:64}.
     *
     * @param text a location, with maxactive after a colon or without
     * @throws InvalidSelectorException if the text names none
     */
    public static Kretprobe parse(String text) {
      int colon = text.lastIndexOf(':');
      if (colon <= 0 || !text.substring(colon + 1).matches("[0-9]{1,9}")) {
        return new Kretprobe(KernelSelector.parseEntry(text));
      }
      return new Kretprobe(
          KernelSelector.parseEntry(text.substring(0, colon)),
          OptionalInt.of(Integer.parseInt(text.substring(colon + 1))));
    }

    @Override
    public String definition() {
      String definition = KernelProbe.super.definition();
      return maxActive.isPresent() ? definition + ":" + maxActive.getAsInt() : definition;
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.KRETPROBE);
    }

    @Override
    public KernelProbe on(KernelSelector.Function function) {
      return new Kretprobe(function, maxActive);
    }

    @Override
    public KernelProbe at(KernelSelector.Address address) {
      return new Kretprobe(address, maxActive);
    }
  }

  /**
   * The entry of a kernel function with types in BTF; arguments are available by name.
   *
   * @param place a function or a pattern, no address
   */
  record Fentry(KernelSelector.Entry place) implements KernelProbe {
    /**
     * Checks that the function is given by name: fentry has no addresses.
     *
     * @throws InvalidSelectorException if it is given by address
     */
    public Fentry {
      requireName(place);
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.FENTRY);
    }

    @Override
    public KernelProbe on(KernelSelector.Function function) {
      return new Fentry(function);
    }
  }

  /**
   * The return from a kernel function with types in BTF; arguments and result are available.
   *
   * @param place a function or a pattern, no address
   */
  record Fexit(KernelSelector.Entry place) implements KernelProbe {
    /**
     * Checks that the function is given by name: fexit has no addresses.
     *
     * @throws InvalidSelectorException if it is given by address
     */
    public Fexit {
      requireName(place);
    }

    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.FEXIT);
    }

    @Override
    public KernelProbe on(KernelSelector.Function function) {
      return new Fexit(function);
    }
  }

  /** BTF has types of functions by name, not by address. */
  private static void requireName(KernelSelector.Entry place) {
    if (place.text().startsWith("bpf:")) {
      throw new InvalidSelectorException(
          "BPF programs cannot be probed yet", "fentry:vfs_read is at a function of the kernel");
    }
    if (place instanceof KernelSelector.Address) {
      throw new InvalidSelectorException(
          "the types of what is at " + place.text() + " are unknown",
          "name the function, or write kprobe:" + place.text());
    }
  }
}
