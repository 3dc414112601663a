package dev.ply.type;

/**
 * A constant of an enum with a number of the kernel, such as a TCP state or an errno.
 *
 * <p>An enum that implements this can be the component of an event's record: its constants are
 * found by their numbers. Constants of other enums have their ordinals as numbers. A component's
 * enum has a constant {@code UNKNOWN}, which stands for all numbers that no other constant has.
 */
public interface Numbered {
  /** {@return the number, distinct among the constants of the enum} */
  long number();
}
