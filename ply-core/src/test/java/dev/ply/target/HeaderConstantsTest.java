package dev.ply.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HeaderConstantsTest {
  @ParameterizedTest
  @CsvSource({
    "AF_INET, 2",
    "EPERM, 1",
    "O_CREAT, 64",
    "S_IFMT, 61440",
    "SIGKILL, 9",
    "PROT_READ, 1",
    "CLONE_NEWPID, 536870912",
    "IPPROTO_TCP, 6",
    "TASK_RUNNING, 0",
    "TASK_UNINTERRUPTIBLE, 2",
    "MAP_ANONYMOUS, 32",
    "AT_FDCWD, -100",
    "GFP_KERNEL, 3264",
    "PF_KTHREAD, 2097152",
    "TCP_LISTEN, 10",
    "FUTEX_WAIT, 0",
    "SOL_SOCKET, 1",
    "RLIM_INFINITY, -1"
  })
  void theUsualHeadersAreThere(String name, long value) {
    assertThat(HeaderConstants.value(name)).isEqualTo(OptionalLong.of(value));
  }

  @Test
  void aPartOfANameIsNone() {
    assertThat(HeaderConstants.value("AF_INE")).isEmpty();
    assertThat(HeaderConstants.value("F_INET")).isEmpty();
    assertThat(HeaderConstants.value("")).isEmpty();
  }

  @Test
  void allNamesAreDifferentAndHaveAValue() {
    List<String> names = HeaderConstants.names().toList();
    assertThat(names).hasSizeGreaterThan(10_000).doesNotHaveDuplicates().isSorted();
    assertThat(names).allMatch(name -> HeaderConstants.value(name).isPresent());
  }
}
