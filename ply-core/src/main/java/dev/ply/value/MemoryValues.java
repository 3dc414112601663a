package dev.ply.value;

import dev.ply.Value;
import dev.ply.Values;
import dev.ply.builtin.catalog.MemoryBuiltins;
import dev.ply.builtin.catalog.ObjectBuiltins;
import dev.ply.builtin.catalog.SystemBuiltins;

/** Bytes and addresses in memory. Meant for static import, beside {@link Values}. */
public final class MemoryValues {
  private MemoryValues() {}

  /**
   * {@return the full path of a struct path, in at most 255 bytes}
   *
   * @param path a member of the arguments of {@code fentry}, {@code fexit} or {@code iter}, such as
   *     {@code field("file").member("f_path")}
   */
  public static Value path(Value path) {
    return Value.call(ObjectBuiltins.PATH, path);
  }

  /**
   * {@return the full path of a struct path, in at most {@code size} bytes including the NUL, 1 to
   * 16384}
   *
   * @param path a member of the arguments of {@code fentry}, {@code fexit} or {@code iter}
   * @param size in bytes
   */
  public static Value path(Value path, int size) {
    return Value.call(ObjectBuiltins.PATH, path, Values.number(size));
  }

  /**
   * {@return the kernel's number of a socket}
   *
   * @param socket an argument of {@code fentry}, {@code fexit} or {@code iter}, or a member of one
   */
  public static Value socketCookie(Value socket) {
    return Value.call(ObjectBuiltins.SOCKET_COOKIE, socket);
  }

  /**
   * Returns the result of writing a packet to a file that tcpdump and wireshark read, of link type
   * raw IP: 0, or a negative error number. The file is created when the trace starts, for its owner
   * alone; one that exists is replaced.
   *
   * @param path of the file
   * @param packet a struct sk_buff, an argument of {@code fentry} or {@code fexit}, or a member of
   *     one
   * @param length the number of its bytes
   * @param offset the number of bytes that are left out at its start: 14 of an Ethernet header
   * @return the result
   */
  public static Value skbOutput(String path, Value packet, Value length, int offset) {
    return Value.call(
        ObjectBuiltins.SKBOUTPUT, Values.text(path), packet, length, Values.number(offset));
  }

  /**
   * {@return an array as bytes of any value, printed with escapes}
   *
   * @param array of bytes, of which the size is known
   */
  public static Value buf(Value array) {
    return Value.call(MemoryBuiltins.BUF, array);
  }

  /**
   * {@return {@code size} bytes at an address or of an array, 0 to 16384, printed with escapes;
   * zeroes if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   */
  public static Value buf(Value address, int size) {
    return Value.call(MemoryBuiltins.BUF, address, Values.number(size));
  }

  /**
   * {@return {@code size} bytes at an address, computed while tracing and limited to {@code limit},
   * 0 to 16384, printed with escapes; zeroes if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   * @param limit the maximum of the size, which is memory of each event
   */
  public static Value buf(Value address, Value size, int limit) {
    return Value.call(MemoryBuiltins.BUF, address, size, Values.number(limit));
  }

  /**
   * {@return the strings in bytes at an address, each ended by a NUL, with blanks between them}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   * @param limit the maximum of the size, 0 to 16384, which is memory of each event
   */
  public static Value words(Value address, Value size, int limit) {
    return Value.call(MemoryBuiltins.WORDS, address, size, Values.number(limit));
  }

  /**
   * {@return the string at an address, printed in quotes, or as (fault) if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   */
  public static Value quoted(Value address) {
    return Value.call(MemoryBuiltins.QUOTED, address);
  }

  /**
   * {@return the string at an address, in at most {@code size} bytes including the NUL, 1 to 512,
   * printed in quotes, or as (fault) if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   */
  public static Value quoted(Value address, int size) {
    return Value.call(MemoryBuiltins.QUOTED, address, Values.number(size));
  }

  /**
   * {@return 128 bytes at an address, zeroes if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   */
  public static Value mem(Value address) {
    return Value.call(MemoryBuiltins.MEM, address);
  }

  /**
   * {@return {@code size} bytes at an address, 1 to 16384, zeroes if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   */
  public static Value mem(Value address, int size) {
    return Value.call(MemoryBuiltins.MEM, address, Values.number(size));
  }

  /**
   * {@return the data of a {@code __data_loc} field of the tracepoint's record, at most 128 bytes;
   * in a tracepoint}
   *
   * @param field of the tracepoint's record
   */
  public static Value dyn(Value field) {
    return Value.call(MemoryBuiltins.DYN, field);
  }

  /**
   * {@return what a {@code __data_loc} field of the tracepoint's record stands for, at most {@code
   * size} bytes of it, 1 to 16384; in a tracepoint}
   *
   * @param field of the tracepoint's record
   * @param size in bytes
   */
  public static Value dyn(Value field, int size) {
    return Value.call(MemoryBuiltins.DYN, field, Values.number(size));
  }

  /**
   * {@return an address as one in user space}
   *
   * @param address an address or a number
   */
  public static Value userAddress(Value address) {
    return Value.call(MemoryBuiltins.UPTR, address);
  }

  /**
   * {@return an address as one in the kernel}
   *
   * @param address an address or a number
   */
  public static Value kernelAddress(Value address) {
    return Value.call(MemoryBuiltins.KPTR, address);
  }

  /**
   * {@return an address, which {@link Values#str}, {@link #mem} and {@link #quoted} read in user
   * space or in the kernel, as the address says; on x86 and Arm}
   *
   * @param address an address or a number
   */
  public static Value anyAddress(Value address) {
    return Value.call(MemoryBuiltins.ANYPTR, address);
  }

  /**
   * {@return 1 if bytes could be written to memory of the current process, else 0; only with {@code
   * TraceOptions.unsafe()}}
   *
   * @param address where
   * @param bytes a string or an array
   * @param length the number of bytes
   */
  public static Value writeUser(Value address, Value bytes, Value length) {
    return Value.call(SystemBuiltins.WRITE_USER, address, bytes, length);
  }
}
