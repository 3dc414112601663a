package dev.ply.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CallerEnvironmentTest {
  @Test
  void variablesThatTheLauncherChangedAreAsTheyWere() {
    CallerEnvironment caller =
        CallerEnvironment.of(
            List.of(
                "LC_ALL=C.UTF-8",
                "PLY_CALLER_LC_ALL==de_DE.UTF-8",
                "HOME=/root",
                "PLY_CALLER_JAVA_TOOL_OPTIONS==-Da=b"));
    assertThat(caller.entries())
        .containsExactlyInAnyOrder("LC_ALL=de_DE.UTF-8", "HOME=/root", "JAVA_TOOL_OPTIONS=-Da=b");
  }

  @Test
  void variablesThatTheLauncherAddedAreGone() {
    assertThat(CallerEnvironment.of(List.of("LC_ALL=C.UTF-8", "PLY_CALLER_LC_ALL=")).entries())
        .isEmpty();
  }

  @Test
  void variablesThatWereEmptyAreEmpty() {
    assertThat(CallerEnvironment.of(List.of("LC_ALL=C.UTF-8", "PLY_CALLER_LC_ALL==")).entries())
        .containsExactly("LC_ALL=");
  }

  @Test
  void valuesMayHoldEqualsSigns() {
    assertThat(CallerEnvironment.of(List.of("A=b=c", "D=")).variables())
        .containsEntry("A", "b=c")
        .containsEntry("D", "");
  }

  @Test
  void withoutALauncherItIsThatOfTheProcess() {
    assertThat(CallerEnvironment.read().variables()).containsAllEntriesOf(System.getenv());
  }
}
