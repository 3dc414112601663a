package dev.ply.builtin.catalog;

import static dev.ply.builtin.Parameter.ADDRESS;
import static dev.ply.builtin.Parameter.DYNAMIC_FIELD;
import static dev.ply.builtin.Parameter.NUMBER;
import static dev.ply.builtin.Parameter.SIZE;
import static dev.ply.diagnostic.DiagnosticCode.OUT_OF_RANGE;
import static dev.ply.diagnostic.DiagnosticCode.TYPE_MISMATCH;

import com.google.common.collect.ImmutableList;
import dev.ply.builtin.Availability;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Documentation;
import dev.ply.builtin.Effect;
import dev.ply.builtin.Signature;
import dev.ply.builtin.Typing;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Expr;
import dev.ply.ir.UnaryOp;
import dev.ply.probe.Provider.Offer;
import dev.ply.target.TracepointFormat;
import dev.ply.type.AddressSpace;
import dev.ply.type.Dialect;
import dev.ply.type.Encoding;
import dev.ply.type.IntFormat;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import java.util.List;
import java.util.Optional;

/** Reading memory, and the address space of addresses. */
public final class MemoryBuiltins {
  /** The default size of a string in bytes, including its NUL. */
  public static final int DEFAULT_STRING_SIZE = 128;

  /** From this size on, bpftrace's {@code max_strlen} includes the NUL. */
  private static final int SIZE_WITH_NUL = 1024;

  /** The maximum size of a string or of bytes read from memory. */
  static final int MAX_STRING_SIZE = 16384;

  /** The string at an address: {@code str(p)}, {@code str(p, bytes)}. */
  public static final Builtin STR =
      new Builtin(Signature.of(ADDRESS).optional(NUMBER).optional(SIZE), Effect.PURE, "str") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          Optional<Type> source = typing.apply(call.arguments().get(0));
          if (source.filter(MemoryBuiltins::isDynamic).isPresent()) {
            return textOfConstantSize(call, typing).map(type -> string(call, type));
          }
          return source.filter(Type::isText).isPresent()
              ? text(call, typing).map(type -> string(call, shorter(source.get(), type)))
              : read(call, source, typing).map(type -> string(call, type));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The string at an address, in an array of characters, or in a field of variable length,
              up to its NUL. It has at most size bytes with the NUL, 128 by default. The size is a
              constant from 1 to 16384, or a number computed while tracing, limited to 128 or to
              limit. Output shows .. after a longer one, unless size is a constant. Empty if the
              address cannot be read.

              Addresses are in kernel memory, unless known to be in user space: uptr(address), and
              pointers in the records of system calls.
              """,
              """
              tracepoint:syscalls:sys_enter_openat { print(comm, str(data->filename)); }
              """,
              "str(address)",
              "str(address, size)",
              "str(address, size, limit)");
        }
      };

  /** The bytes at an address: {@code mem(p)}, {@code mem(p, bytes)}. */
  public static final Builtin MEM =
      new Builtin(Signature.of(ADDRESS).optional(SIZE), Effect.PURE, "mem") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return read(call, typing.apply(call.arguments().get(0)), typing);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "bytes",
              """
              The bytes at an address, 128 or 1 to 512; zeroes if unreadable. Printed as a string if
              only NULs follow its end, else as a hex dump.
              """,
              """
              tracepoint:syscalls:sys_enter_write { print(mem(data->buf, 16)); }
              """,
              "mem(address)",
              "mem(address, size)");
        }
      };

  /** Bytes of any value: {@code buf(p, bytes)}, {@code buf(array)}. */
  public static final Builtin BUF =
      new Builtin(Signature.of(ADDRESS).optional(NUMBER).optional(SIZE), Effect.PURE, "buf") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return buffer(call, typing)
              .map(capacity -> new Type.EncodedString(new Encoding.Buffer(capacity)));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "bytes, printed with escapes",
              """
              The bytes at an address, or of an array, up to 16384; zeroes if unreadable. A size
              computed while tracing is limited to 128, or to limit. Printable ASCII is printed as
              it is, other bytes as \\x00. printf shows buffers by %r likewise, by %rx as \\x41, by
              %rh as 41 42.
              """,
              """
              tracepoint:syscalls:sys_enter_write { printf("%s %r\\n", comm, buf(data->buf, data->count, 64)); }
              """,
              "buf(address, size)",
              "buf(address, size, limit)",
              "buf(array)",
              "buf(array, size)");
        }
      };

  /** The strings of a block of memory: {@code words(p, bytes)}. */
  public static final Builtin WORDS =
      new Builtin(Signature.of(ADDRESS, NUMBER).optional(SIZE), Effect.PURE, "words") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return buffer(call, typing)
              .map(capacity -> new Type.EncodedString(new Encoding.Words(capacity)));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string, only printed",
              """
              The strings in size bytes at an address, one after another and each ended by a NUL, as
              the kernel keeps command lines and environments; blanks separate them. A size computed
              while tracing is limited to 128, or to limit. Empty if unreadable.
              """,
              """
              tracepoint:syscalls:sys_enter_write { print(comm, words(data->buf, data->count, 64)); }
              """,
              "words(address, size)",
              "words(address, size, limit)");
        }
      };

  /** An address in user space. */
  public static final Builtin UPTR =
      new Builtin(Signature.of(ADDRESS), Effect.PURE, "uptr") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return address(call, AddressSpace.USER, typing);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "address",
              """
              The address, marked as one of user space for str, mem and *.
              """,
              """
              kprobe:do_sys_openat2 { print(str(uptr(arg1))); }
              """,
              "uptr(address)");
        }
      };

  /** An address in the kernel. */
  public static final Builtin KPTR =
      new Builtin(Signature.of(ADDRESS), Effect.PURE, "kptr") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return address(call, AddressSpace.KERNEL, typing);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "address",
              """
              The address, marked as one of the kernel for str, mem and *.
              """,
              """
              kprobe:vfs_open { print(mem(kptr(arg0), 16)); }
              """,
              "kptr(address)");
        }
      };

  /** An address in the kernel or in user space. */
  public static final Builtin ANYPTR =
      new Builtin(Signature.of(ADDRESS), Effect.PURE, "anyptr") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return address(call, AddressSpace.ANY, typing);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "address",
              """
              The address, for str, mem, quoted and * in user space or in the kernel, whichever it
              belongs to. On x86 and Arm, where no address is in both.
              """,
              """
              kprobe:do_sys_openat2 { print(str(anyptr(arg1))); }
              """,
              "anyptr(address)");
        }
      };

  /** The string at an address, in quotes: {@code quoted(p)}, {@code quoted(p, bytes)}. */
  public static final Builtin QUOTED =
      new Builtin(Signature.of(ADDRESS).optional(SIZE), Effect.PURE, "quoted") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return read(call, typing.apply(call.arguments().get(0)), typing)
              .map(text -> new Type.EncodedString(new Encoding.QuotedString(text.size())));
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string, only printed",
              """
              The string at an address, up to its NUL, in double quotes; (fault) if it cannot be
              read. It takes at most size bytes with the NUL: 128, or 1 to 512.
              """,
              """
              tracepoint:syscalls:sys_enter_openat { printf("filename=%s\\n", quoted(data->filename)); }
              """,
              "quoted(address)",
              "quoted(address, size)");
        }
      };

  /** The data of a {@code __data_loc} field: {@code dyn(data->f)}, {@code dyn(data->f, bytes)}. */
  public static final Builtin DYN =
      new Builtin(
          Signature.of(DYNAMIC_FIELD).optional(SIZE),
          Effect.PURE,
          new Availability("only a tracepoint has dynamic data", Offer.RECORD),
          "dyn") {
        @Override
        public Optional<Type> type(Expr.Call call, Typing typing) {
          return dynamic(call, typing);
        }

        @Override
        public Documentation documentation() {
          return new Documentation(
              "string",
              """
              The string in a field of variable length (__data_loc in the format), in at most size
              bytes including the NUL: 128, or 1 to 16384. Output shows .. after one that was longer than 128.
              """,
              """
              tracepoint:sched:sched_process_exec { @[dyn(data->filename)] = count(); }
              """,
              "dyn(data->field)",
              "dyn(data->field, size)");
        }
      };

  static final ImmutableList<Builtin> ALL =
      ImmutableList.of(STR, MEM, BUF, WORDS, QUOTED, UPTR, KPTR, ANYPTR, DYN);

  private MemoryBuiltins() {}

  private static Optional<Type> address(Expr.Call call, AddressSpace space, Typing typing) {
    String role = "the argument of \"" + call.function().canonicalName() + "\"";
    return typing
        .number(call, 0, role)
        .flatMap(unused -> typing.typeOf(call.arguments().get(0)))
        .map(type -> marked(type, space));
  }

  /** Integers keep their type: their format does not depend on the address space. */
  private static Type marked(Type type, AddressSpace space) {
    return type instanceof PointerType pointer ? new PointerType(pointer.target(), space) : type;
  }

  /** A string is at most as long as its array, except for a flexible array member. */
  private static Type shorter(Type array, Type string) {
    return array.size() == 0 || string.size() < array.size() ? string : array;
  }

  /** Strings cut by a size that the script passes have no mark: the script asked for it. */
  private static Type string(Expr.Call call, Type type) {
    boolean isOwnSize =
        call.arguments().size() > 1 && call.arguments().get(1) instanceof Expr.IntLiteral;
    return isOwnSize ? type : ArrayType.readChars(type.size());
  }

  private static Optional<Type> read(Expr.Call call, Optional<Type> type, Typing typing) {
    String name = call.function().canonicalName();
    Expr address = call.arguments().get(0);
    boolean readable = type.isPresent() && type.get().isScalar();
    if (type.isPresent() && !readable) {
      typing
          .diagnostics()
          .error(
              TYPE_MISMATCH,
              address.span(),
              "\"" + name + "\" takes an address, not " + type.get().withArticle(),
              type.get().isText()
                  ? new String[] {"this is a string already: omit \"" + name + "\""}
                  : new String[0]);
    }
    Optional<Type> text = text(call, typing);
    return readable ? text : Optional.empty();
  }

  /** Returns the capacity of a buffer. */
  private static Optional<Integer> buffer(Expr.Call call, Typing typing) {
    Expr source = call.arguments().get(0);
    Optional<Type> type = typing.apply(source);
    boolean hasLength = call.arguments().size() > 1;
    if (hasLength && isNegative(call.arguments().get(1))) {
      reportNegative(call.arguments().get(1), typing);
      return Optional.empty();
    }
    boolean isLengthRight =
        !hasLength || typing.number(call, 1, "the size of a buffer").isPresent();
    if (type.isEmpty() || !isLengthRight) {
      return Optional.empty();
    }
    Optional<Long> length =
        hasLength && call.arguments().get(1) instanceof Expr.IntLiteral literal
            ? Optional.of(literal.value())
            : Optional.empty();
    if (type.get() instanceof ArrayType array && (length.isPresent() || !hasLength)) {
      long most = Math.min(array.size(), MAX_STRING_SIZE);
      return Optional.of((int) Math.min(most, Math.max(0, length.orElse(most))));
    }
    if (!type.get().isScalar() || !hasLength) {
      typing
          .diagnostics()
          .error(
              TYPE_MISMATCH,
              source.span(),
              type.get() instanceof ArrayType
                  ? "of an array \"buf\" takes a constant size, or none"
                  : "\"buf\" takes an array, or an address and a size",
              "write buf(address, size)");
      return Optional.empty();
    }
    if (length.isPresent() && Long.compareUnsigned(length.get(), MAX_STRING_SIZE) > 0) {
      tooLong(call.arguments().get(1), length.get(), typing);
      return Optional.empty();
    }
    return length.isPresent() ? length.map(Long::intValue) : limit(call, typing);
  }

  private static Optional<Type> dynamic(Expr.Call call, Typing typing) {
    Expr field = call.arguments().get(0);
    Optional<Type> type = typing.apply(field);
    boolean dynamic = type.filter(MemoryBuiltins::isDynamic).isPresent();
    if (type.isPresent() && !dynamic) {
      typing
          .diagnostics()
          .error(
              TYPE_MISMATCH,
              field.span(),
              "\"dyn\" takes dynamic data, not " + type.get().withArticle(),
              dynamicHint(type.get(), typing.tracepoint()));
    }
    Optional<Type> text = text(call, typing).map(string -> string(call, string));
    return dynamic ? text : Optional.empty();
  }

  private static Optional<Type> textOfConstantSize(Expr.Call call, Typing typing) {
    if (call.arguments().size() > 1 && !(call.arguments().get(1) instanceof Expr.IntLiteral)) {
      return computedSize(call.arguments().get(1), typing);
    }
    return text(call, typing);
  }

  /** Returns whether a value says where in the record of a tracepoint data of any length is. */
  public static boolean isDynamic(Type type) {
    return type instanceof IntType integer && integer.format() == IntFormat.DATA_LOCATION;
  }

  /** Notes that a field that is shown says where its data is, which may not be what is meant. */
  public static void noteLocation(Expr shown, Type type, Diagnostics diagnostics) {
    if (shown instanceof Expr.Member && isDynamic(type)) {
      diagnostics.note(
          TYPE_MISMATCH,
          shown.span(),
          "the field holds where its data is, an offset and a length",
          "str(…) of the field is the string there");
    }
  }

  private static String dynamicHint(Type type, Optional<TracepointFormat> tracepoint) {
    if (type.isText()) {
      return "this is a string already: omit \"dyn\"";
    }
    StringBuilder fields = new StringBuilder();
    for (TracepointFormat.Field field :
        tracepoint.map(TracepointFormat::fields).orElse(List.of())) {
      if (isDynamic(field.type())) {
        fields.append(fields.length() == 0 ? "" : ", ").append("data->").append(field.name());
      }
    }
    return fields.length() == 0
        ? "this tracepoint has none; a string at an address is read by str(p)"
        : "fields that are declared __data_loc are some, here: " + fields;
  }

  /** Types a string read from memory; the optional second argument is its size. */
  private static Optional<Type> text(Expr.Call call, Typing typing) {
    if (call.arguments().size() < 2) {
      return defaultSize(call, typing).map(ArrayType::chars);
    }
    Expr length = call.arguments().get(1);
    if (!(length instanceof Expr.IntLiteral literal)) {
      return runTimeSize(call, typing);
    }
    typing.apply(length);
    if (Long.compareUnsigned(literal.value(), MAX_STRING_SIZE) > 0) {
      tooLong(length, literal.value(), typing);
      return Optional.empty();
    }
    // A string of size 0 would always be empty.
    return Optional.of(ArrayType.chars(Math.max(1, (int) literal.value())));
  }

  private static void reportNegative(Expr length, Typing typing) {
    typing.apply(length);
    typing
        .diagnostics()
        .error(
            OUT_OF_RANGE,
            length.span(),
            "a size cannot be negative",
            "write 1 to " + MAX_STRING_SIZE);
  }

  /** Only the size of a string at an address can be computed while tracing. */
  private static Optional<Type> runTimeSize(Expr.Call call, Typing typing) {
    Expr length = call.arguments().get(1);
    if (isNegative(length)) {
      reportNegative(length, typing);
      return Optional.empty();
    }
    if (call.function() == STR) {
      return typing.number(call, 1, "the size of a string").isPresent()
          ? limit(call, typing).map(limit -> ArrayType.chars(Math.max(1, limit)))
          : Optional.empty();
    }
    return computedSize(length, typing);
  }

  private static Optional<Type> computedSize(Expr length, Typing typing) {
    typing.apply(length);
    typing
        .diagnostics()
        .error(
            TYPE_MISMATCH,
            length.span(),
            "the length of a string must be a constant",
            length instanceof Expr.StringLiteral format && format.value().matches("\\d{1,4}s")
                ? "\""
                    + format.value()
                    + "\" is ply version 1: write the number of bytes, "
                    + format.value().substring(0, format.value().length() - 1)
                : "memory is allocated before the program runs; str and buf accept any number");
    return Optional.empty();
  }

  private static boolean isNegative(Expr size) {
    return size instanceof Expr.Unary unary
        && unary.op() == UnaryOp.NEGATE
        && unary.operand() instanceof Expr.IntLiteral;
  }

  /** Returns the limit of a size that is computed while tracing. */
  private static Optional<Integer> limit(Expr.Call call, Typing typing) {
    if (call.arguments().size() < 3) {
      return defaultSize(call, typing);
    }
    Expr limit = call.arguments().get(2);
    typing.apply(limit);
    if (limit instanceof Expr.IntLiteral literal
        && Long.compareUnsigned(literal.value(), MAX_STRING_SIZE) <= 0) {
      return Optional.of((int) literal.value());
    }
    typing
        .diagnostics()
        .error(
            OUT_OF_RANGE,
            limit.span(),
            "the limit of a size must be a constant, up to " + MAX_STRING_SIZE);
    return Optional.empty();
  }

  private static Optional<Integer> defaultSize(Expr.Call call, Typing typing) {
    int size = defaultSize(typing);
    if (size < 1) {
      tooLong(call, size, typing);
      return Optional.empty();
    }
    if (size > MAX_STRING_SIZE) {
      typing
          .diagnostics()
          .warning(
              OUT_OF_RANGE,
              call.span(),
              "max_strlen is " + size + ", but longer strings than " + MAX_STRING_SIZE + " are cut",
              "output shows .. after a string that was cut");
    }
    return Optional.of(Math.min(size, MAX_STRING_SIZE));
  }

  /** bpftrace reads {@code max_strlen} bytes and the NUL, of shorter strings than 1024 bytes. */
  private static int defaultSize(Typing typing) {
    int size = typing.stringSize().orElse(DEFAULT_STRING_SIZE);
    boolean isWithoutNul =
        typing.dialect() == Dialect.BPFTRACE
            && typing.stringSize().isPresent()
            && size < SIZE_WITH_NUL;
    return isWithoutNul ? size + 1 : size;
  }

  private static void tooLong(Expr length, long size, Typing typing) {
    typing
        .diagnostics()
        .error(
            OUT_OF_RANGE,
            length.span(),
            "a string of " + Long.toUnsignedString(size) + " bytes cannot be read",
            "up to " + MAX_STRING_SIZE + " bytes can, the final NUL of a string included");
  }
}
