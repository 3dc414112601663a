package dev.ply.type;

/** Where an address is valid. */
public enum AddressSpace {
  /** Kernel memory. */
  KERNEL,
  /** User memory of the current process. */
  USER,
  /** The probe's context, which programs can load from directly. */
  CONTEXT
}
