package dev.ply.kernel.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.mapping.FileIdentity.Inode;
import dev.ply.kernel.mapping.MappingEvent.Executed;
import dev.ply.kernel.mapping.MappingEvent.Exited;
import dev.ply.kernel.mapping.MappingEvent.Forked;
import dev.ply.kernel.mapping.MappingEvent.Mapped;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is known of a process after forks, execs and exits, and within a limit. */
final class MappingHistoryTest {
  private static final int SHELL = 10;
  private static final int CHILD = 11;

  private final MappingHistory history = new MappingHistory(1 << 20);

  private static FileMapping mapping(long start, String name) {
    return new FileMapping(start, start + 0x1000, 0, name, new Inode(1, name.hashCode()));
  }

  private void map(int process, long start, String name) {
    history.apply(new Mapped(0, process, mapping(start, name)));
  }

  private Optional<String> latest(int process, long address) {
    return history.images(process).get(0).at(address).map(FileMapping::name);
  }

  @Test
  void whatWasMappedLastAtAnAddressIsFound() {
    map(SHELL, 0x1000, "/lib/old.so");
    map(SHELL, 0x1000, "/lib/new.so");
    assertThat(latest(SHELL, 0x1fff)).contains("/lib/new.so");
    assertThat(latest(SHELL, 0x2000)).isEmpty();
    assertThat(latest(SHELL, 0xfff)).isEmpty();
  }

  @Test
  void aForkedProcessHasWhatItsParentHadAndNotWhatItMapsLater() {
    map(SHELL, 0x1000, "/bin/sh");
    history.apply(new Forked(0, CHILD, SHELL));
    map(SHELL, 0x5000, "/lib/later.so");
    map(CHILD, 0x7000, "/lib/own.so");
    assertThat(latest(CHILD, 0x1000)).contains("/bin/sh");
    assertThat(latest(CHILD, 0x5000)).isEmpty();
    assertThat(latest(SHELL, 0x7000)).isEmpty();
    assertThat(history.parent(CHILD)).hasValue(SHELL);
  }

  @Test
  void execBeginsAnImageAndTheOneBeforeStays() {
    map(SHELL, 0x1000, "/bin/sh");
    history.apply(new Executed(0, SHELL));
    map(SHELL, 0x3000, "/bin/true");
    assertThat(latest(SHELL, 0x1000)).isEmpty();
    assertThat(latest(SHELL, 0x3000)).contains("/bin/true");
    assertThat(history.images(SHELL).get(1).at(0x1000)).isPresent();
  }

  @Test
  void onlyImagesFromBeforeRecordingReferToAProcess() {
    map(SHELL, 0x1000, "/lib/late.so");
    history.apply(new Forked(0, CHILD, SHELL));
    assertThat(history.images(CHILD).get(0).unrecorded()).hasValue(SHELL);
    history.apply(new Executed(0, CHILD));
    assertThat(history.images(CHILD).get(0).unrecorded()).isEmpty();
  }

  /** A service traces for months, and knows the same number of processes. */
  @Test
  void ofProcessesThatEndedTheLatestAreKnown() {
    MappingHistory large = new MappingHistory(1 << 30);
    int traced = 1000;
    int all = 20_000;
    for (int process = traced; process < traced + all; process++) {
      large.apply(new Forked(0, process, SHELL));
      large.apply(new Mapped(0, process, mapping(0x1000, "/bin/sh")));
      if (process == traced) {
        large.keep(process);
      }
      large.apply(new Exited(0, process));
    }
    assertThat(large.images(traced)).isNotEmpty();
    int oldest = traced + all - MappingHistory.MOST_ENDED;
    assertThat(large.images(oldest)).isNotEmpty();
    assertThat(large.images(oldest - 1)).isEmpty();
  }

  @Test
  void memoryWithoutAFileIsKeptOnlyWhereItHidesOne() {
    map(SHELL, 0x1000, "/bin/sh");
    for (int i = 0; i < ProcessImage.MOST_MAPPINGS; i++) {
      map(SHELL, 0x100000, "//anon");
    }
    map(SHELL, 0x1000, "//anon");
    map(SHELL, 0x3000, "/lib/a.so");
    assertThat(history.images(SHELL).get(0).mappings())
        .extracting(FileMapping::name)
        .containsExactly("/lib/a.so", "//anon", "/bin/sh");
  }

  @Test
  void aProcessThatMapsWithoutEndOccupiesALimitedPart() {
    for (int i = 0; i < 4 * ProcessImage.MOST_MAPPINGS; i++) {
      map(SHELL, i * 0x1000L, "/tmp/" + i);
    }
    assertThat(history.images(SHELL).get(0).count()).isEqualTo(ProcessImage.MOST_MAPPINGS);
  }

  @Test
  void processesWithoutStackTracesAreClearedFirst() {
    map(1, 0x1000, "/bin/traced");
    history.keep(1);
    history.apply(new Exited(0, 1));
    map(2, 0x1000, "/bin/living");
    for (int process = 3; process < 10_000; process++) {
      map(process, 0x1000, "/bin/ended");
      history.apply(new Exited(0, process));
    }
    assertThat(history.images(3)).isEmpty();
    assertThat(List.of(1, 2, 9_999))
        .allSatisfy(kept -> assertThat(latest(kept, 0x1000)).isPresent());
  }

  @Test
  void aPidThatIsReusedHasBothProcesses() {
    map(CHILD, 0x1000, "/bin/first");
    history.keep(CHILD);
    history.apply(new Exited(0, CHILD));
    history.apply(new Forked(0, CHILD, SHELL));
    history.apply(new Executed(0, CHILD));
    map(CHILD, 0x2000, "/bin/second");
    assertThat(latest(CHILD, 0x2000)).contains("/bin/second");
    assertThat(history.images(CHILD)).anySatisfy(image -> assertThat(image.at(0x1000)).isPresent());
  }
}
