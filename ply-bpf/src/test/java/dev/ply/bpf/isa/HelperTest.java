package dev.ply.bpf.isa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.bpf.object.ProgramType;
import dev.ply.machine.KernelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class HelperTest {
  private static final Path HEADER = Path.of("/usr/include/linux/bpf.h");
  private static final Pattern ROW = Pattern.compile("\\bFN\\((\\w+)(?:, (\\d+))?");

  @Test
  void helpersAreInOrderOfNumberAndOfFirstKernel() {
    assertThat(Helper.values()).isSortedAccordingTo(Comparator.comparing(Helper::number));
    // The kernel numbers helpers in order of introduction.
    assertThat(Helper.values()).isSortedAccordingTo(Comparator.comparing(Helper::since));
  }

  @Test
  void numbersAndNamesMatchTheUapiHeader() throws IOException {
    assumeTrue(Files.exists(HEADER), () -> HEADER + " is missing (package linux-libc-dev)");
    List<String> names = new ArrayList<>();
    Matcher rows = ROW.matcher(Files.readString(HEADER));
    while (rows.find()) {
      names.add(rows.group(1));
    }
    assertThat(Arrays.stream(Helper.values()).filter(h -> h.number() < names.size()))
        .allSatisfy(
            helper -> assertThat(helper.kernelName()).isEqualTo(names.get(helper.number())));
  }

  @Test
  void everyHelperTakesAtMostFiveArguments() {
    assertThat(Helper.values())
        .allSatisfy(
            helper -> {
              assertThat(helper.signature().parameters()).hasSizeLessThanOrEqualTo(5);
              assertThat(helper.signature().required())
                  .isLessThanOrEqualTo(helper.signature().parameters().size());
            });
  }

  @Test
  void programTypesOfferHelpersSinceAKernel() {
    assertThat(ProgramType.KPROBE.offers(Helper.GET_ATTACH_COOKIE))
        .contains(new KernelVersion(5, 15, 0));
    assertThat(ProgramType.FEXIT.offers(Helper.GET_ATTACH_COOKIE))
        .contains(new KernelVersion(5, 19, 0));
    assertThat(ProgramType.RAW_TRACEPOINT.offers(Helper.GET_ATTACH_COOKIE))
        .contains(new KernelVersion(6, 10, 0));
    assertThat(ProgramType.FENTRY.offers(Helper.GET_FUNC_RET)).isEmpty();
    assertThat(ProgramType.FEXIT.offers(Helper.GET_FUNC_RET)).contains(new KernelVersion(5, 17, 0));
    assertThat(ProgramType.TRACEPOINT.offers(Helper.OVERRIDE_RETURN)).isEmpty();
  }
}
