package dev.ply.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.table.Stack.Frame;
import dev.ply.target.JavaCode;
import dev.ply.target.KernelSymbols;
import dev.ply.target.SourceLine;
import dev.ply.target.UserSymbols;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StackTest {
  private static Frame frame(String symbol, long offset) {
    return new Frame(0x1000, Optional.of(symbol), offset, Optional.of("lib.so"));
  }

  @Test
  void functionsOfCxxReadAsTheirSource() {
    assertThat(frame("_ZN3Foo3barEi", 4).function()).isEqualTo("Foo::bar(int)");
    assertThat(frame("_ZN3Foo3barEi", 4).symbol()).contains("_ZN3Foo3barEi");
    assertThat(frame("_ZN3Foo3barEi", 4)).hasToString("Foo::bar(int)+4 (lib.so)");
    assertThat(frame("_Znonsense", 0).function()).isEqualTo("_Znonsense");
    assertThat(frame("malloc", 0)).hasToString("malloc (lib.so)");
  }

  @Test
  void framesWithoutSymbolAreTheirFileOrAddress() {
    Frame inFile = new Frame(0x1000, Optional.empty(), 0, Optional.of("lib.so"));
    Frame nowhere = new Frame(0x1000, Optional.empty(), 0, Optional.empty());
    assertThat(inFile).hasToString("[lib.so]");
    assertThat(nowhere).hasToString("0x1000");
    assertThat(nowhere.line()).isEmpty();
  }

  private static UserSymbols.Frame java(JavaCode.Tier tier, UserSymbols.Location location) {
    JavaCode.Method method = new JavaCode.Method("app.Hot", "add", "(I[[JLjava/lang/String;)V");
    return new UserSymbols.Frame(
        0x1000,
        Optional.of(new KernelSymbols.Symbol(method.toString(), 4)),
        Optional.empty(),
        location,
        Optional.empty(),
        Optional.of(new JavaCode(tier, Optional.of(method))));
  }

  @Test
  void javaFramesTellTheirMethodAndLine() {
    UserSymbols.Location line = () -> Optional.of(new SourceLine("Hot.java", 12));
    UserSymbols.Frame inlined = java(JavaCode.Tier.INLINED, line);
    UserSymbols.Frame compiled = java(JavaCode.Tier.C1, UserSymbols.Location.UNKNOWN);
    assertThat(inlined).hasToString("app.Hot.add(int, long[][], java.lang.String):12 [inlined]");
    assertThat(compiled).hasToString("app.Hot.add(int, long[][], java.lang.String)+4");
    Stack stack =
        Stack.of(
            new Datum.UserStack(1, 7, List.of(inlined, compiled), StackMode.PLY),
            KernelSymbols.NONE);
    assertThat(stack.frames())
        .extracting(Frame::kind)
        .containsExactly(FrameKind.INLINED, FrameKind.C1);
    assertThat(stack.frames().get(0).method())
        .hasValueSatisfying(method -> assertThat(method.type()).isEqualTo("app.Hot"));
    assertThat(stack.frames().get(0).line()).contains(new SourceLine("Hot.java", 12));
  }

  @Test
  void descriptorsThatAreNoneAreShownAsTheyAre() {
    assertThat(new JavaCode.Method("A", "f", "([")).hasToString("A.f()");
    assertThat(new JavaCode.Method("A", "f", "(Lx")).hasToString("A.f(Lx)");
    assertThat(new JavaCode.Method("A", "f", "")).hasToString("A.f()");
    assertThat(new JavaCode.Method("A", "f", "(IQ)")).hasToString("A.f(int, Q))");
  }

  @Test
  void theSourceLineOfAFrameIsNoPartOfItsIdentity() {
    SourceLine line = new SourceLine("/a.c", 3);
    UserSymbols.Frame known =
        new UserSymbols.Frame(
            0x1000, Optional.empty(), Optional.of("lib.so"), () -> Optional.of(line));
    Stack stack =
        Stack.of(new Datum.UserStack(1, 7, List.of(known), StackMode.PLY), KernelSymbols.NONE);
    Frame frame = stack.frames().get(0);
    assertThat(frame.line()).contains(line);
    Frame other = new Frame(0x1000, Optional.empty(), 0, Optional.of("lib.so"));
    assertThat(frame).isEqualTo(other).hasSameHashCodeAs(other);
    assertThat(frame).isNotEqualTo(frame("f", 0));
    assertThat(line).hasToString("/a.c:3");
  }
}
