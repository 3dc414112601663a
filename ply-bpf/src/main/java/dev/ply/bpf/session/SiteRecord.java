package dev.ply.bpf.session;

import dev.ply.bpf.object.EventSite;
import dev.ply.bpf.object.EventSite.Item;
import dev.ply.result.Datum;
import dev.ply.result.EventRecord;
import java.nio.ByteBuffer;
import java.util.List;

/** The current record of a site, for its renderer. Not thread-safe. */
final class SiteRecord implements EventRecord {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final EventSite site;
  private final List<Item> items;
  private final ItemReader reader;
  private ByteBuffer memory = NOTHING;
  private int start;

  /**
   * Creates a reader of the records of a site.
   *
   * @param items the values of its events
   */
  SiteRecord(EventSite site, List<Item> items, ItemReader reader) {
    this.site = site;
    this.items = items;
    this.reader = reader;
  }

  /** Makes the record at {@code at} the current one. */
  SiteRecord at(ByteBuffer bytes, int at) {
    memory = bytes;
    start = at;
    return this;
  }

  @Override
  public ByteBuffer memory() {
    return memory;
  }

  @Override
  public int start() {
    return start;
  }

  @Override
  public Datum value(int item) {
    return reader.read(site, items.get(item), memory, start);
  }

  /** Returns all values. */
  List<Datum> values() {
    return items.stream().map(item -> reader.read(site, item, memory, start)).toList();
  }
}
