package dev.ply.bpf.btf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.bpf.btf.TypedLoad.Mark;
import dev.ply.bpf.btf.TypedLoad.ObjectPointer;
import dev.ply.type.Type.KernelStruct;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StructWalkTest {
  private static final TypedLoad NUMBER = new TypedLoad.PlainNumber();

  private final BtfTypes types = BtfTypes.parse(content());

  private static byte[] content() {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int u64 = btf.integer("long unsigned int", 8, false);
    int wide = btf.integer("__int128", 16, true);
    int character = btf.integer("char", 1, true);
    int mm = btf.struct("mm", 16, Member.at(0, "users", s32), Member.at(8, "total", u64));
    int toMm = btf.pointer(mm);
    int either = btf.union("", 8, Member.at(0, "number", u64), Member.at(0, "mm", toMm));
    int orElse = btf.union("", 8, Member.at(0, "other", toMm), Member.at(0, "count", s32));
    int task =
        btf.struct(
            "task",
            128,
            Member.at(0, "pid", s32),
            Member.at(8, "mm", toMm),
            Member.at(16, "name", btf.array(character, s32, 16)),
            Member.at(32, "inner", mm),
            Member.at(48, "many", btf.array(btf.array(mm, s32, 2), s32, 1)),
            Member.at(80, "", either),
            Member.at(88, "", orElse),
            Member.at(96, "text", btf.pointer(character)),
            Member.at(104, "address", btf.pointer(btf.tag("user", mm))),
            Member.at(112, "parent", btf.pointer(btf.tag("rcu", mm))),
            Member.at(120, "listed", toMm));
    btf.struct("task__safe_rcu", 8, Member.at(0, "listed", toMm));
    btf.struct(
        "bits",
        8,
        new BtfBuilder.Member("low", s32, 0, 3),
        new BtfBuilder.Member("high", s32, 3, 7),
        new BtfBuilder.Member("whole", s32, 32, 0));
    int parts =
        btf.struct("", 4, Member.at(0, "blocked", character), Member.at(1, "need", character));
    int special = btf.union("", 4, Member.at(0, "b", parts), Member.at(0, "s", s32));
    btf.struct("special", 4, Member.at(0, "unlock", special));
    btf.struct("numbers", 4, Member.at(0, "n", s32), Member.at(4, "tail", btf.array(s32, s32, 0)));
    int named = btf.typedef("mm_t", mm);
    btf.struct("queues", 32, Member.at(0, "all", btf.array(named, s32, 2)));
    btf.struct("open", 4, Member.at(0, "n", s32), Member.at(4, "tail", btf.array(mm, s32, 0)));
    int unused =
        btf.function(
            "f",
            btf.pointer(0),
            "task",
            btf.pointer(task),
            "maybe__nullable",
            toMm,
            "number",
            btf.pointer(s32),
            "where",
            btf.pointer(toMm),
            "both",
            mm,
            "wide",
            wide);
    return btf.build(ByteOrder.LITTLE_ENDIAN);
  }

  private TypedLoad load(String struct, long offset, int size) {
    return types.load(types.struct(struct).orElseThrow(), offset, size);
  }

  private TypedLoad mm(Mark mark) {
    return new ObjectPointer(types.struct("mm").orElseThrow(), mark);
  }

  private static TypedLoad refused(String reason) {
    return new TypedLoad.Refused(reason);
  }

  @Test
  void membersAreWhatTheyAre() {
    assertThat(load("task", 0, 4)).isEqualTo(NUMBER);
    assertThat(load("task", 8, 8)).isEqualTo(mm(Mark.NONE));
    assertThat(load("task", 32 + 8, 8)).isEqualTo(NUMBER);
    assertThat(load("task", 48 + 16, 4)).isEqualTo(NUMBER);
    assertThat(load("task", 96, 8)).isEqualTo(new TypedLoad.OtherPointer());
  }

  @Test
  void partsOfNumbersAndSeveralElementsOfAnArrayAreNumbers() {
    assertThat(load("task", 2, 2)).isEqualTo(NUMBER);
    assertThat(load("task", 20, 8)).isEqualTo(NUMBER);
    assertThat(load("task", 0, 8))
        .isEqualTo(
            refused(
                "8 bytes at offset 0 of struct task reach beyond its member \"pid\", which ends at 4"));
    assertThat(load("task", 28, 8))
        .isEqualTo(
            refused(
                "8 bytes at offset 28 of struct task reach beyond its member \"name\", which ends at 32"));
  }

  @Test
  void addressesAreLoadedWhole() {
    assertThat(load("task", 8, 4))
        .isEqualTo(
            refused("4 bytes at offset 8 of struct task are not all of the address \"mm\" at 8"));
    assertThat(load("task", 12, 4))
        .isEqualTo(
            refused("4 bytes at offset 12 of struct task are not all of the address \"mm\" at 8"));
  }

  @Test
  void holesAndWhatIsOutsideAreNoMembers() {
    assertThat(load("task", 4, 4))
        .isEqualTo(refused("4 bytes at offset 4 of struct task belong to no member"));
    assertThat(load("task", 32 + 4, 1))
        .isEqualTo(refused("1 byte at offset 4 of struct mm belong to no member"));
    assertThat(load("task", 124, 8))
        .isEqualTo(refused("8 bytes at offset 124 are outside struct task, which has 128 bytes"));
  }

  @Test
  void inAUnionTheFirstMemberDecides() {
    assertThat(load("task", 80, 8)).isEqualTo(NUMBER);
    assertThat(load("task", 88, 8)).isEqualTo(mm(Mark.IN_UNION));
    assertThat(load("task", 88, 4)).isInstanceOf(TypedLoad.Refused.class);
  }

  @Test
  void olderKernelsLetLessBeLoaded(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("vmlinux"), content());
    BtfTypes older = BtfTypes.open(file, BtfTypes.Loads.STRICT);
    KernelStruct union = older.struct("special").orElseThrow();
    assertThat(load("special", 0, 4)).isEqualTo(NUMBER);
    assertThat(older.load(union, 0, 1)).isEqualTo(NUMBER);
    assertThat(older.load(union, 0, 4)).isInstanceOf(TypedLoad.Refused.class);
    KernelStruct queues = older.struct("queues").orElseThrow();
    assertThat(load("queues", 16 + 8, 8)).isEqualTo(NUMBER);
    assertThat(older.load(queues, 16 + 8, 8)).isInstanceOf(TypedLoad.Refused.class);
    KernelStruct numbers = older.struct("numbers").orElseThrow();
    assertThat(load("numbers", 4 + 4 * 9, 4)).isEqualTo(NUMBER);
    assertThat(older.load(numbers, 4 + 4 * 9, 4)).isInstanceOf(TypedLoad.Refused.class);
  }

  @Test
  void whatTypesSayOfAddressesGoesWithThem() {
    assertThat(load("task", 104, 8)).isEqualTo(mm(Mark.USER));
    assertThat(load("task", 112, 8)).isEqualTo(mm(Mark.RCU));
    assertThat(load("task", 120, 8)).isEqualTo(mm(Mark.SAFE_RCU));
  }

  @Test
  void bitsAreLoadedWithAllTheirBytes() {
    assertThat(load("bits", 0, 1)).isEqualTo(NUMBER);
    assertThat(load("bits", 0, 4)).isEqualTo(NUMBER);
    assertThat(load("bits", 1, 1)).isInstanceOf(TypedLoad.Refused.class);
  }

  @Test
  void anArrayWithoutALengthGoesOnBehindTheEnd() {
    assertThat(load("open", 4 + 16 * 100 + 8, 8)).isEqualTo(NUMBER);
    assertThat(load("open", 4 + 16 * 100 + 4, 4)).isInstanceOf(TypedLoad.Refused.class);
  }

  @Test
  void aFunctionIsHandedWords() {
    List<TypedLoad> words = types.typedFunction("f").orElseThrow().words();
    assertThat(words)
        .containsExactly(
            new ObjectPointer(types.struct("task").orElseThrow(), Mark.NONE),
            mm(Mark.NULLABLE),
            new TypedLoad.PlainAddress(),
            refused("a pointer to neither a structure nor a number"),
            NUMBER,
            NUMBER,
            refused("a number of more than 8 bytes"),
            new TypedLoad.PlainAddress());
  }
}
