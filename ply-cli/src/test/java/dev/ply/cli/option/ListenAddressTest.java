package dev.ply.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.cli.io.UsageException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code [HOST:]PORT}. */
class ListenAddressTest {
  @Test
  void aPortIsOfThisMachine() throws Exception {
    assertThat(ListenAddress.parse("--web", "8080"))
        .isEqualTo(new ListenAddress("--web", Optional.empty(), 8080));
    assertThat(ListenAddress.parse("--web", "0").socket().getAddress().isLoopbackAddress())
        .isTrue();
  }

  @Test
  void aHostIsANameOrAnAddress() throws Exception {
    assertThat(ListenAddress.parse("--web", "0.0.0.0:80"))
        .isEqualTo(new ListenAddress("--web", Optional.of("0.0.0.0"), 80));
    assertThat(ListenAddress.parse("--web", "[::1]:65535"))
        .isEqualTo(new ListenAddress("--web", Optional.of("::1"), 65535));
    assertThat(ListenAddress.parse("--web", "db-1.example:0"))
        .isEqualTo(new ListenAddress("--web", Optional.of("db-1.example"), 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "65536", "99999", "-1", "::1:80", "a b:80", ":80", "host:", "8080/"})
  void anythingElseIsAnError(String text) {
    assertThatThrownBy(() -> ListenAddress.parse("--web", text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--web takes a port from 0");
  }

  @Test
  void anUnknownHostIsAnError() {
    assertThatThrownBy(() -> new ListenAddress("--web", Optional.of("nowhere.invalid"), 0).socket())
        .isInstanceOf(UsageException.class)
        .hasMessage("--web: no host \"nowhere.invalid\" is known");
  }
}
