package dev.ply.bpf.btf;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes BTF record by record; each method returns the number of the record. */
public final class BtfBuilder {
  private static final int HEADER = 24;

  private final List<int[]> records = new ArrayList<>();
  private final ByteArrayOutputStream strings = new ByteArrayOutputStream();
  private final Map<String, Integer> offsets = new HashMap<>();

  /** The types and bytes of strings of vmlinux, after which those of a module are numbered. */
  private final int inheritedRecords;

  private final int inheritedStrings;

  /** A builder of nothing yet. */
  public BtfBuilder() {
    inheritedRecords = 0;
    inheritedStrings = 0;
    int unused = string("");
  }

  /** A builder of what a module adds to what another has written. */
  public BtfBuilder(BtfBuilder kernel) {
    inheritedRecords = kernel.records.size();
    inheritedStrings = kernel.strings.size();
    offsets.putAll(kernel.offsets);
  }

  /**
   * A member of a structure.
   *
   * @param bits how many it has, 0 for all of its type
   */
  public record Member(String name, int type, int bitOffset, int bits) {
    /** A member of whole bytes. */
    public static Member at(int offset, String name, int type) {
      return new Member(name, type, offset * 8, 0);
    }
  }

  /** Writes an integer. */
  public int integer(String name, int bytes, boolean signed) {
    return record(name, BtfKind.INT, 0, false, bytes, (signed ? 1 << 24 : 0) | bytes * 8);
  }

  /** Writes a pointer; of nothing, to number 0. */
  public int pointer(int target) {
    return record("", BtfKind.PTR, 0, false, target);
  }

  /** Writes another name of a type. */
  public int typedef(String name, int type) {
    return record(name, BtfKind.TYPEDEF, 0, false, type);
  }

  /** Writes a constant of a type. */
  public int constant(int type) {
    return record("", BtfKind.CONST, 0, false, type);
  }

  /** Writes a pointer to a tag of a type. */
  public int tag(String name, int type) {
    return record(name, BtfKind.TYPE_TAG, 0, false, type);
  }

  /** Writes an array. */
  public int array(int element, int index, int length) {
    return record("", BtfKind.ARRAY, 0, false, 0, element, index, length);
  }

  /** Writes an enumeration without its names. */
  public int enumeration(String name, int bytes) {
    return enumeration(name, bytes, false);
  }

  /** Writes an enumeration with its names, each before its value. */
  public int enumeration(String name, int bytes, boolean signed, Object... values) {
    int[] tail = new int[values.length];
    for (int i = 0; i < values.length; i += 2) {
      tail[i] = string((String) values[i]);
      tail[i + 1] = (Integer) values[i + 1];
    }
    return record(name, BtfKind.ENUM, values.length / 2, signed, bytes, tail);
  }

  /** Writes a structure. */
  public int struct(String name, int size, Member... members) {
    return compound(BtfKind.STRUCT, name, size, members);
  }

  /** Writes a union. */
  public int union(String name, int size, Member... members) {
    return compound(BtfKind.UNION, name, size, members);
  }

  private int compound(BtfKind kind, String name, int size, Member... members) {
    int[] tail = new int[members.length * 3];
    boolean hasBits = false;
    for (Member member : members) {
      hasBits |= member.bits() != 0;
    }
    for (int i = 0; i < members.length; i++) {
      tail[i * 3] = string(members[i].name());
      tail[i * 3 + 1] = members[i].type();
      tail[i * 3 + 2] = members[i].bitOffset() | members[i].bits() << 24;
    }
    return record(name, kind, members.length, hasBits, size, tail);
  }

  /** Writes a function with its parameters, names before types. */
  public int function(String name, int result, Object... parameters) {
    return record(name, BtfKind.FUNC, 1, false, prototype(result, parameters));
  }

  /** Writes a raw tracepoint, with the types of what it hands to its probes. */
  public int rawTracepoint(String event, int... arguments) {
    Object[] parameters = new Object[2 + 2 * arguments.length];
    Arrays.fill(parameters, "");
    parameters[1] = pointer(0);
    for (int i = 0; i < arguments.length; i++) {
      parameters[2 * i + 3] = arguments[i];
    }
    return typedef("btf_trace_" + event, pointer(prototype(0, parameters)));
  }

  private int prototype(int result, Object... parameters) {
    int[] tail = new int[parameters.length];
    for (int i = 0; i < parameters.length; i += 2) {
      tail[i] = string((String) parameters[i]);
      tail[i + 1] = (Integer) parameters[i + 1];
    }
    return record("", BtfKind.FUNC_PROTO, tail.length / 2, false, result, tail);
  }

  private int record(
      String name, BtfKind kind, int entries, boolean flag, int sizeOrType, int... tail) {
    int[] words = new int[3 + tail.length];
    words[0] = string(name);
    words[1] = entries | kind.number() << 24 | (flag ? 1 << 31 : 0);
    words[2] = sizeOrType;
    System.arraycopy(tail, 0, words, 3, tail.length);
    records.add(words);
    return inheritedRecords + records.size();
  }

  private int string(String text) {
    return offsets.computeIfAbsent(
        text,
        added -> {
          int offset = inheritedStrings + strings.size();
          strings.writeBytes((added + "\0").getBytes(StandardCharsets.UTF_8));
          return offset;
        });
  }

  /** Returns what was written, in that order of bytes. */
  public byte[] build(ByteOrder order) {
    int types = records.stream().mapToInt(words -> words.length * Integer.BYTES).sum();
    ByteBuffer out = ByteBuffer.allocate(HEADER + types + strings.size()).order(order);
    out.putShort((short) 0xeb9f).put((byte) 1).put((byte) 0).putInt(HEADER);
    out.putInt(0).putInt(types).putInt(types).putInt(strings.size());
    for (int[] words : records) {
      for (int word : words) {
        out.putInt(word);
      }
    }
    return out.put(strings.toByteArray()).array();
  }
}
