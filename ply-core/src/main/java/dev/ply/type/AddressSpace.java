package dev.ply.type;

/** Where an address is valid. */
public enum AddressSpace {
  /** Kernel memory. */
  KERNEL,
  /** User memory of the current process. */
  USER,
  /** Kernel memory or user memory, distinguished by the address where the two are disjoint. */
  ANY,
  /** The probe's context, which programs can load from directly. */
  CONTEXT
}
