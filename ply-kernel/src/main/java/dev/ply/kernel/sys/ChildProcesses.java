package dev.ply.kernel.sys;

import com.sun.jna.Function;
import dev.ply.kernel.error.KernelException;
import dev.ply.name.Errno;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Child processes by posix_spawn(3), kill(2) and waitpid(2). Unlike {@link ProcessBuilder},
 * arguments and environment are bytes, and a child can inherit a descriptor of a pipe.
 */
public final class ChildProcesses {
  /** The descriptor under which a child inherits the end of a pipe. */
  public static final int INHERITED = 3;

  private static final int OUTPUT = 1;
  private static final int ERRORS = 2;
  private static final int WITHOUT_INPUT = 0;

  private static final int SETPGROUP = 2;
  private static final int SETSIGMASK = 8;

  /** Larger than the structures of posix_spawn in any C library. */
  private static final int STRUCTURE_BYTES = 1024;

  private static final int SIGNAL_BITS = 0x7f;
  private static final int STATUS_BITS = 0xff;
  private static final int SIGNALLED = 128;

  private ChildProcesses() {}

  /**
   * Starts a program that inherits the standard streams, and another descriptor as {@link
   * #INHERITED}. It has no other descriptors and blocks no signals.
   *
   * @param program its path
   * @param ownGroup whether it leads a new process group
   * @return its PID
   */
  public static int spawn(
      String program,
      List<byte[]> arguments,
      List<byte[]> environment,
      FileDescriptor inherited,
      boolean ownGroup) {
    return spawn(
        program, arguments, Optional.of(environment), inherited, Optional.empty(), ownGroup);
  }

  /**
   * Starts a program in a process group of its own, with this process's environment and without
   * input. What it writes, errors included, goes to a descriptor; it inherits another as {@link
   * #INHERITED}.
   *
   * @param program its path
   * @return its PID
   */
  public static int spawnCaptured(
      String program, List<byte[]> arguments, FileDescriptor inherited, FileDescriptor output) {
    return spawn(
        program, arguments, Optional.empty(), inherited, Optional.of(output), /* ownGroup= */ true);
  }

  private static int spawn(
      String program,
      List<byte[]> arguments,
      Optional<List<byte[]>> environment,
      FileDescriptor inherited,
      Optional<FileDescriptor> output,
      boolean ownGroup) {
    NativeMemory actions = NativeMemory.allocate(STRUCTURE_BYTES);
    NativeMemory attributes = NativeMemory.allocate(STRUCTURE_BYTES);
    call(program, "posix_spawn_file_actions_init", actions.address());
    call(program, "posix_spawnattr_init", attributes.address());
    try {
      if (output.isPresent()) {
        addCapture(program, actions, output.get().number());
      }
      addDescriptors(program, actions, inherited.number());
      call(
          program,
          "posix_spawnattr_setflags",
          attributes.address(),
          SETSIGMASK | (ownGroup ? SETPGROUP : 0));
      NativeMemory pid = NativeMemory.allocate(Integer.BYTES);
      NativeMemory path = NativeMemory.ofString(program);
      NativeMemory argv = NativeMemory.ofStrings(arguments);
      NativeMemory envp = NativeMemory.ofStrings(environment.orElse(List.of()));
      try {
        call(
            program,
            "posix_spawn",
            pid.address(),
            path.address(),
            actions.address(),
            attributes.address(),
            argv.address(),
            environment.isPresent() ? envp.address() : LibC.environment());
      } finally {
        for (NativeMemory read : List.of(pid, path, argv, envp)) {
          Reference.reachabilityFence(read);
        }
      }
      return pid.bytes().getInt(0);
    } finally {
      call(program, "posix_spawn_file_actions_destroy", actions.address());
      call(program, "posix_spawnattr_destroy", attributes.address());
    }
  }

  private static void addCapture(String program, NativeMemory actions, int output) {
    NativeMemory nothing = NativeMemory.ofString("/dev/null");
    try {
      call(
          program,
          "posix_spawn_file_actions_addopen",
          actions.address(),
          WITHOUT_INPUT,
          nothing.address(),
          0,
          0);
    } finally {
      Reference.reachabilityFence(nothing);
    }
    call(program, "posix_spawn_file_actions_adddup2", actions.address(), output, OUTPUT);
    call(program, "posix_spawn_file_actions_adddup2", actions.address(), output, ERRORS);
  }

  /** Leaves the child 0 to 2 and {@link #INHERITED}: a JVM's files are not closed on exec. */
  private static void addDescriptors(String program, NativeMemory actions, int inherited) {
    call(program, "posix_spawn_file_actions_adddup2", actions.address(), inherited, INHERITED);
    Function closeFrom;
    try {
      closeFrom = LibC.function("posix_spawn_file_actions_addclosefrom_np");
    } catch (UnsatisfiedLinkError e) {
      // glibc before 2.34, and other C libraries.
      for (int open : openDescriptors()) {
        if (open > INHERITED) {
          call(program, "posix_spawn_file_actions_addclose", actions.address(), open);
        }
      }
      return;
    }
    check(program, closeFrom.invokeInt(new Object[] {actions.address(), INHERITED + 1}));
  }

  private static List<Integer> openDescriptors() {
    List<Integer> open = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      files.forEach(file -> open.add(Integer.parseInt(String.valueOf(file.getFileName()))));
    } catch (IOException e) {
      throw new KernelException(Errno.EIO, "list of /proc/self/fd");
    }
    return open;
  }

  /** Calls a function that returns zero or an errno. */
  private static void call(String program, String function, Object... arguments) {
    check(program, LibC.function(function).invokeInt(arguments));
  }

  private static void check(String program, int error) {
    if (error != 0) {
      throw new KernelException(Errno.of(error), "start of " + program);
    }
  }

  /**
   * Sends a signal, if the target still exists.
   *
   * @param process a PID, or a negated process group ID
   */
  public static void kill(int process, int signal) {
    int unused = LibC.kill(process, signal);
  }

  /** Returns whether a process, or any of a group, still exists. */
  public static boolean exists(int process) {
    return LibC.kill(process, 0) == 0;
  }

  /**
   * Waits for a child to exit.
   *
   * @return its exit status, or 128 and the number of the signal that killed it
   */
  public static int await(int pid) {
    NativeMemory status = NativeMemory.allocate(Integer.BYTES);
    while (LibC.waitpid(pid, status.address(), 0) < 0) {
      Errno errno = LibC.lastError();
      if (errno != Errno.EINTR) {
        throw new KernelException(errno, "waitpid(" + pid + ")");
      }
    }
    int bits = status.bytes().getInt(0);
    int signal = bits & SIGNAL_BITS;
    return signal == 0 ? bits >> Byte.SIZE & STATUS_BITS : SIGNALLED + signal;
  }
}
