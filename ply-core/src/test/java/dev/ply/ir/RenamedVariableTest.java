package dev.ply.ir;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RenamedVariableTest {
  @Test
  void messagesShowWhatTheScriptSays() {
    RenamedVariable variable = RenamedVariable.of("$x_1", "$x");
    assertThat(variable.in("variable \"$x_1\" has no value"))
        .isEqualTo("variable \"$x\" has no value");
    assertThat(variable.in("$x_1 = 0; or @x_1")).isEqualTo("$x = 0; or @x");
    assertThat(variable.in("$x_12, $x_1y, x_1")).isEqualTo("$x_12, $x_1y, x_1");
  }

  @Test
  void theResultOfAFunctionIsNoVariable() {
    RenamedVariable result = RenamedVariable.result("$f_2", "f");
    assertThat(result.in("variable \"$f_2\" is 1")).isEqualTo("the result of \"f\" is 1");
  }
}
