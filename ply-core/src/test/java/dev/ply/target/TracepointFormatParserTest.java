package dev.ply.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ply.ir.TypeName;
import dev.ply.type.AddressSpace;
import dev.ply.type.IntFormat;
import dev.ply.type.Signedness;
import dev.ply.type.Type;
import dev.ply.type.Type.ArrayType;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.PointerType;
import dev.ply.type.Type.VoidType;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TracepointFormatParserTest {
  private static final String CHDIR =
      """
      name: sys_enter_chdir
      ID: 812
      format:
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
      \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
      \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
      \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

      \tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;
      \tfield:const char * filename;\toffset:16;\tsize:8;\tsigned:0;

      print fmt: "filename: 0x%08lx", ((unsigned long)(REC->filename))
      """;

  @Test
  void aFormatHasItsNameNumberAndFields() {
    TracepointFormat format = TracepointFormatParser.parse("syscalls", CHDIR);
    assertThat(format.category()).isEqualTo("syscalls");
    assertThat(format.event()).isEqualTo("sys_enter_chdir");
    assertThat(format.id()).isEqualTo(812);
    assertThat(format.size()).isEqualTo(24);
    assertThat(format.fields())
        .containsExactly(
            new TracepointFormat.Field("common_type", IntType.U16, 0),
            new TracepointFormat.Field("common_flags", IntType.U8, 2),
            new TracepointFormat.Field("common_preempt_count", IntType.U8, 3),
            new TracepointFormat.Field("common_pid", IntType.S32, 4),
            new TracepointFormat.Field("__syscall_nr", IntType.S32, 8),
            new TracepointFormat.Field(
                "filename", new PointerType(new VoidType(), AddressSpace.USER), 16));
  }

  @Test
  void pointersOfOtherEventsAreTheKernels() {
    assertThat(typeOf("kmem", "const void * ptr", 8, 0))
        .isEqualTo(new PointerType(new VoidType(), AddressSpace.KERNEL));
  }

  @ParameterizedTest
  @CsvSource({
    "__data_loc char[] filename,4,1",
    "__data_loc __u8[] data,4,0",
    "__data_loc cpumask_t cpumask,4,0"
  })
  void dataLocationsAreMarked(String declaration, int size, int signed) {
    assertThat(typeOf("sched", declaration, size, signed))
        .isEqualTo(new IntType(4, Signedness.UNSIGNED, IntFormat.DATA_LOCATION));
  }

  @ParameterizedTest
  @CsvSource({
    "int dfd,8,0,s32",
    "unsigned int fd,8,0,u32",
    "size_t count,8,0,u64",
    "umode_t mode,8,0,u64",
    "pid_t pid,4,1,s32",
    "dev_t dev,4,0,u32",
    "bool success,1,0,u8",
    "char mode,1,1,s8",
    "const char  mode,1,0,s8",
    "unsigned long ip,8,0,u64",
    "long ret,8,1,s64",
    "unsigned long ip,4,0,u32",
    "enum zone_type idx,4,0,u32",
    "__rel_loc char[] name,4,0,u32",
    "void * ip,4,0,u32"
  })
  void integersCountByNameOrElseBySizeAndSign(
      String declaration, int size, int signed, String name) {
    Type type = typeOf("some", declaration, size, signed);
    assertThat(type).isInstanceOf(IntType.class);
    assertThat(type.name()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "char comm[16],16,0,char[16]",
    "char comm[TASK_COMM_LEN],16,1,char[16]",
    "unsigned long args[6],48,0,u64[6]",
    "unsigned char mac[ETH_ALEN],6,0,u8[6]",
    "__u8 saddr[4],4,0,u8[4]",
    "u32 seq[SOME_LENGTH],12,0,u32[3]",
    "pid_t pids[2],8,1,s32[2]",
    "struct pair pairs[2],24,0,u8[24]",
    "struct in6_addr address,16,0,u8[16]"
  })
  void arraysHaveTheirElements(String declaration, int size, int signed, String name) {
    assertThat(typeOf("some", declaration, size, signed)).isInstanceOf(ArrayType.class);
    assertThat(typeOf("some", declaration, size, signed).name()).isEqualTo(name);
  }

  @Test
  void pointersToStructuresAndPointersSayToWhatAndEnumerationsWhich() {
    assertThat(targetOf("const struct __kernel_timespec * rqtp"))
        .contains(new TypeName("struct __kernel_timespec", 0));
    assertThat(targetOf("const char *const * argv")).contains(new TypeName("char", 1));
    assertThat(targetOf("struct iocb * * iocbpp")).contains(new TypeName("struct iocb", 1));
    assertThat(targetOf("union bpf_attr * uattr")).contains(new TypeName("union bpf_attr", 0));
    assertThat(targetOf("const char * filename")).isEmpty();
    assertThat(targetOf("struct sockaddr addr")).isEmpty();
    assertThat(field("skb", "enum skb_drop_reason reason", 4, 0).declared())
        .contains(new TypeName("enum skb_drop_reason", 0));
  }

  private static Optional<TypeName> targetOf(String declaration) {
    return field("syscalls", declaration, 8, 0).declared();
  }

  @Test
  void linesMayBeLong() {
    String declaration = "struct " + "x".repeat(5000) + " * item";
    assertThat(typeOf("some", declaration, 8, 0)).isInstanceOf(PointerType.class);
  }

  @Test
  void whatIsNotUnderstoodIsQuoted() {
    assertThatThrownBy(
            () ->
                TracepointFormatParser.parse(
                    "some", "name: event\nID: 1\nformat:\n\tfield:int x;\toffset:a;\tsize:4;\n"))
        .isInstanceOf(UnreadableTargetException.class)
        .hasMessageContaining("tracepoint some:event")
        .hasMessageContaining("field:int x;");
    assertThatThrownBy(() -> TracepointFormatParser.parse("some", ""))
        .isInstanceOf(UnreadableTargetException.class)
        .hasMessageContaining("\"some\" has no name:");
  }

  private static Type typeOf(String category, String declaration, int size, int signed) {
    return field(category, declaration, size, signed).type();
  }

  private static TracepointFormat.Field field(
      String category, String declaration, int size, int signed) {
    String text =
        String.format(
            "name: event\nID: 7\nformat:\n\tfield:%s;\toffset:8;\tsize:%d;\tsigned:%d;\n",
            declaration, size, signed);
    return TracepointFormatParser.parse(category, text).fields().get(0);
  }
}
