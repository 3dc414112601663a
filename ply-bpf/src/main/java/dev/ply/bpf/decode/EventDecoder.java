package dev.ply.bpf.decode;

import dev.ply.binding.Component;
import dev.ply.binding.RecordBinding;
import dev.ply.bpf.object.EventSite;
import dev.ply.type.StructField;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.List;

/** Decodes the records of a site to Java records. */
public interface EventDecoder {
  /** Returns the record at {@code start}. */
  Record decode(ByteBuffer memory, int start);

  /**
   * Returns the decoder of a site: one method handle that reads all components and calls the
   * constructor, so that numbers make no garbage.
   */
  static EventDecoder of(EventSite.Emit site, ComponentReaders readers) {
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
    return ConstantDecoder.of(
        MethodHandles.permuteArguments(create, type, arguments)
            .asType(MethodType.methodType(Record.class, ByteBuffer.class, int.class)));
  }
}
