package dev.ply.bpf.object;

import dev.ply.result.EventShape;
import dev.ply.type.StructField;
import dev.ply.type.Type.StructType;
import java.util.List;
import java.util.stream.IntStream;

/** A value to print. */
public sealed interface EventItem {
  /**
   * {@return what renderers know about a field of a record}
   *
   * @param layout of the record
   * @param name of the value
   * @param index of the field
   */
  static EventShape.Item of(StructType layout, String name, int index) {
    StructField field = layout.fields().get(index);
    return new EventShape.Item.Field(name, field.type(), field.offset());
  }

  /**
   * {@return the values of the events of a site, as far as they are results}
   *
   * @param site of any kind
   */
  static List<EventItem> of(EventSite site) {
    if (site instanceof EventSite.Print print) {
      return print.items();
    } else if (site instanceof EventSite.Formatted formatted) {
      return formatted.items();
    }
    List<EventShape.Item> items = site.shape().map(EventShape::items).orElse(List.of());
    return IntStream.range(0, items.size())
        .<EventItem>mapToObj(i -> new Field(items.get(i).name(), i + 1))
        .toList();
  }

  /**
   * {@return what renderers know about the values of a call}
   *
   * @param layout of its records
   */
  static List<EventShape.Item> shapes(StructType layout, List<EventItem> items) {
    return items.stream()
        .map(
            item ->
                item instanceof Field field
                    ? of(layout, field.name(), field.index())
                    : new EventShape.Item.WholeMap(((WholeMap) item).name()))
        .toList();
  }

  /**
   * The record's field {@code index}.
   *
   * @param name as scripts write the value
   * @param index counted from 0; field 0 is the number of the site
   */
  record Field(String name, int index) implements EventItem {}

  /**
   * A map, as it is when the event is handled.
   *
   * @param name with its {@code @}
   * @param top the maximum number of entries printed, those with the largest values
   * @param divisor by which values are divided
   */
  record WholeMap(String name, int top, long divisor) implements EventItem {
    /**
     * All entries of a map, undivided.
     *
     * @param name with its {@code @}
     */
    public WholeMap(String name) {
      this(name, Integer.MAX_VALUE, 1);
    }
  }
}
