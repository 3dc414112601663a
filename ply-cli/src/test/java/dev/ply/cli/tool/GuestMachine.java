package dev.ply.cli.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.kernel.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** An emulated machine, on which a test may use up disks, memory and CPUs, and trace everything. */
final class GuestMachine {
  private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

  private GuestMachine() {}

  /** Skips a test where others work, too, or that needs what this kernel has not. */
  static void assume() {
    Live.assumeTracing();
    assumeTrue(System.getProperty("ply.guest") != null, "what others do is traced in guests only");
  }

  /** Runs commands of a shell, which succeed. */
  static void run(String script) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-e", "-c", script).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(script + "\n" + output).isZero();
  }

  /** A disk. */
  record Disk(Path device, int major, int minor) {
    /**
     * Returns the disk of a guest that is called that: {@code slow}, whose requests take 20 ms
     * each, or {@code plain}, of 96 MiB.
     */
    static Disk named(String name) throws IOException {
      Optional<Path> controller = Optional.empty();
      if (Files.isDirectory(Path.of("/sys/class/nvme"))) {
        try (Stream<Path> all = Files.list(Path.of("/sys/class/nvme"))) {
          controller = all.filter(one -> hasSerial(one, name)).findFirst();
        }
      }
      assumeTrue(controller.isPresent(), "this guest has no disk \"" + name + "\"");
      String device = controller.get().getFileName() + "n1";
      String[] numbers =
          Files.readString(Path.of("/sys/class/block", device, "dev")).strip().split(":", -1);
      return new Disk(
          Path.of("/dev", device), Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    private static boolean hasSerial(Path controller, String name) {
      try {
        return Files.readString(controller.resolve("serial")).strip().equals(name);
      } catch (IOException e) {
        return false;
      }
    }

    /** Returns a command that reads blocks past the page cache. */
    String reads(int blocks) {
      return "dd if="
          + device
          + " of=/dev/null bs=4096 count="
          + blocks
          + " iflag=direct status=none";
    }
  }

  /** Returns a new cgroup of all controllers, with a limit such as {@code cpu.max}. */
  static Path cgroup(String name, String file, String limit) throws IOException {
    Files.writeString(CGROUPS.resolve("cgroup.subtree_control"), "+cpu +memory +io");
    Path cgroup = Files.createDirectories(CGROUPS.resolve(name));
    Files.writeString(cgroup.resolve(file), limit);
    return cgroup;
  }

  /** Returns commands that are run in a cgroup. */
  static String in(Path cgroup, String command) {
    return "echo $$ >" + cgroup + "/cgroup.procs; " + command;
  }
}
