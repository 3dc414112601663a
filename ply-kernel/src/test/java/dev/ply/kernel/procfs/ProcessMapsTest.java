package dev.ply.kernel.procfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import org.junit.jupiter.api.Test;

final class ProcessMapsTest {
  @Test
  void aLineIsAPartOfMemory() {
    Mapping code =
        ProcessMaps.parse("7f00-7f10 r-xp 00002000 08:01 4711                 /usr/lib/a b.so");
    assertThat(code).isEqualTo(new Mapping(0x7f00, 0x7f10, true, 0x2000, 4711, "/usr/lib/a b.so"));
    assertThat(code.isFile()).isTrue();
    assertThat(code.has(0x7f0f)).isTrue();
    assertThat(code.has(0x7f10)).isFalse();
    Mapping kernel =
        ProcessMaps.parse("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]");
    assertThat(kernel.has(0xffffffffff600010L)).isTrue();
    assertThat(kernel.isFile()).isFalse();
    assertThat(ProcessMaps.parse("1000-2000 rw-p 00000000 00:00 0 ").name()).isEmpty();
  }

  /** The kernel's names begin at the reader's root, those of a chrooted process with its own. */
  @Test
  void filesOfAChrootedProcessAreBelowItsRoot() {
    assertThat(ProcessMaps.below("/", "/usr/lib/libc.so.6")).contains("usr/lib/libc.so.6");
    assertThat(ProcessMaps.below("/srv/jail", "/srv/jail/usr/lib/libc.so.6"))
        .contains("usr/lib/libc.so.6");
    assertThat(ProcessMaps.below("/srv/jail", "/srv/jailed/libc.so.6")).isEmpty();
    assertThat(ProcessMaps.below("/srv/jail", "/usr/lib/libc.so.6")).isEmpty();
  }
}
