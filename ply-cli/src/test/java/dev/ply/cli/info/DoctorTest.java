package dev.ply.cli.info;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.kernel.Privileges;
import dev.ply.kernel.feature.Feature;
import dev.ply.kernel.feature.KernelFeatures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DoctorTest {
  @Test
  void eachFeatureIsThereOrHasItsCost() {
    Call call = Call.ply("doctor");
    assertThat(call.status()).isEqualTo(Privileges.missing().isEmpty() ? 0 : 1);
    assertThat(call.errors()).isEmpty();
    assertThat(call.output())
        .startsWith("Versions\n  ply ")
        .contains("\nPrivileges\n", "\nResult\n");
    for (Feature feature : Feature.values()) {
      if (KernelFeatures.ofThisKernel().has(feature)) {
        assertThat(call.output()).containsPattern("\n  has: .*" + quoted(feature.title()));
      } else {
        assertThat(call.output())
            .contains("\n  lacks " + feature.title() + ": ")
            .contains("\n    without it: " + FeatureCost.of(feature) + "\n");
      }
    }
  }

  private static String quoted(String text) {
    return Pattern.quote(text);
  }

  @Test
  void theReportNamesNoMachineAndNoUser() throws IOException {
    String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    assertThat(Call.ply("doctor").output())
        .doesNotContain(System.getProperty("user.home"))
        .doesNotContainPattern("\\b" + quoted(host) + "\\b");
  }

  @ParameterizedTest
  @EnumSource
  void aCostIsAPhrase(Feature feature) {
    assertThat(FeatureCost.of(feature)).matches("[a-z].*[a-z]");
  }

  @Test
  void operandsAreRefused() {
    assertThat(Call.ply("doctor", "x").errors())
        .isEqualTo("error: unexpected operand \"x\": ply doctor takes none\n");
  }
}
