package dev.ply.cli.bpftrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.cli.Call;
import dev.ply.kernel.Live;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Iterators over the objects of the kernel. */
@Tag("live")
@Tag("any-kernel")
@Timeout(300)
class BpftraceIteratorIT {
  @TempDir Path directory = Path.of("");

  @BeforeEach
  void assumeTracing() {
    Live.assumeTracing();
  }

  @Test
  void anIteratorRunsForEachTaskAndEndsTheTrace() {
    Call call =
        Call.ply(
            "bt",
            "-q",
            "-e",
            "iter:task / ctx.task.pid == ctx.task.tgid / { @[ctx.task.tgid] = count(); }"
                + " END { printf(\"end\\n\"); }");
    assertThat(call.status()).isZero();
    assertThat(call.output()).startsWith("end\n");
    assertThat(call.output().lines().filter(line -> line.endsWith(": 1")).count()).isGreaterThan(1);
  }

  @Test
  void anIteratorWalksFilesAndMappings() {
    String pid = Long.toString(ProcessHandle.current().pid());
    Call files =
        Call.ply(
            "bt",
            "-q",
            "-e",
            "it:task_file / ctx->task->pid == $1 && ctx.fd < 3 / { printf(\"%d\\n\", ctx.fd); }",
            pid);
    assertThat(files.errors()).isEmpty();
    assertThat(files.output().lines()).contains("0", "1", "2");
    Call mappings =
        Call.ply(
            "bt",
            "-q",
            "-e",
            "it:task_vma / args.task.pid == $1 && args.vma.vm_start < args.vma.vm_end"
                + " / { @ = count(); }",
            pid);
    assertThat(mappings.output()).matches("\n\n@: [1-9]\\d+\n");
  }

  @Test
  void anIteratorTellsPaths(@TempDir Path directory) throws IOException {
    Path file = Files.createFile(directory.resolve("a-file-with-a-name"));
    String pid = Long.toString(ProcessHandle.current().pid());
    try (InputStream open = Files.newInputStream(file)) {
      assertThat(open.read()).isEqualTo(-1);
      Call paths =
          Call.ply(
              "bt",
              "-q",
              "-e",
              "it:task_file / ctx.task.pid == $1 / { printf(\"%s\\n\", path(ctx.file.f_path)); }",
              pid);
      assertThat(paths.errors()).isEmpty();
      assertThat(paths.output().lines()).contains(file.toRealPath().toString());
    }
  }
}
