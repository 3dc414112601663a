package dev.ply.bpf.table;

import dev.ply.analysis.typing.MapContent;
import dev.ply.bpf.decode.DatumWriter;
import dev.ply.bpf.machine.Machine;
import dev.ply.bpf.object.MapLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Sets variables of a running trace from Java. */
public final class VariableWriter {
  private final Machine machine;
  private final ByteOrder order;

  /** Writes to maps of a machine in its byte order. */
  public VariableWriter(Machine machine, ByteOrder order) {
    this.machine = machine;
    this.order = order;
  }

  /**
   * Sets the value of a key.
   *
   * @throws IllegalArgumentException if the map aggregates, or its types do not have these values
   */
  public void set(MapLayout layout, Object value, List<Object> keys) {
    String name = layout.symbol().name();
    if (!(layout.symbol().content() instanceof MapContent.Plain plain)) {
      throw new IllegalArgumentException(
          name + " aggregates: only what probes set can be set, others are cleared");
    }
    byte[] key = new byte[layout.map().keySize()];
    DatumWriter.fields("the key of " + name, layout.symbol().keyType(), keys, buffer(key), 0);
    byte[] content = new byte[layout.map().valueSize()];
    DatumWriter.write(name, plain.type(), value, buffer(content), 0);
    new TableEntries(machine, layout).update(buffer(key), content);
  }

  private ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(order);
  }
}
