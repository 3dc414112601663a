package dev.ply.bpf.btf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.target.KernelTypes;
import dev.ply.type.AddressSpace;
import dev.ply.type.Enumerators;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BtfTypesTest {
  private static byte[] sample(ByteOrder order) {
    BtfBuilder btf = new BtfBuilder();
    int s32 = btf.integer("int", 4, true);
    int u64 = btf.integer("long unsigned int", 8, false);
    int character = btf.integer("char", 1, true);
    int size = btf.typedef("size_t", u64);
    int text = btf.array(character, s32, 16);
    int inner = btf.union("", 8, Member.at(0, "whole", u64), Member.at(4, "upper", s32));
    int flags =
        btf.struct(
            "flags",
            16,
            new Member("low", s32, 0, 3),
            new Member("high", s32, 3, 7),
            new Member("after", u64, 64, 0));
    int inode =
        btf.struct(
            "inode",
            64,
            Member.at(0, "i_ino", u64),
            Member.at(8, "", inner),
            Member.at(16, "name", text),
            Member.at(32, "flags", flags));
    int unused3 = btf.union("attributes", 8, Member.at(0, "kind", s32), Member.at(0, "size", u64));
    int file = btf.struct("file", 8, Member.at(0, "f_inode", btf.pointer(btf.constant(inode))));
    int unused0 = btf.rawTracepoint("sched_switch", btf.pointer(file), u64);
    int unused = btf.function("vfs_read", size, "file", btf.pointer(file), "count", size);
    int unused2 = btf.function("printk", s32, "fmt", btf.pointer(character), "", 0);
    int unused4 =
        btf.function(
            "stop", 0, "handler", btf.pointer(btf.pointer(s32)), "how", btf.enumeration("how", 4));
    return btf.build(order);
  }

  static List<KernelTypes> types() {
    return List.of(
        BtfTypes.parse(sample(ByteOrder.LITTLE_ENDIAN)),
        BtfTypes.parse(sample(ByteOrder.BIG_ENDIAN)));
  }

  private static KernelStruct struct(KernelTypes types, String tag) {
    return types.struct(tag).orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("types")
  void functionsHaveParametersAndAResult(KernelTypes types) {
    KernelTypes.Function read = types.function("vfs_read").orElseThrow();
    assertThat(read.parameters())
        .containsExactly(
            new KernelTypes.Parameter(
                "file", new PointerType(struct(types, "file"), AddressSpace.KERNEL)),
            new KernelTypes.Parameter("count", IntType.U64));
    assertThat(read.result()).isEqualTo(IntType.U64);
    assertThat(read.isVariadic()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("types")
  void rawTracepointsHaveTypesOfTheirOwn(KernelTypes types) {
    TypedFunction probe = VerifierTypes.of(types).typedProbe("sched_switch").orElseThrow();
    assertThat(probe.signature().parameters())
        .extracting(KernelTypes.Parameter::type)
        .containsExactly(new PointerType(struct(types, "file"), AddressSpace.KERNEL), IntType.U64);
    assertThat(probe.words())
        .startsWith(new TypedLoad.ObjectPointer(struct(types, "file"), TypedLoad.Mark.NONE));
    assertThat(types.rawTracepointProbe("sched_swich")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("types")
  void functionsMayTakeMoreThanTheySay(KernelTypes types) {
    KernelTypes.Function printk = types.function("printk").orElseThrow();
    assertThat(printk.isVariadic()).isTrue();
    assertThat(printk.parameters()).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("types")
  void whatIsNotANumberOrStructureIsSomewhere(KernelTypes types) {
    KernelTypes.Function stop = types.function("stop").orElseThrow();
    assertThat(stop.result()).isEqualTo(new VoidType());
    assertThat(stop.parameters())
        .extracting(KernelTypes.Parameter::type)
        .containsExactly(
            new PointerType(new PointerType(IntType.S32, AddressSpace.KERNEL), AddressSpace.KERNEL),
            IntType.U32.named(new Enumerators("how", Map.of())));
  }

  @ParameterizedTest
  @MethodSource("types")
  void namesAreWholeNames(KernelTypes types) {
    assertThat(types.function("vfs_rea")).isEmpty();
    assertThat(types.function("fs_read")).isEmpty();
    assertThat(types.function("file")).isEmpty();
    assertThat(types.struct("vfs_read")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("types")
  void membersHaveOffsetsAndTypes(KernelTypes types) {
    KernelTypes.Member inode = types.member(struct(types, "file"), "f_inode").orElseThrow();
    assertThat(inode.type())
        .isEqualTo(new PointerType(struct(types, "inode"), AddressSpace.KERNEL));
    KernelTypes.Member name = types.member(struct(types, "inode"), "name").orElseThrow();
    assertThat(name.type()).isEqualTo(ArrayType.chars(16));
    assertThat(name.offset()).isEqualTo(16);
    assertThat(types.member(struct(types, "inode"), "nam")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("types")
  void membersOfUnnamedMembersAreTheStructures(KernelTypes types) {
    KernelTypes.Member upper = types.member(struct(types, "inode"), "upper").orElseThrow();
    assertThat(upper.offset()).isEqualTo(12);
    assertThat(types.memberNames(struct(types, "inode")))
        .containsExactly("i_ino", "whole", "upper", "name", "flags");
  }

  @ParameterizedTest
  @MethodSource("types")
  void unionsHaveTags(KernelTypes types) {
    KernelTypes.Member kind = types.member(struct(types, "attributes"), "kind").orElseThrow();
    assertThat(kind.offset()).isZero();
    assertThat(kind.type()).isEqualTo(IntType.S32);
  }

  @ParameterizedTest
  @MethodSource("types")
  void bitFieldsShareBytes(KernelTypes types) {
    KernelStruct flags = struct(types, "flags");
    assertThat(types.member(flags, "high").orElseThrow())
        .isEqualTo(new KernelTypes.Member("high", IntType.S32, 0, 7, 3));
    assertThat(types.member(flags, "after").orElseThrow().offset()).isEqualTo(8);
    assertThat(types.member(flags, "after").orElseThrow().isBitField()).isFalse();
  }

  @Test
  void whatIsNoBtfIsRefused() {
    byte[] sample = sample(ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> BtfTypes.parse(new byte[100]))
        .isInstanceOf(MalformedBtfException.class)
        .hasMessage("no BTF: it does not begin with 0xeb9f");
    assertThatThrownBy(() -> BtfTypes.parse(Arrays.copyOf(sample, sample.length / 2)))
        .isInstanceOf(MalformedBtfException.class)
        .hasMessage("BTF that ends before its sections do");
  }
}
