package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of programs' structures that point to arrays. */
@Tag("live")
@Tag("oldest")
@Timeout(300)
class PointersToArraysIT {
  private static final String PROGRAM =
      """
      struct n { int v; };
      struct s { int a; int (*m)[3]; short (*g)[2][3]; struct n (*k)[2]; int *plain; };
      __attribute__((noinline)) int f(struct s *p) {
        __asm__ volatile("" : : "r"(p) : "memory");
        return p->a;
      }
      int main(void) {
        int x[3] = {5, 6, 7};
        short y[2][3] = {{1, 2, 3}, {4, 5, 6}};
        struct n n[2] = {{8}, {9}};
        struct s s = {1, &x, &y, &n, x};
        return f(&s) - 1;
      }
      """;

  @Test
  void theirElementsAreRead(@TempDir Path directory) throws Exception {
    Live.assumeTracing();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc");
    Path source = Files.writeString(directory.resolve("arrays.c"), PROGRAM);
    Path program = directory.resolve("arrays");
    int status =
        new ProcessBuilder("gcc", "-g", "-O1", "-o", program.toString(), source.toString())
            .inheritIO()
            .start()
            .waitFor();
    assumeTrue(status == 0, "gcc cannot compile a program here");
    String script =
        "uprobe:"
            + program
            + ":f { $p = args.p; print((*$p->m)[1]); print((*$p->g)[1][2]); print((*$p->k)[1].v);"
            + " print(*$p->plain); print(*$p->m); }";
    Call call = Call.ply("bt", "-q", "-c", program.toString(), "-e", script);
    assertThat(call.errors()).isEmpty();
    assertThat(call.output().strip()).isEqualTo("6\n6\n9\n5\n[5,6,7]");
  }
}
