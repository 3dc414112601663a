package dev.ply.result;

import java.nio.ByteBuffer;

/** The record of an event, valid while it is rendered. */
public interface EventRecord {
  /**
   * {@return the memory that the record is in, in the target's byte order; its position is not
   * used}
   */
  ByteBuffer memory();

  /** {@return the index of the record's first byte} */
  int start();

  /**
   * {@return the value of an item, decoded anew}
   *
   * @param item of the event's shape, from 0 up
   */
  Datum value(int item);
}
