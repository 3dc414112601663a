package dev.ply.bpf.simulate;

import dev.ply.bpf.object.ProgramType;
import dev.ply.bpf.plan.SystemCallPlan;
import dev.ply.bpf.vm.helper.Task;
import dev.ply.bpf.vm.memory.SimulatedMemory;
import dev.ply.machine.Architecture;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.Provider.Offer;
import dev.ply.selector.TracepointSelector;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import dev.ply.type.AddressSpace;
import dev.ply.type.IntFormat;
import dev.ply.type.TextBytes;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the context of a firing: saved registers or a tracepoint's record, and the memory they
 * point to.
 */
public final class ContextBuilder {
  private static final long FIRST_ADDRESS = 0x7f00_0000_0000L;
  private static final int ADDRESS_STEP = 4096;

  private ByteBuffer bytes;
  private final SimulatedMemory memory = new SimulatedMemory();
  private long nextAddress = FIRST_ADDRESS;

  /**
   * Builds the context of a firing.
   *
   * @param target whose records and registers are built
   * @param type of the program that reads the context
   * @param size the number of bytes that the program can read
   * @param firing what happens at the probe
   * @throws IllegalArgumentException if the firing sets something that its probe does not have
   */
  public ContextBuilder(Target target, ProgramType type, int size, Firing firing) {
    Architecture architecture = target.architecture();
    firing.placedTexts().forEach((at, text) -> memory.putString(at.space(), at.address(), text));
    Optional<TracepointFormat> tracepoint = format(target, firing.point());
    this.bytes = ByteBuffer.allocate(size).order(architecture.byteOrder());
    switch (type) {
      case FENTRY, FEXIT, RAW_TRACEPOINT, TYPED_TRACEPOINT, ITERATOR -> {
        if (SystemCallPlan.endOf(firing.point()).isPresent()) {
          putSystemCall(target, tracepoint.orElseThrow(), firing);
        } else {
          putArguments(firing);
          if (type.isForOneFunction()) {
            bytes.putLong(size - Long.BYTES, firing.returned());
          }
        }
      }
      case KPROBE, TRACEPOINT, PERF_EVENT -> putState(target, tracepoint, size, firing);
    }
  }

  private void putArguments(Firing firing) {
    putMemory(firing);
    firing.arguments().forEach((index, value) -> bytes.putLong(index * Long.BYTES, value));
  }

  private void putMemory(Firing firing) {
    firing.memory().forEach((at, content) -> memory.put(AddressSpace.KERNEL, at, content));
  }

  /** Writes a record, or registers. */
  private void putState(
      Target target, Optional<TracepointFormat> tracepoint, int size, Firing firing) {
    Architecture architecture = target.architecture();
    putMemory(firing);
    int allocated = Math.max(size, tracepoint.map(TracepointFormat::size).orElse(0));
    this.bytes = ByteBuffer.allocate(allocated).order(architecture.byteOrder());
    if (tracepoint.isPresent()) {
      TracepointFormat format = tracepoint.get();
      for (Map.Entry<String, Object> field : firing.fields().entrySet()) {
        put(format, field.getKey(), field.getValue());
      }
    } else {
      firing
          .arguments()
          .forEach((index, value) -> bytes.putLong(offset(architecture, index), value));
      firing
          .registers()
          .forEach((name, value) -> bytes.putLong(register(architecture, name), value));
      firing
          .texts()
          .forEach(
              (index, text) -> {
                memory.putString(AddressSpace.USER, nextAddress, text);
                bytes.putLong(offset(architecture, index), nextAddress);
                nextAddress += ADDRESS_STEP;
              });
      if (firing.point().offers(Offer.RETURN_VALUE)) {
        bytes.putLong(architecture.returnValueOffset(), firing.returned());
      }
    }
  }

  /** Writes a record, and registers with its values. */
  private void putSystemCall(Target target, TracepointFormat format, Firing firing) {
    Architecture architecture = target.architecture();
    SystemCallPlan.End end = SystemCallPlan.endOf(firing.point()).orElseThrow();
    ByteBuffer context = bytes;
    bytes = ByteBuffer.allocate(format.size()).order(architecture.byteOrder());
    firing.fields().forEach((name, value) -> put(format, name, value));
    int number = SystemCallPlan.numberOf(firing.point(), target.attachFeatures()).orElse(-1);
    ByteBuffer registers =
        ByteBuffer.allocate(architecture.registersSize()).order(architecture.byteOrder());
    registers.putLong(
        register(architecture, architecture.systemCallNumber().orElseThrow()), number);
    context.putLong(0, Task.REGISTERS).putLong(Long.BYTES, number);
    for (TracepointFormat.Field field : format.fields()) {
      if (field.offset() >= SystemCallPlan.FIRST_VALUE && end == SystemCallPlan.End.EXIT) {
        context.putLong(Long.BYTES, bytes.getLong(field.offset()));
      } else if (field.offset() >= SystemCallPlan.FIRST_VALUE) {
        String register = architecture.systemCallArguments().get(SystemCallPlan.word(field));
        registers.putLong(register(architecture, register), bytes.getLong(field.offset()));
      }
    }
    memory.put(AddressSpace.KERNEL, Task.REGISTERS, registers.array());
    bytes = context;
  }

  private static Optional<TracepointFormat> format(Target target, AttachPoint point) {
    return point instanceof AttachPoint.Tracepoint tracepoint
            && tracepoint.place() instanceof TracepointSelector.Event event
        ? target.tracepoints().find(event.category(), event.event())
        : Optional.empty();
  }

  private static int offset(Architecture architecture, int argument) {
    return architecture
        .argumentOffset(argument)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "argument " + argument + " is not passed in a register"));
  }

  private static int register(Architecture architecture, String name) {
    return architecture
        .registerOffset(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    architecture.canonicalName() + " has no register \"" + name + "\""));
  }

  private void put(TracepointFormat format, String name, Object value) {
    TracepointFormat.Field field =
        format
            .field(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "tracepoint "
                            + format.category()
                            + ":"
                            + format.event()
                            + " has no field \""
                            + name
                            + "\""));
    if (value instanceof Long number) {
      putNumber(field, number);
    } else {
      putText(field, (String) value);
    }
  }

  private void putNumber(TracepointFormat.Field field, long number) {
    switch (field.type().size()) {
      case 1 -> bytes.put(field.offset(), (byte) number);
      case 2 -> bytes.putShort(field.offset(), (short) number);
      case 4 -> bytes.putInt(field.offset(), (int) number);
      case 8 -> bytes.putLong(field.offset(), number);
      default ->
          throw new IllegalArgumentException(
              "field \""
                  + field.name()
                  + "\" is a "
                  + field.type().name()
                  + ", which cannot hold a number");
    }
  }

  private void putText(TracepointFormat.Field field, String text) {
    if (field.type() instanceof PointerType pointer) {
      AddressSpace space =
          pointer.space() == AddressSpace.USER ? AddressSpace.USER : AddressSpace.KERNEL;
      memory.putString(space, nextAddress, text);
      bytes.putLong(field.offset(), nextAddress);
      nextAddress += ADDRESS_STEP;
      return;
    }
    if (field.type() instanceof IntType integer && integer.format() == IntFormat.DATA_LOCATION) {
      putDynamic(field, text);
      return;
    }
    byte[] encoded = TextBytes.encode(text);
    if (!(field.type() instanceof ArrayType array && array.isText())
        || encoded.length >= field.type().size()) {
      throw new IllegalArgumentException(
          "field \""
              + field.name()
              + "\" is a "
              + field.type().name()
              + ", \""
              + text
              + "\" does not fit there");
    }
    bytes.put(field.offset(), encoded);
  }

  /**
   * Appends a NUL-terminated string to the record, and writes its offset and length to the field.
   */
  private void putDynamic(TracepointFormat.Field field, String text) {
    byte[] encoded = TextBytes.encode(text + "\0");
    int start = bytes.capacity();
    bytes =
        ByteBuffer.allocate(start + encoded.length)
            .order(bytes.order())
            .put(bytes.array())
            .put(encoded);
    bytes.putInt(field.offset(), encoded.length << 16 | start);
  }

  /** {@return the context} */
  public byte[] bytes() {
    return bytes.array();
  }

  /** {@return the memory set by the firing} */
  public SimulatedMemory memory() {
    return memory;
  }
}
