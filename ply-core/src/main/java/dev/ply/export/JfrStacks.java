package dev.ply.export;

import dev.ply.table.FrameKind;
import dev.ply.target.JavaCode;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stack traces of a JFR chunk, which events refer to: constants of the types that the recorder
 * of a JVM uses. A function of native code is a method of a class that is called as its file, one
 * of the kernel a method of {@code kernel} or of its module.
 */
final class JfrStacks {
  /** The type of the field for the stack trace of an event. */
  static final String STACK_TRACE = "jdk.types.StackTrace";

  private static final String STACK_FRAME = "jdk.types.StackFrame";
  private static final String FRAME_TYPE = "jdk.types.FrameType";
  private static final String METHOD = "jdk.types.Method";
  private static final String CLASS = "java.lang.Class";
  private static final String SYMBOL = "jdk.types.Symbol";

  /** The types, in the order of their numbers. */
  static final List<String> TYPES =
      List.of(STACK_TRACE, STACK_FRAME, FRAME_TYPE, METHOD, CLASS, SYMBOL);

  /** Perf maps have {@code int Hot.inner(int)}. */
  private static final Pattern JAVA =
      Pattern.compile("(?:[^\\s(]+ )?([\\w.$/]+)\\.([\\w$<>]+)\\([^()]*\\)");

  private static final String NO_ARGUMENTS = "()V";

  /** The line of a frame, and its place in bytecode. */
  private static final int UNKNOWN = -1;

  private final Map<List<ProfileFrame>, Integer> stacks = new LinkedHashMap<>();
  private final Map<Method, Integer> methods = new LinkedHashMap<>();
  private final Map<String, Integer> classes = new LinkedHashMap<>();
  private final Map<String, Integer> symbols = new LinkedHashMap<>();
  private final Map<String, Integer> types = new LinkedHashMap<>();

  private record Method(String owner, String name, String descriptor) {
    static Method of(ProfileFrame frame) {
      if (frame.method().isPresent()) {
        return of(frame.method().get());
      }
      Matcher java = JAVA.matcher(frame.name());
      boolean isGenerated =
          switch (frame.kind()) {
            case COMPILED, INTERPRETED, C1, C2, INLINED, JAVA, STUB -> true;
            case ALL, KEY, KERNEL, NATIVE, LOST -> false;
          };
      if (isGenerated && java.matches()) {
        return new Method(java.group(1), java.group(2), NO_ARGUMENTS);
      }
      String owner = frame.function().module().orElse(frame.kind().name().toLowerCase(Locale.ROOT));
      return new Method(owner.substring(owner.lastIndexOf('/') + 1), frame.name(), NO_ARGUMENTS);
    }

    /** Readers of recordings fail at a descriptor that is none. */
    private static Method of(JavaCode.Method method) {
      String type = method.type().replace('.', '/');
      try {
        MethodTypeDesc descriptor = MethodTypeDesc.ofDescriptor(method.descriptor());
        return new Method(type, method.name(), descriptor.descriptorString());
      } catch (IllegalArgumentException e) {
        return new Method(type, method.name(), NO_ARGUMENTS);
      }
    }
  }

  /** Returns the type of a frame: a word of the recorder of a JVM, or of async-profiler. */
  private static String type(FrameKind kind) {
    return switch (kind) {
      case INTERPRETED -> "Interpreted";
      case COMPILED, C2 -> "JIT compiled";
      case C1 -> "C1 compiled";
      case INLINED -> "Inlined";
      case NATIVE, STUB -> "Native";
      case KERNEL -> "Kernel";
      case ALL, KEY, JAVA, LOST -> "Unknown";
    };
  }

  /** Returns the number of a stack trace, 0 without frames. */
  long number(List<ProfileFrame> outermostFirst) {
    return outermostFirst.isEmpty() ? 0 : number(stacks, outermostFirst);
  }

  private static <T> int number(Map<T, Integer> constants, T constant) {
    int next = constants.size() + 1;
    return constants.computeIfAbsent(constant, unused -> next);
  }

  void clear() {
    stacks.clear();
    methods.clear();
    classes.clear();
    symbols.clear();
    types.clear();
  }

  /** Declares the types. */
  static List<JfrElement> declarations(JfrElement.Ids ids) {
    return List.of(
        ids.declaration(STACK_TRACE)
            .add(ids.field("truncated", "boolean"))
            .add(ids.field("frames", STACK_FRAME).with("dimension", "1")),
        ids.declaration(STACK_FRAME)
            .add(constant(ids, "method", METHOD))
            .add(ids.field("lineNumber", "int"))
            .add(ids.field("bytecodeIndex", "int"))
            .add(constant(ids, "type", FRAME_TYPE)),
        ids.declaration(FRAME_TYPE)
            .with("simpleType", "true")
            .add(ids.field("description", "java.lang.String")),
        ids.declaration(METHOD)
            .add(constant(ids, "type", CLASS))
            .add(constant(ids, "name", SYMBOL))
            .add(constant(ids, "descriptor", SYMBOL))
            .add(ids.field("modifiers", "int"))
            .add(ids.field("hidden", "boolean")),
        ids.declaration(CLASS)
            .add(constant(ids, "name", SYMBOL))
            .add(ids.field("modifiers", "int")),
        ids.declaration(SYMBOL)
            .with("simpleType", "true")
            .add(ids.field("string", "java.lang.String")));
  }

  private static JfrElement constant(JfrElement.Ids ids, String name, String type) {
    return ids.field(name, type).with("constantPool", "true");
  }

  /** Writes how many pools there are, and all of them. */
  void appendTo(JfrBuffer out) {
    if (stacks.isEmpty()) {
      out.number(0);
      return;
    }
    // Each pool has constants of those that follow it.
    List<JfrBuffer> pools = new ArrayList<>();
    pools.add(pool(STACK_TRACE, stacks, (stack, value) -> stack(stack, value)));
    pools.add(
        pool(
            METHOD,
            methods,
            (method, value) ->
                value
                    .number(number(classes, method.owner()))
                    .number(number(symbols, method.name()))
                    .number(number(symbols, method.descriptor()))
                    .number(0)
                    .raw(0, 1)));
    pools.add(pool(CLASS, classes, (name, value) -> value.number(number(symbols, name)).number(0)));
    pools.add(pool(SYMBOL, symbols, (text, value) -> value.text(text)));
    pools.add(pool(FRAME_TYPE, types, (type, value) -> value.text(type)));
    out.number(pools.size());
    pools.forEach(out::append);
  }

  /** The innermost frame is first. */
  private void stack(List<ProfileFrame> frames, JfrBuffer out) {
    out.raw(0, 1).number(frames.size());
    for (int i = frames.size() - 1; i >= 0; i--) {
      ProfileFrame frame = frames.get(i);
      out.number(number(methods, Method.of(frame)));
      out.number(frame.line().isPresent() ? frame.number() : UNKNOWN).number(UNKNOWN);
      out.number(number(types, type(frame.kind())));
    }
  }

  /** Writes a constant. */
  private interface ConstantWriter<T> {
    void write(T constant, JfrBuffer out);
  }

  private static <T> JfrBuffer pool(
      String type, Map<T, Integer> constants, ConstantWriter<T> writer) {
    JfrBuffer pool = new JfrBuffer().number(JfrElement.Ids.number(type)).number(constants.size());
    constants.forEach(
        (constant, number) -> {
          pool.number(number);
          writer.write(constant, pool);
        });
    return pool;
  }
}
