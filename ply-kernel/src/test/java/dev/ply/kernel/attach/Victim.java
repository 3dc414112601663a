package dev.ply.kernel.attach;

import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.MapType;
import dev.ply.bpf.object.ProgramType;
import dev.ply.kernel.JavaProcess;
import dev.ply.kernel.Live;
import dev.ply.kernel.load.LoadedMap;
import dev.ply.kernel.load.LoadedProgram;
import dev.ply.kernel.tracefs.Tracefs;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that attaches kprobes until it is killed: to the functions it is given, by the kernel's
 * unit for kprobes or by way of tracefs. It writes a line for each.
 */
final class Victim {
  private static final BpfMap COUNTER = new BpfMap("counter", MapType.ARRAY, 4, 8, 1);

  private Victim() {}

  /** Attaches to {@code arguments[1]} and so on; {@code arguments[0]} says how. */
  public static void main(String... arguments) throws InterruptedException {
    Attacher attacher =
        arguments[0].equals("tracefs")
            ? Attacher.byTracefs(Tracefs::open)
            : new Attacher(Tracefs::open);
    LoadedMap counter = LoadedMap.create(COUNTER);
    LoadedProgram program = LoadedProgram.load("count", ProgramType.KPROBE, Live.countOwn(counter));
    List<Attachment> attached = new ArrayList<>();
    for (int i = 1; i < arguments.length; i++) {
      Attachment attachment = attacher.attach(Probes.entry(arguments[i]), program);
      attachment.enable();
      attached.add(attachment);
      System.out.println(attachment.description());
    }
    System.out.println("attached " + attached.size());
    Thread.currentThread().join();
  }

  /** Starts one; both its outputs are one stream. */
  static Process start(List<String> arguments) throws java.io.IOException {
    List<String> command = JavaProcess.command(Victim.class);
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
