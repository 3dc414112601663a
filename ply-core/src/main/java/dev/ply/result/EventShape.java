package dev.ply.result;

import dev.ply.text.PrintfFormat;
import dev.ply.type.Type;
import java.util.List;

/**
 * The compiler's description of the events of one call in a script, so that a renderer can prepare
 * itself for them. Immutable.
 *
 * @param form the call
 * @param items the values of an event, in order
 */
public record EventShape(Form form, List<Item> items) {
  /** Copies the items. */
  public EventShape {
    items = List.copyOf(items);
  }

  /** The call that sends the events. */
  public sealed interface Form {
    /**
     * Calls the visitor's method for this kind of call.
     *
     * @param <R> what the operation returns
     * @param visitor the operation, with a method for each kind
     * @return what the operation returns
     */
    <R> R accept(Visitor<R> visitor);

    /**
     * An operation with one case per kind of call.
     *
     * @param <R> what the operation returns
     */
    interface Visitor<R> {
      /** Handles {@code print}. */
      R visit(Print form);

      /** Handles {@code printf} and {@code time}. */
      R visit(Printf form);

      /** Handles a hit of a probe event. */
      R visit(Trace form);

      /** Handles {@code join}. */
      R visit(Join form);

      /** Handles {@code emit}. */
      R visit(Emit form);
    }

    /** {@code print(value, …)}. */
    record Print() implements Form {
      @Override
      public <R> R accept(Visitor<R> visitor) {
        return visitor.visit(this);
      }
    }

    /**
     * {@code printf(format, value, …)}.
     *
     * @param format its conversions take the items
     * @param message {@code PRINTF}, or {@code TIME} for {@code time(format)}
     */
    record Printf(PrintfFormat format, Message message) implements Form {
      @Override
      public <R> R accept(Visitor<R> visitor) {
        return visitor.visit(this);
      }
    }

    /**
     * A hit of a probe event.
     *
     * @param line what its items are
     */
    record Trace(TraceLine line) implements Form {
      @Override
      public <R> R accept(Visitor<R> visitor) {
        return visitor.visit(this);
      }
    }

    /**
     * {@code join(array, separator)}: items are the size of the strings in bytes, whether strings
     * are missing, and the strings, each with its NUL.
     *
     * @param separator between two strings
     */
    record Join(String separator) implements Form {
      @Override
      public <R> R accept(Visitor<R> visitor) {
        return visitor.visit(this);
      }
    }

    /**
     * {@code emit} of the fluent API.
     *
     * @param name of the record
     */
    record Emit(String name) implements Form {
      @Override
      public <R> R accept(Visitor<R> visitor) {
        return visitor.visit(this);
      }
    }
  }

  /** A value of an event. */
  public sealed interface Item {
    /** {@return the value as scripts write it, the name of a component, or of a map} */
    String name();

    /**
     * A field of the event's record.
     *
     * @param name as scripts write it
     * @param type of the value
     * @param offset in the record, in bytes
     */
    record Field(String name, Type type, int offset) implements Item {}

    /**
     * A map, as it is when the event is handled.
     *
     * @param name with its {@code @}
     */
    record WholeMap(String name) implements Item {}
  }
}
