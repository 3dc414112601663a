package dev.ply.kernel.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Functions of a few instructions, at offset 4096 of their file. */
class CheapProbeOffsetTest {
  private static final long START = 4096;
  private static final String MARK = "f3 0f 1e fa ";
  private static final String COMPARE = "80 3f 00 ";
  private static final String PUSH = "55 ";
  private static final String RETURN = "c3 ";

  /** Where calls of the function are probed that begins at an offset of such code. */
  private static long cheapest(String code, int offset) {
    byte[] bytes = HexFormat.of().parseHex(code.replace(" ", ""));
    return new CheapProbeOffset(bytes, START).cheapest(START + offset) - START;
  }

  @Test
  void whatIsEmulatedStaysWhereItIs() {
    assertThat(cheapest(PUSH + RETURN, 0)).isZero();
  }

  @Test
  void aMarkForBranchesIsPassed() {
    assertThat(cheapest(MARK + PUSH + RETURN, 0)).isEqualTo(4);
    assertThat(cheapest(RETURN + MARK + PUSH + RETURN, 1)).isEqualTo(5);
  }

  @Test
  void aTestIsPassedIfAJumpFollows() {
    assertThat(cheapest(MARK + COMPARE + "74 01 " + RETURN + RETURN, 0)).isEqualTo(7);
    assertThat(cheapest(COMPARE + RETURN, 0)).isZero();
  }

  @Test
  void whatChangesAnArgumentIsNot() {
    assertThat(cheapest("48 89 f7 " + PUSH + RETURN, 0)).isZero();
  }

  @Test
  void aLoopBehindTheMarkIsNoCall() {
    // while (*text != 0) { text++; }
    String loop = MARK + COMPARE + "74 05 48 ff c7 eb f6 " + RETURN;
    assertThat(cheapest(loop, 0)).isZero();
    // The same with the function's start in the loop: each round is a call as much as before.
    assertThat(cheapest(loop.replace("eb f6", "eb f2"), 0)).isEqualTo(7);
  }

  @Test
  void noJumpFromAfarLeadsBehindTheMark() {
    String function = MARK + PUSH + RETURN;
    String far = "90 ".repeat(200);
    // From 206 and five bytes back to 4, to the mark, and past the push.
    assertThat(cheapest(function + far + "e9 31 ff ff ff", 0)).isZero();
    assertThat(cheapest(function + far + "0f 85 30 ff ff ff", 0)).isZero();
    assertThat(cheapest(function + far + "e9 2d ff ff ff", 0)).isEqualTo(4);
    assertThat(cheapest(function + far + "e9 32 ff ff ff", 0)).isEqualTo(4);
  }

  @Test
  void codeThatEndsIsNoInstruction() {
    assertThat(cheapest(MARK, 0)).isZero();
    assertThat(cheapest(MARK + "e8 00", 0)).isZero();
    assertThat(cheapest(MARK, 100)).isEqualTo(100);
  }
}
