package dev.ply.kernel.untrusted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.untrusted.UntrustedPath.Links;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class UntrustedPathTest {
  /** Mounts a file system, and answers nothing but the first request of the kernel. */
  private static final String SERVER =
      """
      #include <fcntl.h>
      #include <linux/fuse.h>
      #include <stdio.h>
      #include <sys/mount.h>
      #include <unistd.h>
      int main(int count, char **words) {
        char options[100];
        static char request[1 << 20];
        struct { struct fuse_out_header header; struct fuse_init_out init; } answer = {0};
        int device = open("/dev/fuse", O_RDWR);
        snprintf(options, sizeof options, "fd=%d,rootmode=40755,user_id=0,group_id=0", device);
        if (device < 0 || mount("x", words[1], "fuse", 0, options) != 0) return 1;
        if (read(device, request, sizeof request) < 0) return 1;
        answer.header.len = sizeof answer;
        answer.header.unique = ((struct fuse_in_header *) request)->unique;
        answer.init.major = 7;
        answer.init.minor = 31;
        if (write(device, &answer, sizeof answer) < 0) return 1;
        puts("mounted");
        fflush(stdout);
        return getchar();
      }
      """;

  @TempDir Path directory = Path.of("");

  private static FileFacts facts(Path path) throws IOException {
    return FileFacts.of(path);
  }

  @Test
  void linksOfProcfsLeadWhereTheKernelSays() throws IOException {
    FileFacts java = facts(Path.of("/proc/self/exe"));
    Path link = directory.resolve("link");
    Files.createSymbolicLink(link, Path.of("/proc/self/exe"));
    assertThat(facts(link)).isEqualTo(java);
    assertThat(facts(Path.of("/proc/self/root/proc/self/status")).isRegular()).isTrue();
  }

  @Test
  void relativePathsBeginAtTheWorkingDirectory() throws IOException {
    assertThat(facts(Path.of("pom.xml"))).isEqualTo(facts(Path.of("pom.xml").toAbsolutePath()));
    assertThat(facts(Path.of("")).isDirectory()).isTrue();
    assertThat(facts(Path.of("/")).isDirectory()).isTrue();
  }

  @Test
  void whatAProgramServesIsNotAsked() throws Exception {
    assumeTrue(Files.isReadable(Path.of("/dev/fuse")), "there is no /dev/fuse for this user");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "there is no C compiler here");
    Path source = Files.writeString(directory.resolve("server.c"), SERVER);
    Path program = directory.resolve("server");
    Process compiler =
        new ProcessBuilder("cc", "-o", program.toString(), source.toString()).start();
    assumeTrue(compiler.waitFor() == 0, "there are no headers of the kernel here");
    Path mount = Files.createDirectory(directory.resolve("mount"));
    Process server = new ProcessBuilder(program.toString(), mount.toString()).start();
    try {
      String line = server.inputReader(StandardCharsets.UTF_8).readLine();
      assumeTrue("mounted".equals(line), "nothing can be mounted here");
      Path link = directory.resolve("link");
      Files.createSymbolicLink(link, mount.resolve("file"));
      for (Path path : new Path[] {mount.resolve("file"), mount, link}) {
        assertThatThrownBy(() -> UntrustedPath.open(path, Links.FOLLOWED))
            .isInstanceOf(UnansweringFileException.class)
            .hasMessageContaining(path + " is on a FUSE file system");
      }
      assertThat(FileFacts.isRegular(mount.resolve("file"))).isFalse();
      assertThat(FileFacts.isSame(mount, Path.of("/"))).isFalse();
    } finally {
      new ProcessBuilder("umount", "-l", mount.toString()).start().waitFor();
      server.destroyForcibly().waitFor();
    }
  }
}
