package dev.ply.bpf.btf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.btf.BtfBuilder.Member;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Types are written as C does. */
class CTextTest {
  private final BtfBuilder btf = new BtfBuilder();
  private final int word = btf.integer("int", 4, true);
  private final int letter = btf.integer("char", 1, true);

  private BtfTypes types() {
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  @Test
  void aStructureHasItsMembers() {
    int inner = btf.struct("", 8, Member.at(0, "low", word), Member.at(4, "high", word));
    int tag = btf.typedef("pid_t", word);
    int unused =
        btf.struct(
            "task",
            40,
            Member.at(0, "pid", tag),
            Member.at(4, "comm", btf.array(letter, word, 16)),
            Member.at(20, "", inner),
            Member.at(32, "name", btf.pointer(btf.constant(letter))));
    assertThat(types().definition("struct task"))
        .contains(
            """
            struct task {
            \tpid_t pid;
            \tchar comm[16];
            \tstruct {
            \t\tint low;
            \t\tint high;
            \t};
            \tconst char *name;
            };
            """);
  }

  @Test
  void anEnumerationHasItsNumbers() {
    int unused = btf.enumeration("state", 4, true, "RUNNING", 0, "DEAD", -1);
    assertThat(types().definition("enum state"))
        .contains("enum state {\n\tRUNNING = 0,\n\tDEAD = -1,\n};\n");
  }

  @Test
  void whatIsNotThereIsNot() {
    assertThat(types().definition("struct task")).isEmpty();
    assertThat(types().definition("struct ")).isEmpty();
    assertThat(types().definition("int")).isEmpty();
  }

  @Test
  void allAreListed() {
    int unused = btf.struct("b", 4, Member.at(0, "x", word));
    int unused1 = btf.union("a", 4, Member.at(0, "x", word));
    assertThat(types().definitions()).containsExactly("struct b", "union a");
  }

  @Test
  void aFunctionsParametersAndResultAreDeclared() {
    int file = btf.struct("file", 4, Member.at(0, "x", word));
    int unused = btf.function("read", word, "file", btf.pointer(file), "count", word);
    BtfTypes types = types();
    assertThat(types.declarations(types.function("read").orElseThrow()))
        .containsExactly("struct file * file", "int count", "int");
  }
}
