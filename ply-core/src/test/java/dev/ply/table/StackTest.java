package dev.ply.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.table.Stack.Frame;
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
