package dev.ply.bpf.decode;

import dev.ply.binding.Component;
import dev.ply.binding.ComponentCheck;
import dev.ply.binding.EnumNumbers;
import dev.ply.name.Errno;
import dev.ply.name.SystemCall;
import dev.ply.table.DatumFormat;
import dev.ply.table.Stack;
import dev.ply.table.StringDecoder;
import dev.ply.target.Target;
import dev.ply.type.Encoding;
import dev.ply.type.Encoding.InternetAddress;
import dev.ply.type.TextBytes;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.EncodedString;
import dev.ply.type.Type.IntType;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/**
 * Makes method handles that read the components of a record from memory: {@code (ByteBuffer memory,
 * int start)} to the component's type. Numbers are read without boxing.
 */
public final class ComponentReaders {
  private static final MethodType NUMBER =
      MethodType.methodType(long.class, int.class, ByteBuffer.class, int.class);

  /** More than any architecture has. */
  private static final int SYSTEM_CALLS = 512;

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private final Target target;
  private final DatumReader data;
  private final StringDecoder strings;
  private final DatumFormat names;

  /** Decodes by the facts of the target that records come from. */
  public ComponentReaders(Target target, DatumReader data, StringDecoder strings) {
    this.target = target;
    this.data = data;
    this.strings = strings;
    this.names = new DatumFormat(target);
  }

  /** Reads an object from a record's memory. */
  @FunctionalInterface
  interface ObjectReader {
    /** Returns the object of the record at {@code start}. */
    Object read(ByteBuffer memory, int start);
  }

  /**
   * Returns the reader of a component from values of a type, which the component takes, {@code
   * offset} bytes after a record's start.
   */
  MethodHandle reader(Component component, Type type, int offset) {
    MethodHandle reader =
        switch (component.kind()) {
          case BOOLEAN -> truth(number(type, offset));
          case INTEGER ->
              MethodHandles.explicitCastArguments(
                  number(type, offset),
                  MethodType.methodType(component.primitive(), ByteBuffer.class, int.class));
          case STRING -> object(string(type, offset));
          case INSTANT -> object(instant(type, offset));
          case DURATION -> object(duration((IntType) type, offset));
          case ERRNO -> object(errno((IntType) type, offset));
          case SYSTEM_CALL -> object(systemCall((IntType) type, offset));
          case ENUM -> object(constant(component.numbers(), (IntType) type, offset));
          case BYTES -> object(bytes(type, offset));
          case ADDRESS -> object(address(offset));
          case STACK ->
              object(
                  (memory, start) ->
                      Stack.of(data.read(type, memory, start + offset), target.symbols()));
          case RECORD, OTHER ->
              throw new IllegalArgumentException("nothing is read as " + component);
        };
    return reader.asType(reader.type().changeReturnType(component.type()));
  }

  private ObjectReader string(Type type, int offset) {
    if (type instanceof EncodedString string) {
      return (memory, start) -> strings.decode(string.encoding(), memory, start + offset).text();
    }
    if (type instanceof IntType integer && ComponentCheck.isNamed(integer)) {
      return (memory, start) -> names.format(data.read(type, memory, start + offset)).strip();
    }
    ArrayType text = (ArrayType) type;
    return (memory, start) -> text(text, memory, start + offset);
  }

  private String text(ArrayType type, ByteBuffer memory, int start) {
    boolean isCut = type.isCut(memory, start);
    int size = isCut ? type.length() - 1 : type.length();
    int length = 0;
    while (length < size && memory.get(start + length) != 0) {
      length++;
    }
    byte[] bytes = new byte[length];
    memory.get(start, bytes);
    return isCut ? TextBytes.decode(bytes) + data.cutMark() : TextBytes.decode(bytes);
  }

  private ObjectReader instant(Type type, int offset) {
    boolean sinceBoot =
        type instanceof EncodedString string
            && string.encoding() instanceof Encoding.Time time
            && time.clock() == Encoding.Clock.BOOT;
    return (memory, start) -> {
      long nanos = memory.getLong(start + offset);
      return (sinceBoot ? target.wallClock().atBootTime(nanos) : target.wallClock().at(nanos))
          .toInstant();
    };
  }

  private static ObjectReader duration(IntType type, int offset) {
    return (memory, start) -> Duration.ofNanos(type.read(memory, start + offset));
  }

  private static ObjectReader constant(EnumNumbers<?> numbers, IntType type, int offset) {
    return (memory, start) -> numbers.constant(type.read(memory, start + offset));
  }

  private static ObjectReader errno(IntType type, int offset) {
    return (memory, start) -> Errno.ofResult(type.read(memory, start + offset));
  }

  /** Creates each system call once: events of system calls are frequent. */
  private ObjectReader systemCall(IntType type, int offset) {
    SystemCall[] calls = new SystemCall[SYSTEM_CALLS];
    Arrays.setAll(calls, number -> SystemCall.of(target.architecture(), number));
    return (memory, start) -> {
      long number = type.read(memory, start + offset);
      return 0 <= number && number < calls.length
          ? calls[(int) number]
          : SystemCall.of(target.architecture(), number);
    };
  }

  private static ObjectReader bytes(Type type, int offset) {
    return (memory, start) -> {
      byte[] bytes = new byte[type.size()];
      memory.get(start + offset, bytes);
      if (type instanceof ArrayType array && array.isCut(memory, start + offset)) {
        bytes[bytes.length - 1] = 0;
      }
      return bytes;
    };
  }

  private static ObjectReader address(int offset) {
    return (memory, start) -> {
      byte[] bytes = new byte[InternetAddress.ADDRESS_BYTES];
      memory.get(start + offset + InternetAddress.FAMILY_BYTES, bytes);
      return address(memory.getInt(start + offset), bytes);
    };
  }

  private static InetAddress address(int family, byte[] bytes) {
    try {
      return switch (family) {
        case InternetAddress.IPV4 -> InetAddress.getByAddress(Arrays.copyOf(bytes, 4));
        case InternetAddress.IPV6 -> InetAddress.getByAddress(bytes);
        default -> InetAddress.getByAddress(new byte[4]);
      };
    } catch (UnknownHostException e) {
      throw new IllegalStateException("addresses have 4 or 16 bytes", e);
    }
  }

  private static MethodHandle object(ObjectReader reader) {
    MethodType type = MethodType.methodType(Object.class, ByteBuffer.class, int.class);
    return find(ObjectReader.class, "read", type, true).bindTo(reader);
  }

  /** Returns the handle that reads a number, extended by its signedness. */
  private static MethodHandle number(Type type, int offset) {
    boolean signed = type instanceof IntType integer && integer.isSigned();
    String name =
        switch (type.size()) {
          case 1 -> signed ? "signed8" : "unsigned8";
          case 2 -> signed ? "signed16" : "unsigned16";
          case 4 -> signed ? "signed32" : "unsigned32";
          default -> "bits64";
        };
    return MethodHandles.insertArguments(
        find(ComponentReaders.class, name, NUMBER, false), 0, offset);
  }

  private static MethodHandle truth(MethodHandle number) {
    MethodType type = MethodType.methodType(boolean.class, long.class);
    return MethodHandles.filterReturnValue(
        number, find(ComponentReaders.class, "isNotZero", type, false));
  }

  private static MethodHandle find(
      Class<?> owner, String name, MethodType type, boolean ofInstance) {
    try {
      return ofInstance
          ? LOOKUP.findVirtual(owner, name, type)
          : LOOKUP.findStatic(owner, name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unused") // by name
  private static boolean isNotZero(long value) {
    return value != 0;
  }

  @SuppressWarnings("unused") // by name
  private static long signed8(int offset, ByteBuffer memory, int start) {
    return memory.get(start + offset);
  }

  @SuppressWarnings("unused") // by name
  private static long unsigned8(int offset, ByteBuffer memory, int start) {
    return Byte.toUnsignedLong(memory.get(start + offset));
  }

  @SuppressWarnings("unused") // by name
  private static long signed16(int offset, ByteBuffer memory, int start) {
    return memory.getShort(start + offset);
  }

  @SuppressWarnings("unused") // by name
  private static long unsigned16(int offset, ByteBuffer memory, int start) {
    return Short.toUnsignedLong(memory.getShort(start + offset));
  }

  @SuppressWarnings("unused") // by name
  private static long signed32(int offset, ByteBuffer memory, int start) {
    return memory.getInt(start + offset);
  }

  @SuppressWarnings("unused") // by name
  private static long unsigned32(int offset, ByteBuffer memory, int start) {
    return Integer.toUnsignedLong(memory.getInt(start + offset));
  }

  @SuppressWarnings("unused") // by name
  private static long bits64(int offset, ByteBuffer memory, int start) {
    return memory.getLong(start + offset);
  }
}
