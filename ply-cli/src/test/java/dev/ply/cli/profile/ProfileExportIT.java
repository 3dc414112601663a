package dev.ply.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Profiles of a real process, as a store receives them. */
@Tag("live")
@Tag("any-kernel")
@Timeout(120)
class ProfileExportIT {
  @BeforeEach
  void start() {
    Live.assumeTracing();
  }

  @Test
  void whatIsPushedIsWhatIsPrinted() throws Exception {
    try (ReceivingStore store = new ReceivingStore();
        ReceivingStore parca = new ReceivingStore()) {
      Call call =
          Call.ply(
              "--pyroscope",
              store.url(),
              "--parca",
              parca.url(),
              "--profile-interval",
              "1s",
              "-f",
              "folded",
              "-c",
              "dd if=/dev/zero of=/dev/null bs=1 count=200 status=none; sleep 1.2;"
                  + " dd if=/dev/zero of=/dev/null bs=1 count=300 status=none",
              "tracepoint:syscalls:sys_enter_write / comm == \"dd\" && ppid == $target /"
                  + " { @writes[ustack(fp), comm, args->fd] = count(); }");
      assertThat(call.errors()).doesNotContain("warning", "error");
      assertThat(call.status()).isZero();
      long printed =
          call.output()
              .lines()
              .filter(line -> !line.isBlank())
              .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
              .sum();
      List<ReceivedProfile> profiles = store.profiles();
      assertThat(profiles.size()).isGreaterThan(1);
      assertThat(total(profiles)).isEqualTo(printed).isEqualTo(500);
      assertThat(total(parca.profiles())).isEqualTo(500);
      assertThat(profiles.get(0).samples())
          .allSatisfy(
              sample -> {
                assertThat(sample.labels())
                    .containsEntry("comm", "dd")
                    .containsEntry("data_fd", "1");
                assertThat(String.join(" ", sample.frames())).contains("write");
              });
    }
  }

  private static long total(List<ReceivedProfile> profiles) {
    return profiles.stream()
        .flatMap(profile -> profile.samples().stream())
        .mapToLong(sample -> sample.values().get(0))
        .sum();
  }

  @Test
  void aScriptWithoutStacksIsRefused() {
    Call call = Call.ply("--pyroscope", "http://127.0.0.1:9", "BEGIN { @a = count(); }");
    assertThat(call.status()).isEqualTo(1);
    assertThat(call.errors())
        .contains("--pyroscope, --parca and --otlp-profiles send maps that count by stacks");
  }
}
