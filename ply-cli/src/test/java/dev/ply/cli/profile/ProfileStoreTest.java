package dev.ply.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.cli.io.UsageException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where profiles are sent to, and what authorises that. */
class ProfileStoreTest {
  @TempDir private Path directory = Path.of("");

  private static ProfileStore pyroscope(String url, Map<String, String> environment)
      throws UsageException {
    return PyroscopeStore.at(url, environment).of(Optional.empty());
  }

  private static URI parca(String url) throws UsageException {
    return ParcaStore.at(url, Map.of()).of(Optional.empty()).endpoint();
  }

  @Test
  void secretsComeFromTheEnvironmentOrAFile() throws Exception {
    Path file = Files.writeString(directory.resolve("token"), "t0ken\n");
    assertThat(pyroscope("-", Map.of("PYROSCOPE_AUTH_TOKEN_FILE", file.toString())).headers())
        .containsEntry("Authorization", "Bearer t0ken");
    Files.writeString(file, "new\n");
    assertThat(
            pyroscope(
                    "-",
                    Map.of(
                        "PYROSCOPE_BASIC_AUTH_USER", "me",
                        "PYROSCOPE_BASIC_AUTH_PASSWORD_FILE", file.toString(),
                        "PYROSCOPE_TENANT_ID", "team"))
                .headers())
        .containsEntry("Authorization", "Basic bWU6bmV3")
        .containsEntry("X-Scope-OrgID", "team");
    assertThatThrownBy(() -> pyroscope("-", Map.of("PYROSCOPE_AUTH_TOKEN_FILE", file + ".missing")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("PYROSCOPE_AUTH_TOKEN_FILE: ");
    assertThatThrownBy(
            () -> new HttpSender(pyroscope("-", Map.of("PYROSCOPE_TENANT_ID", "a\r\nb: c"))))
        .isInstanceOf(UsageException.class)
        .hasMessage("the header \"X-Scope-OrgID\" cannot be sent");
  }

  @Test
  void pathsOfUrlsAreKept() throws Exception {
    assertThat(pyroscope("-", Map.of()).endpoint())
        .hasToString("http://localhost:4040/push.v1.PusherService/Push");
    assertThat(pyroscope("https://h/team/a/", Map.of()).endpoint())
        .hasToString("https://h/team/a/push.v1.PusherService/Push");
    for (String url : List.of("", "localhost:4040", "ftp://a", "http://", "a b")) {
      assertThatThrownBy(() -> pyroscope(url, Map.of()))
          .isInstanceOf(UsageException.class)
          .hasMessage("--pyroscope takes a URL such as http://localhost:4040, not \"" + url + "\"");
    }
    assertThat(parca("http://h:7070")).hasToString("http://h:7070/api/profiles/writeraw");
    assertThat(parca("https://h/p/")).hasToString("https://h/p/api/profiles/writeraw");
    assertThat(parca("http://h/api/profiles/writeraw"))
        .hasToString("http://h/api/profiles/writeraw");
    assertThatThrownBy(() -> parca("-"))
        .isInstanceOf(UsageException.class)
        .hasMessage("--parca takes a URL such as http://localhost:7070, not \"-\"");
    assertThatThrownBy(() -> OtlpStore.at("x", Map.of()))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--otlp-profiles takes a URL such as http://localhost:4318, not");
  }
}
