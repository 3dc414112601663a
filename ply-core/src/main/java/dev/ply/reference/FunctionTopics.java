package dev.ply.reference;

import static dev.ply.reference.Topic.Kind.AGGREGATION;
import static dev.ply.reference.Topic.Kind.FUNCTION;

import com.google.common.collect.ImmutableList;
import dev.ply.target.KernelVersion;
import java.util.List;

/** What a script can do with values. */
final class FunctionTopics {
  private static final KernelVersion OLDEST = new KernelVersion(5, 10, 0);

  static final ImmutableList<Topic> ALL =
      ImmutableList.of(
          new Topic(
              FUNCTION,
              List.of("str"),
              List.of("str(address)", "str(address, size)"),
              "text",
              """
              The string at an address, up to its NUL. It takes at most size bytes with the NUL:
              128, or 1 to 512. Empty where the address cannot be read. Kernel memory is read, but
              user memory for addresses known to be there: uptr(address), and the pointers in the
              records of system calls.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_enter_openat { print(comm, str(data->filename)); }
              """),
          new Topic(
              FUNCTION,
              List.of("mem"),
              List.of("mem(address)", "mem(address, size)"),
              "bytes",
              """
              The size bytes at an address, 128 or 1 to 512; zeroes where they cannot be read.
              Prints as text if it is a string with nothing but NULs after its end, else as a dump.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_enter_write { print(mem(data->buf, 16)); }
              """),
          new Topic(
              FUNCTION,
              List.of("uptr"),
              List.of("uptr(address)"),
              "address",
              """
              The same address, marked as one in user space for str, mem and *.
              """,
              OLDEST,
              """
              kprobe:do_sys_openat2 { print(str(uptr(arg1))); }
              """),
          new Topic(
              FUNCTION,
              List.of("kptr"),
              List.of("kptr(address)"),
              "address",
              """
              The same address, marked as one in the kernel for str, mem and *.
              """,
              OLDEST,
              """
              kprobe:vfs_open { print(mem(kptr(arg0), 16)); }
              """),
          new Topic(
              FUNCTION,
              List.of("kaddr"),
              List.of("kaddr(\"symbol\")"),
              "address",
              """
              Where the kernel has what is called so, a function or a variable, as /proc/kallsyms
              tells. It must be the only one of that name, and the kernel must show addresses
              (kernel.kptr_restrict).
              """,
              OLDEST,
              """
              BEGIN { print(str(kaddr("linux_banner"))); exit(0); }
              """),
          new Topic(
              FUNCTION,
              List.of("ksym"),
              List.of("ksym(address)"),
              "address, printed as function+offset",
              """
              The same address, printed as the function of the kernel that it is in. What is in
              none prints as a number.
              """,
              OLDEST,
              """
              kprobe:vfs_read { @[ksym(regs->rip)] = count(); }
              """),
          new Topic(
              FUNCTION,
              List.of("dyn"),
              List.of("dyn(data->field)", "dyn(data->field, size)"),
              "text",
              """
              The text of a field of variable length (__data_loc in the format). It takes at most
              size bytes with the NUL: 128, or 1 to 512.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_process_exec { @[dyn(data->filename)] = count(); }
              """),
          new Topic(
              FUNCTION,
              List.of("strcmp"),
              List.of("strcmp(text, text)"),
              "int",
              """
              -1, 0 or 1 as the first text stands before, with or behind the second, byte by byte.
              Texts can also be compared with == and !=.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter / !strcmp(comm, "dd") / { @ = count(); }
              """),
          new Topic(
              FUNCTION,
              List.of("print"),
              List.of("print(value, …)", "print(map)"),
              "nothing",
              """
              Prints values, each in the form that suits its type, with commas between them, and
              ends the line. A map's name alone prints the whole map as it is when the event
              arrives.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_process_exit { print(walltime, comm, pid); }
              """),
          new Topic(
              FUNCTION,
              List.of("printf"),
              List.of("printf(\"format\", value, …)"),
              "nothing",
              """
              Prints values as a format says: C's conversions (%d %u %x %o %c %s %p, with flags,
              width, precision; the width of the value is its type's), and %v for the form that
              suits the type.
              """,
              OLDEST,
              """
              tracepoint:sched:sched_process_exec { printf("%-16s %6d %v\\n", comm, pid, time); }
              """),
          new Topic(
              FUNCTION,
              List.of("exit"),
              List.of("exit(status)"),
              "nothing",
              """
              Ends the trace with a status of which the lower eight bits count. The rest of the
              clause still runs, so does END, and maps are printed.
              """,
              OLDEST,
              """
              interval:1s { exit(0); }
              """),
          new Topic(
              FUNCTION,
              List.of("clear"),
              List.of("clear(map)"),
              "nothing",
              """
              Empties a map. It happens when the event arrives, in order with what is printed. Of an
              aggregation that the clause has just printed, exactly what it printed is taken off:
              what is counted meanwhile stays.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }
              interval:1s { print(@); clear(@); }
              """),
          new Topic(
              AGGREGATION,
              List.of("count"),
              List.of("@name[key, …] = count();"),
              "u64",
              """
              How often it was done.
              """,
              OLDEST,
              """
              tracepoint:raw_syscalls:sys_enter { @ = count(); }
              """),
          new Topic(
              AGGREGATION,
              List.of("sum"),
              List.of("@name[key, …] = sum(value);"),
              "u64 or s64",
              """
              The sum of the values.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_exit_read / data->ret > 0 / { @[comm] = sum(data->ret); }
              """),
          new Topic(
              AGGREGATION,
              List.of("quantize"),
              List.of("@name[key, …] = quantize(value);"),
              "histogram",
              """
              How many values there were between powers of two, printed with a bar for each range;
              negative ones are counted as < 0. Labels take the unit of the value.
              """,
              OLDEST,
              """
              tracepoint:syscalls:sys_exit_read { @[comm] = quantize(data->ret); }
              """));

  private FunctionTopics() {}
}
