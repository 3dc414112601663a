package dev.ply.export;

import dev.ply.table.FlameGraph;
import dev.ply.table.FrameKind;
import dev.ply.table.Stack;
import dev.ply.target.JavaCode;
import dev.ply.target.SourceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A frame of a profile. Those of two processes are equal if function and line are: addresses differ
 * with each run of a program.
 *
 * @param function its name, kind and file
 * @param symbol the function as its file names it: mangled, of C++ and Rust
 * @param method of Java, if the runtime has told it
 * @param line of source, of a caller that of its call, if it is known
 */
public record ProfileFrame(
    FlameGraph.Frame function,
    String symbol,
    Optional<JavaCode.Method> method,
    Optional<SourceLine> line) {
  /** {@return the frames with their source lines, read from debug information} */
  static List<ProfileFrame> of(List<FlameGraph.StackFrame> frames) {
    return frames.stream().map(frame -> of(frame, true)).toList();
  }

  /**
   * {@return a frame with its line}
   *
   * @param isFromFiles whether a file may be read for it, which takes up to seconds; lines of Java
   *     are in memory
   */
  static ProfileFrame of(FlameGraph.StackFrame frame, boolean isFromFiles) {
    FlameGraph.Frame function = frame.function();
    Optional<JavaCode.Method> method = frame.exact().flatMap(Stack.Frame::method);
    return new ProfileFrame(
        function,
        frame.exact().flatMap(Stack.Frame::symbol).orElse(function.name()),
        method,
        isFromFiles || method.isPresent()
            ? frame.exact().flatMap(Stack.Frame::line)
            : Optional.empty());
  }

  /** {@return the name of the function} */
  public String name() {
    return function.name();
  }

  /** {@return the kind of code} */
  public FrameKind kind() {
    return function.kind();
  }

  /**
   * {@return the source file, if the line is known: of Java in the directory of its package, as
   * class files have its name alone}
   */
  Optional<String> source() {
    return line.map(
        at -> {
          String type = method.map(JavaCode.Method::type).orElse("");
          return type.substring(0, type.lastIndexOf('.') + 1).replace('.', '/') + at.file();
        });
  }

  /** {@return the number of the line; 0 if it is not known} */
  int number() {
    return line.map(SourceLine::line).orElse(0);
  }

  /**
   * {@return the instructions of a stack, innermost first: of each the functions that are inlined
   * there, innermost first, and the one that has it}
   *
   * @param frames outermost first
   */
  static List<List<ProfileFrame>> instructions(List<ProfileFrame> frames) {
    List<List<ProfileFrame>> instructions = new ArrayList<>();
    List<ProfileFrame> inlined = new ArrayList<>();
    for (int i = frames.size() - 1; i >= 0; i--) {
      inlined.add(frames.get(i));
      if (i == 0 || frames.get(i).kind() != FrameKind.INLINED) {
        instructions.add(List.copyOf(inlined));
        inlined.clear();
      }
    }
    return instructions;
  }
}
