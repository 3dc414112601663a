package dev.ply.kernel.load;

import java.nio.ByteBuffer;
import java.util.List;

/** Receives the entries of a map. */
@FunctionalInterface
public interface EntryHandler {
  /**
   * Receives one entry. The buffers are in native byte order, start at 0, and are valid during the
   * call only.
   *
   * @param values one in plain maps; in per-CPU maps one for each possible CPU, or all slots of a
   *     value
   */
  void entry(ByteBuffer key, List<ByteBuffer> values);
}
