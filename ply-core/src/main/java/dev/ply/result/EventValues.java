package dev.ply.result;

import dev.ply.table.Datum;
import java.nio.ByteBuffer;

/** Decodes the values of the events of one shape, for renderers that take no shorter way. */
@FunctionalInterface
public interface EventValues {
  /**
   * {@return the value of an item, decoded anew}
   *
   * @param item of the event's shape, from 0 up
   * @param memory that the event's record is in, in the target's byte order
   * @param start the index of the record's first byte
   */
  Datum value(int item, ByteBuffer memory, int start);
}
