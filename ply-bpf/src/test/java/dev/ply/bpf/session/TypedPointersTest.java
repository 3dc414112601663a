package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.Session;
import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.simulate.Firing;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Casts, addresses, arithmetic with pointers, and the running thread's structure. */
class TypedPointersTest {
  private static final long TASK = 0xffff_8881_0000_0000L;
  private static final long OTHER = 0xffff_8881_0000_1000L;

  private static BtfTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int s64 = btf.integer("long int", 8, true);
    int name = btf.array(btf.integer("char", 1, true), s32, 16);
    int entity = btf.struct("sched_entity", 16, Member.at(0, "weight", s64));
    int task = entity + 2;
    int toTask = btf.pointer(task);
    int written =
        btf.struct(
            "task_struct",
            64,
            Member.at(0, "pid", s32),
            Member.at(4, "tgid", s32),
            new Member("in_execve", s32, 8 * 8, 1),
            Member.at(16, "se", entity),
            Member.at(32, "real_parent", toTask),
            Member.at(40, "comm", name));
    assertThat(written).isEqualTo(task);
    btf.struct("timespec", 16, Member.at(0, "tv_sec", s64), Member.at(8, "tv_nsec", s64));
    int unused = btf.function("bpf_known", 0);
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static ByteBuffer task(int pid, String comm, long parent) {
    ByteBuffer task = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    return task.putInt(0, pid)
        .putInt(4, pid + 1)
        .put(8, (byte) 1)
        .putLong(16, 77)
        .putLong(32, parent)
        .put(40, comm.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void functionsOfTheKernelAreKnownByTheirTypes() {
    assertThat(
            run(
                "kprobe:f { print(kfunc_exist(\"bpf_known\"), kfunc_exist(\"bpf_other\")); }",
                Firing.kprobe("f")))
        .isEqualTo("1, 0\n");
  }

  private static String run(String script, Firing firing) {
    StringBuilder text = new StringBuilder();
    SimulatedTarget target = SimulatedTarget.create().withTypes(types());
    try (SimulatedTracer tracer = SimulatedTracer.create(target);
        Session running = tracer.prepare(PlyScript.parse(script)).printTo(text::append).start()) {
      assertThat(running.end()).isEmpty();
      tracer.fire(
          firing
              .task(TASK)
              .memory(TASK, task(7, "child\0garbage", OTHER).array())
              .memory(OTHER, task(1, "0123456789abcdef", 0).array()));
    }
    return text.toString();
  }

  private static String inKprobe(String statements) {
    return run(
        "kprobe:wake_up { $t = (struct task_struct *)arg0; " + statements + " }",
        Firing.kprobe("wake_up").arg(0, TASK));
  }

  @Test
  void theRunningThreadHasItsType() {
    assertThat(
            inKprobe("printf(\"%d %d\", curtask == arg0, curtask->real_parent->real_parent->pid);"))
        .isEqualTo("1 0");
    assertThat(inKprobe("printf(\"%d %d\", $t->pid, $t->real_parent->tgid);")).isEqualTo("7 2");
  }

  @Test
  void arraysOfCharactersAreStrings() {
    assertThat(inKprobe("printf(\"%s\", $t->comm);")).isEqualTo("child");
    assertThat(inKprobe("printf(\"%s %s\", str($t->comm), str($t->comm, 3));"))
        .isEqualTo("child ch");
    assertThat(inKprobe("printf(\"%s\", str($t->real_parent->comm));"))
        .isEqualTo("0123456789abcde..");
    assertThat(inKprobe("if (str($t->comm) == \"child\") { printf(\"yes\"); }")).isEqualTo("yes");
    assertThat(inKprobe("$s = \"some\"; printf(\"%s\", str($s));")).isEqualTo("some");
  }

  @Test
  void placesHaveAddresses() {
    assertThat(
            inKprobe(
                "$p = &$t->tgid; printf(\"%d %d %d\", *$p, (uint64)$p - arg0,"
                    + " (uint64)&$t->real_parent->comm - (uint64)$t->real_parent);"))
        .isEqualTo("8 4 40");
    assertThat(inKprobe("printf(\"%s %d\", str(&$t->comm[1]), *(&$t->se.weight));"))
        .isEqualTo("hild 77");
    assertThatThrownBy(() -> inKprobe("print(&$t->in_execve);"))
        .hasMessageContaining("a bit-field has no address");
    assertThatThrownBy(() -> inKprobe("print(&pid);")).hasMessageContaining("this has no address");
  }

  @Test
  void pointersMoveByWhatTheyPointTo() {
    assertThat(
            inKprobe(
                "$p = &$t->pid; printf(\"%d %d %d\", *($p + 1), *(1 + $p), $p + 2 - 2 == $p);"))
        .isEqualTo("8 8 1");
    assertThat(
            inKprobe(
                "$p = &$t->pid; $p++; $q = $p; $p -= 1; printf(\"%d %d %d\", *$q, *$p, $t + 1 - 64"
                    + " == 0);"))
        .isEqualTo("8 7 0");
  }

  @Test
  void offsetsLeadBackToStructures() {
    assertThat(
            inKprobe(
                "$e = &$t->se; printf(\"%d %d %d\", offsetof(struct task_struct, comm),"
                    + " offsetof(struct task_struct, se.weight),"
                    + " container_of($e, struct task_struct, se)->pid);"))
        .isEqualTo("40 16 7");
    assertThatThrownBy(() -> inKprobe("print(offsetof(struct task_struct, se.wait));"))
        .hasMessageContaining("struct task_struct has no member \"se.wait\"");
  }
}
