package dev.ply.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class SystemCallNamesTest {
  @ParameterizedTest
  @EnumSource(
      value = Architecture.class,
      names = {"X86_64", "AARCH64", "RISCV64"})
  void aNameHasItsNumber(Architecture architecture) {
    for (long number = -1; number < 1000; number++) {
      OptionalLong same =
          SystemCallNames.name(architecture, number)
              .map(name -> SystemCallNames.number(architecture, name))
              .orElse(OptionalLong.of(number));
      assertThat(same).hasValue(number);
    }
    assertThat(SystemCallNames.number(architecture, "bpf")).isPresent();
  }

  @ParameterizedTest
  @CsvSource({
    "X86_64, read, 0",
    "X86_64, newstat, 4",
    "X86_64, sendfile64, 40",
    "X86_64, umount, 166",
    "X86_64, openat, 257",
    "X86_64, fadvise64, 221",
    "X86_64, clone3, 435",
    "AARCH64, read, 63",
    "AARCH64, newfstat, 80",
    "AARCH64, newuname, 160",
    "AARCH64, fadvise64_64, 223",
    "AARCH64, arm64_personality, 92",
    "AARCH64, clone3, 435"
  })
  void functionsImplementCalls(Architecture architecture, String function, long number) {
    assertThat(SystemCallNames.numberOfFunction(architecture, function)).hasValue(number);
  }

  @ParameterizedTest
  @EnumSource(Architecture.class)
  void othersHaveNone(Architecture architecture) {
    assertThat(SystemCallNames.numberOfFunction(architecture, "-")).isEmpty();
    assertThat(SystemCallNames.numberOfFunction(architecture, "vfs_read")).isEmpty();
  }
}
