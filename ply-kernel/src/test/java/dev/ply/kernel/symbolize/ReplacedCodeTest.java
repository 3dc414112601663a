package dev.ply.kernel.symbolize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.mapping.FileIdentity;
import dev.ply.kernel.mapping.FileMapping;
import dev.ply.kernel.mapping.ProcessImage;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplacedCodeTest {
  private static final int PROCESS = 42;
  private static final long ADDRESS = 0x7100;
  private static final Mapping PROGRAM = seen(0x400000, 1, "/bin/host");
  private static final Mapping FIRST = seen(0x7000, 2, "/lib/libfirst.so");
  private static final Mapping SECOND = seen(0x7000, 3, "/lib/libsecond.so");

  private final ReplacedCode replaced = new ReplacedCode();

  private static Mapping seen(long start, long inode, String name) {
    return new Mapping(start, start + 0x1000, /* isExecutable= */ true, 0, inode, name);
  }

  private static FileMapping recorded(long start, long inode, String name) {
    return new FileMapping(start, start + 0x1000, 0, name, new FileIdentity.Inode(8, inode));
  }

  private Optional<String> filesAt(Optional<Mapping> now, ProcessImage... images) {
    return replaced.filesAt(PROCESS, now, List.of(images), ADDRESS);
  }

  @Test
  void anotherLibraryMakesBothPossible() {
    replaced.update(PROCESS, List.of(PROGRAM, FIRST), List.of(PROGRAM, SECOND));
    assertThat(filesAt(Optional.of(SECOND))).contains("libfirst.so or libsecond.so");
    assertThat(replaced.filesAt(PROCESS, Optional.of(PROGRAM), List.of(), 0x400010)).isEmpty();
    assertThat(replaced.filesAt(43, Optional.of(SECOND), List.of(), ADDRESS)).isEmpty();
    replaced.forget(PROCESS);
    assertThat(filesAt(Optional.of(SECOND))).isEmpty();
  }

  @Test
  void anotherFileOfTheSameNameIsAnother() {
    Mapping other = seen(0x7000, 4, "/lib/libfirst.so");
    replaced.update(PROCESS, List.of(PROGRAM, FIRST), List.of(PROGRAM, other));
    assertThat(filesAt(Optional.of(other))).contains("libfirst.so (replaced)");
  }

  @Test
  void theSameFileIsTheSame() {
    Mapping deleted = seen(0x7000, 2, "/lib/libfirst.so (deleted)");
    replaced.update(PROCESS, List.of(PROGRAM, FIRST), List.of(PROGRAM));
    assertThat(replaced.at(PROCESS, ADDRESS)).contains(FIRST);
    assertThat(filesAt(Optional.empty())).isEmpty();
    replaced.update(PROCESS, List.of(PROGRAM), List.of(PROGRAM, FIRST));
    assertThat(filesAt(Optional.of(FIRST))).isEmpty();
    replaced.update(PROCESS, List.of(PROGRAM, FIRST), List.of(PROGRAM, deleted));
    assertThat(filesAt(Optional.of(deleted))).isEmpty();
  }

  /** Programs that are not moved are at the same address, one after another. */
  @Test
  void execIsNoReplacement() {
    Mapping runner = seen(0x7000, 5, "/bin/runner");
    Mapping service = seen(0x7000, 6, "/bin/service");
    replaced.update(PROCESS, List.of(runner), List.of(service));
    assertThat(replaced.at(PROCESS, ADDRESS)).isEmpty();
    ProcessImage before = ProcessImage.unrecorded(PROCESS);
    ProcessImage after = ProcessImage.empty().with(recorded(0x7000, 6, "/bin/service"));
    assertThat(filesAt(Optional.of(service), after, before)).isEmpty();
  }

  @Test
  void whatWasRecordedIsCompared() {
    ProcessImage image = ProcessImage.empty().with(recorded(0x7000, 2, "/lib/libfirst.so"));
    assertThat(filesAt(Optional.empty(), image)).isEmpty();
    // In a container, names differ.
    assertThat(filesAt(Optional.of(seen(0x7000, 2, "/merged/lib/libfirst.so")), image)).isEmpty();
    assertThat(filesAt(Optional.empty(), image.with(recorded(0x7000, 3, "/lib/libsecond.so"))))
        .contains("libsecond.so or libfirst.so");
    assertThat(filesAt(Optional.empty(), image.with(recorded(0x7000, 3, "/lib/libfirst.so"))))
        .contains("libfirst.so (replaced)");
  }

  @Test
  void aBuildIdThatCouldNotBeReadIsNoOther() {
    FileMapping known =
        new FileMapping(
            0x7000, 0x8000, 0, "/lib/libfirst.so", new FileIdentity.BuildId("0123456789"));
    ProcessImage image =
        ProcessImage.empty().with(known).with(recorded(0x7000, 2, "/lib/libfirst.so"));
    assertThat(filesAt(Optional.empty(), image)).isEmpty();
  }

  /** The process has ended before it could be looked at again. */
  @Test
  void whatWasSeenIsComparedWithRecordsSince() {
    ProcessImage image =
        ProcessImage.unrecorded(PROCESS).with(recorded(0x7000, 3, "/lib/libsecond.so"));
    assertThat(filesAt(Optional.of(FIRST), image)).contains("libfirst.so or libsecond.so");
  }

  /** JIT compilers map memory all the time, and programs move to large pages. */
  @Test
  void memoryWithoutAFileReplacesNone() {
    ProcessImage image =
        ProcessImage.empty()
            .with(recorded(0x7000, 2, "/lib/libfirst.so"))
            .with(recorded(0x7000, 0, "//anon"));
    assertThat(filesAt(Optional.empty(), image)).isEmpty();
  }

  @Test
  void fewFormerMappingsAreKept() {
    Mapping last = FIRST;
    for (int i = 0; i < 1_000; i++) {
      Mapping next = seen(0x10000L * i, i, "/lib/" + i);
      replaced.update(PROCESS, List.of(PROGRAM, last), List.of(PROGRAM, next));
      last = next;
    }
    assertThat(replaced.of(PROCESS)).hasSize(64);
  }
}
