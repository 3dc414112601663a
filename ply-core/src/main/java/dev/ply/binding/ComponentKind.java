package dev.ply.binding;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The decoding of a record's component, by its Java type. */
public enum ComponentKind {
  /** {@code boolean}: whether a number is not zero. */
  BOOLEAN,
  /** {@code byte}, {@code short}, {@code char}, {@code int} or {@code long}. */
  INTEGER,
  /** A string. */
  STRING,
  /** The date and time at a time of the kernel. */
  INSTANT,
  /** A number of nanoseconds. */
  DURATION,
  /** The constant of an enum with a number. */
  ENUM,
  /** The error that a system call or kernel function returns. */
  ERRNO,
  /** The system call of a number, with its name. */
  SYSTEM_CALL,
  /** {@code byte[]}: memory as it is. */
  BYTES,
  /** An IP address. */
  ADDRESS,
  /** A stack trace. */
  STACK,
  /** A record, whose components take values; in itself, it takes none. */
  RECORD,
  /** Any other type, which results of aggregations can have. */
  OTHER;

  private static final Map<Class<?>, ComponentKind> BY_TYPE =
      Map.ofEntries(
          Map.entry(boolean.class, BOOLEAN),
          Map.entry(Boolean.class, BOOLEAN),
          Map.entry(byte.class, INTEGER),
          Map.entry(Byte.class, INTEGER),
          Map.entry(short.class, INTEGER),
          Map.entry(Short.class, INTEGER),
          Map.entry(char.class, INTEGER),
          Map.entry(Character.class, INTEGER),
          Map.entry(int.class, INTEGER),
          Map.entry(Integer.class, INTEGER),
          Map.entry(long.class, INTEGER),
          Map.entry(Long.class, INTEGER),
          Map.entry(String.class, STRING),
          Map.entry(Instant.class, INSTANT),
          Map.entry(Duration.class, DURATION),
          Map.entry(byte[].class, BYTES),
          Map.entry(InetAddress.class, ADDRESS));

  /** Returns the kind of components of a type. */
  static ComponentKind of(Class<?> type) {
    Optional<ComponentKind> declared =
        Optional.ofNullable(type.getAnnotation(Decoded.class)).map(Decoded::value);
    if (declared.isPresent()) {
      return declared.get();
    }
    return type.isEnum() ? ENUM : type.isRecord() ? RECORD : BY_TYPE.getOrDefault(type, OTHER);
  }
}
