package dev.ply.bpf.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.Session;
import dev.ply.bpf.btf.BtfBuilder;
import dev.ply.bpf.btf.BtfTypes;
import dev.ply.bpf.simulate.SimulatedTarget;
import dev.ply.bpf.simulate.SimulatedTracer;
import dev.ply.lang.PlyScript;
import dev.ply.table.TableSchema;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.KernelTypes;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether the units of maps are those of what scripts store in them. */
class MapUnitsTest {
  private static final String WRITEBACK =
      """
      name: writeback_start
      ID: 900
      format:
      \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
      \tfield:long nr_pages;\toffset:8;\tsize:8;\tsigned:1;
      \tfield:size_t bytes_req;\toffset:16;\tsize:8;\tsigned:0;
      \tfield:unsigned int bytes_per_page;\toffset:24;\tsize:4;\tsigned:0;
      \tfield:unsigned long nr_huge_pages;\toffset:32;\tsize:8;\tsigned:0;
      \tfield:size_t len;\toffset:40;\tsize:8;\tsigned:0;
      \tfield:size_t count;\toffset:48;\tsize:8;\tsigned:0;
      \tfield:unsigned int len2;\toffset:56;\tsize:4;\tsigned:0;
      \tfield:unsigned char has_pages;\toffset:60;\tsize:1;\tsigned:0;

      print fmt: "x"
      """;

  private static KernelTypes types() {
    BtfBuilder btf = new BtfBuilder();
    int s64 = btf.integer("long int", 8, true);
    int u64 = btf.integer("long unsigned int", 8, false);
    int size = btf.typedef("size_t", u64);
    int mapping =
        btf.struct(
            "mapping",
            16,
            BtfBuilder.Member.at(0, "nrpages", u64),
            BtfBuilder.Member.at(8, "host", u64));
    int unused =
        btf.function(
            "vfs_read",
            btf.typedef("ssize_t", s64),
            "mapping",
            btf.pointer(mapping),
            "count",
            size,
            "pos",
            u64);
    int unused1 = btf.function("vfs_fsync", s64, "count", size, "len", size, "bytes", u64);
    return BtfTypes.parse(btf.build(ByteOrder.LITTLE_ENDIAN));
  }

  private static List<TableSchema> schemas(String script) {
    SimulatedTarget target =
        SimulatedTarget.create().withTypes(types()).withTracepoint("writeback", WRITEBACK);
    try (SimulatedTracer tracer = SimulatedTracer.create(target);
        Session session = tracer.start(PlyScript.parse(script))) {
      return session.schemas();
    }
  }

  private static Unit unit(String script) {
    List<TableSchema> all = schemas(script);
    return all.get(all.size() - 1).unit();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      textBlock =
          """
          BEGIN { @ = count(); }                                                 # CALLS
          BEGIN { @c = count(); @ = @c; }                                        # CALLS
          BEGIN { @ = nsecs; }                                                   # NANOSECONDS
          BEGIN { @ = nsecs(tai); }                                              # NANOSECONDS
          BEGIN { @ = elapsed; }                                                 # NANOSECONDS
          BEGIN { @ = time; }                                                    # NANOSECONDS
          BEGIN { @ = max(nsecs); }                                              # NANOSECONDS
          BEGIN { @s[tid] = nsecs; @ = quantize(nsecs - @s[tid]); }              # NANOSECONDS
          BEGIN { $s = nsecs; @ = sum(nsecs - $s); }                             # NANOSECONDS
          BEGIN { $s = nsecs; $t = $s; @ = nsecs - $t - 5; }                     # NANOSECONDS
          BEGIN { @s[tid] = nsecs; for ($e : @s) { @ = sum(nsecs - $e.1); } }    # NANOSECONDS
          BEGIN { @s[nsecs] = 1; for ($e : @s) { @ = sum($e.0); } }              # NANOSECONDS
          BEGIN { @s[nsecs, 1] = 1; for ($e : @s) { @ = sum($e.0.0); } }         # NANOSECONDS
          BEGIN { @s[nsecs, 1] = 1; for ($e : @s) { @ = sum($e.0.1); } }         # NONE
          BEGIN { @ = 0; @ = nsecs; }                                            # NANOSECONDS
          BEGIN { @ += nsecs; @++; @ -= 10; }                                    # NANOSECONDS
          BEGIN { @ = pid ? nsecs : 0; }                                         # NANOSECONDS
          BEGIN { @ = (uint32)nsecs; }                                           # NANOSECONDS
          BEGIN { @ = nsecs % 1000000000; }                                      # NANOSECONDS
          BEGIN { @s = nsecs; @ = (nsecs - @s) / 1000; }                         # NONE
          BEGIN { @ = nsecs * 2; }                                               # NONE
          BEGIN { @ = nsecs >> 10; }                                             # NONE
          BEGIN { @ = nsecs & 15; }                                              # NONE
          BEGIN { @ = nsecs > 10; }                                              # NONE
          BEGIN { @ = !nsecs; }                                                  # NONE
          BEGIN { @ = (uint8)nsecs; }                                            # NONE
          BEGIN { @ = nsecs; @ = pid; }                                          # NONE
          BEGIN { @ = nsecs; @ = 5; }                                            # NONE
          BEGIN { @ = nsecs; @ *= 2; }                                           # NONE
          BEGIN { @ = pid ? nsecs : 7; }                                         # NONE
          BEGIN { $s = nsecs; $s = pid; @ = $s; }                                # NONE
          BEGIN { @s = sizeof(int32); @ = nsecs - @s; }                          # NONE
          BEGIN { @ = sum(1); }                                                  # NONE
          BEGIN { @++; }                                                         # NONE
          BEGIN { @ = comm; }                                                    # NONE
          BEGIN { @ = (nsecs, 1); }                                              # NONE
          BEGIN { @ = sum(sizeof(int64)); }                                      # BYTES
          BEGIN { @ = lhist(strlen(comm), 0, 16, 1); }                           # BYTES
          tracepoint:syscalls:sys_exit_read { @[comm] = sum(args.ret); }         # BYTES
          tracepoint:syscalls:sys_exit_read { @ = quantize(data->ret); }         # BYTES
          tracepoint:syscalls:sys_enter_read { @ = quantize(args.count); }       # BYTES
          tracepoint:syscalls:sys_enter_write { @w[tid] = args.count; } tracepoint:syscalls:sys_exit_read { @ = @w[tid] - args.ret; } # BYTES
          tracepoint:syscalls:sys_enter_read { @ = quantize(args.fd); }          # NONE
          tracepoint:syscalls:sys_enter_openat { @ = max(args.flags); }          # NONE
          tracepoint:raw_syscalls:sys_exit { @ = max(args.ret); }                # NONE
          tracepoint:syscalls:sys_exit_read { @ = sum(args.ret / 4096); }        # NONE
          tracepoint:writeback:writeback_start { @ = sum(args.nr_pages); }       # PAGES
          tracepoint:writeback:writeback_start { @ = sum(args.nr_pages * 4096); } # NONE
          tracepoint:writeback:writeback_start { @ = sum(args.nr_pages + args.bytes_req); } # NONE
          tracepoint:writeback:writeback_start { @ = sum(args.bytes_req); }      # BYTES
          tracepoint:writeback:writeback_start { @ = sum(args.len); }            # BYTES
          tracepoint:writeback:writeback_start { @ = sum(args.len2); }           # NONE
          tracepoint:writeback:writeback_start { @ = sum(args.count); }          # NONE
          tracepoint:writeback:writeback_start { @ = sum(args.bytes_per_page); } # NONE
          tracepoint:writeback:writeback_start { @ = sum(args.nr_huge_pages); }  # NONE
          tracepoint:writeback:writeback_start { @ = sum(args.has_pages); }      # NONE
          kretprobe:vfs_read { @ = sum(retval); }                                # BYTES
          kretprobe:vfs_fsync { @ = sum(retval); }                               # NONE
          kretprobe:vfs_open { @ = sum(retval); }                                # NONE
          kretprobe:vfs_read, kretprobe:vfs_fsync { @ = sum(retval); }           # NONE
          kprobe:vfs_read { @ = sum(arg1); }                                     # NONE
          fentry:vfs_read { @ = sum(args.count); }                               # BYTES
          fentry:vfs_read { @ = sum(arg1); }                                     # BYTES
          fentry:vfs_read { @ = sum(args.pos); }                                 # NONE
          fentry:vfs_read { @ = sum(args.mapping->nrpages); }                    # PAGES
          fentry:vfs_read { @ = sum(args.mapping->host); }                       # NONE
          fentry:vfs_fsync { @ = sum(args.count); }                              # NONE
          fentry:vfs_fsync { @ = sum(args.len); }                                # BYTES
          fentry:vfs_fsync { @ = sum(args.bytes); }                              # BYTES
          fexit:vfs_read { @ = sum(retval); }                                    # BYTES
          fexit:vfs_fsync { @ = sum(retval); }                                   # NONE
          """)
  void unitsFollowTheExpression(String script, Unit expected) {
    assertThat(unit(script)).isEqualTo(expected);
  }

  @Test
  void keysHaveUnits() {
    assertThat(
            schemas("tracepoint:syscalls:sys_exit_read { @[nsecs, args.ret, pid] = count(); }")
                .get(0)
                .keys())
        .extracting(TableSchema.Column::unit)
        .containsExactly(Unit.NANOSECONDS, Unit.BYTES, Unit.NONE);
  }
}
