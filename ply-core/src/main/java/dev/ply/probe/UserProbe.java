package dev.ply.probe;

import dev.ply.selector.UserSelector;
import java.util.Optional;

/** A probe in the code of a program or library. */
public sealed interface UserProbe extends AttachPoint {
  /** {@return the probed location} */
  UserSelector place();

  @Override
  default String definition() {
    return provider().orElseThrow().keyword() + ":" + place().text();
  }

  @Override
  default Optional<String> binary() {
    return Optional.of(place().binary());
  }

  /**
   * {@return the same probe at another location}
   *
   * @param place a function's entry, or for a probe that is not a return, any location
   */
  UserProbe at(UserSelector place);

  /**
   * {@return the same probe on one function}
   *
   * @param function in a program or library
   */
  default UserProbe on(UserSelector.Function function) {
    return at(function);
  }

  /** Several functions of one name are as many sites. */
  @Override
  default String identity() {
    return place() instanceof UserSelector.Address address && address.function().isPresent()
        ? definition() + " " + address.value()
        : definition();
  }

  /** {@return whether this is a return probe} */
  default boolean isReturn() {
    return offers(Provider.Offer.RETURN_VALUE);
  }

  @Override
  default <R> R accept(Visitor<R> visitor) {
    return visitor.visit(this);
  }

  /**
   * An instruction of a program or library, usually the entry of a function.
   *
   * @param place the instruction, or the functions that match a pattern
   */
  record Uprobe(UserSelector place) implements UserProbe {
    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.UPROBE);
    }

    @Override
    public UserProbe at(UserSelector other) {
      return new Uprobe(other);
    }
  }

  /**
   * The return from a function of a program or library.
   *
   * @param place the function, or those that match a pattern
   */
  record Uretprobe(UserSelector.Entry place) implements UserProbe {
    @Override
    public Optional<Provider> provider() {
      return Optional.of(Provider.URETPROBE);
    }

    @Override
    public UserProbe at(UserSelector other) {
      return new Uretprobe((UserSelector.Entry) other);
    }
  }
}
