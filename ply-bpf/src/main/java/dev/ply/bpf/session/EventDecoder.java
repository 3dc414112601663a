package dev.ply.bpf.session;

import dev.ply.binding.Component;
import dev.ply.binding.RecordBinding;
import dev.ply.bpf.object.EventSite;
import dev.ply.type.StructField;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Decodes the records of a site to Java records, by one method handle that reads all components and
 * calls the constructor: numbers make no garbage.
 */
final class EventDecoder {
  private static final MethodType DECODER =
      MethodType.methodType(Record.class, ByteBuffer.class, int.class);

  private final MethodHandle handle;

  EventDecoder(EventSite.Emit site, ComponentReaders readers) {
    RecordBinding<?> binding = site.function().binding();
    MethodHandle create = binding.constructor();
    List<Component> components = binding.components();
    int[] arguments = new int[2 * components.size()];
    for (int i = components.size() - 1; i >= 0; i--) {
      // Field 0 is the number of the site.
      StructField field = site.layout().fields().get(i + 1);
      MethodHandle reader = readers.reader(components.get(i), field.type(), field.offset());
      create = MethodHandles.collectArguments(create, i, reader);
      arguments[2 * i + 1] = 1;
    }
    MethodType type = MethodType.methodType(binding.type(), ByteBuffer.class, int.class);
    this.handle = MethodHandles.permuteArguments(create, type, arguments).asType(DECODER);
  }

  /** Returns the record at {@code start}. */
  Record decode(ByteBuffer memory, int start) {
    try {
      return (Record) handle.invokeExact(memory, start);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a constructor of a record threw a checked exception", e);
    }
  }
}
