package dev.ply.kernel.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.KernelTracer;
import dev.ply.kernel.Live;
import dev.ply.kernel.MissingPrivilegesException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes whose temporary directories are read-only or not for programs, by a namespace. */
@Tag("live")
@Tag("runtime")
@Tag("any-kernel")
final class NativeCallsIT {
  @TempDir private Path home;

  /** Opens a tracer twice, and prints what happens. */
  static final class Opening {
    private Opening() {}

    public static void main(String[] arguments) {
      KernelTracer.warmUp();
      for (int i = 0; i < 2; i++) {
        try {
          KernelTracer.open().close();
          System.out.println("opened");
        } catch (MissingPrivilegesException e) {
          System.out.println(e.getMessage());
        }
      }
      System.out.println(System.getProperty("jna.tmpdir", "as before"));
    }
  }

  /** Runs the program after mounts that end with it. */
  private List<String> opening(String mounts) throws IOException, InterruptedException {
    Live.assumeTracing();
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")), "unshare is missing");
    List<String> command = new ArrayList<>();
    Collections.addAll(command, "unshare", "-m", "--propagation", "private", "sh", "-ec");
    command.add("cd /; " + mounts + "; exec \"$0\" \"$@\"");
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Collections.addAll(command, "-Duser.home=" + home, "-Djava.io.tmpdir=" + home);
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    Collections.addAll(command, "-cp", System.getProperty("java.class.path"));
    command.add(Opening.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .keySet()
        .removeAll(List.of("XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    // Newer runtimes warn of a temporary directory that is hidden by a mount.
    return output.lines().filter(line -> !line.startsWith("WARNING: ")).toList();
  }

  private String mounted(String options) {
    return "mount -t tmpfs -o " + options + " none " + home;
  }

  @Test
  void anotherDirectoryIsUsed() throws Exception {
    assertThat(opening(mounted("noexec"))).containsExactly("opened", "opened", "as before");
    assertThat(opening(mounted("ro"))).containsExactly("opened", "opened", "as before");
  }

  @Test
  void whereThereIsNoneTheReasonIsGivenEachTime() throws Exception {
    StringBuilder mounts = new StringBuilder(mounted("ro"));
    for (String usual : List.of("/var/tmp", "/dev/shm", "/run", "/tmp")) {
      if (Files.isDirectory(Path.of(usual))) {
        mounts.append("; mount -t tmpfs -o noexec none ").append(usual);
      }
    }
    List<String> lines = opening(mounts.toString());
    assertThat(lines).hasSize(3);
    assertThat(lines.get(1)).isEqualTo(lines.get(0));
    assertThat(lines.get(0))
        .startsWith("system calls are impossible, since JNA cannot unpack its native library: ")
        .contains("/var/tmp is mounted noexec")
        .contains("set XDG_CACHE_HOME, or -Djna.tmpdir=DIRECTORY");
  }
}
