package dev.ply;

import dev.ply.builtin.Builtin;
import dev.ply.builtin.CallBuiltins;
import dev.ply.builtin.CgroupBuiltins;
import dev.ply.builtin.ClockBuiltins;
import dev.ply.builtin.ContextBuiltins;
import dev.ply.builtin.ErrorBuiltins;
import dev.ply.builtin.MachineBuiltins;
import dev.ply.builtin.MapBuiltins;
import dev.ply.builtin.MemoryBuiltins;
import dev.ply.builtin.NetworkBuiltins;
import dev.ply.builtin.ObjectBuiltins;
import dev.ply.builtin.ParentBuiltins;
import dev.ply.builtin.StackBuiltins;
import dev.ply.builtin.StringBuiltins;
import dev.ply.builtin.SymbolBuiltins;
import dev.ply.builtin.SystemBuiltins;
import dev.ply.builtin.ThreadBuiltins;
import dev.ply.builtin.TypeBuiltins;
import dev.ply.ir.Expr;
import dev.ply.ir.MapRef;
import dev.ply.ir.SourceSpan;
import dev.ply.result.StackMode;
import dev.ply.target.ClockMode;
import dev.ply.target.PidScope;
import java.util.List;

/** Creates the values of probes; meant for static import. */
public final class Values extends SymbolValues {
  private Values() {}

  /**
   * {@return argument {@code index} of the probed function, counted from 0, as an unsigned
   * register; in a kprobe}
   *
   * @param index counted from 0
   */
  public static Value arg(int index) {
    return new Value(new Expr.Argument(index, CallSite.here()));
  }

  /** {@return the result of the probed function, as a signed register; in a kretprobe} */
  public static Value retval() {
    return builtIn(ContextBuiltins.RETVAL);
  }

  /**
   * {@return the nanoseconds from the entry to this return of the function, printed as a duration;
   * in a kretprobe, uretprobe or fexit} Recursive calls are distinct, to a depth of 64. Calls that
   * began before the trace are no hits.
   */
  public static Value latency() {
    return builtIn(CallBuiltins.LATENCY);
  }

  /**
   * {@return a value at the entry of the function that returns; in a kretprobe, uretprobe or fexit,
   * for the calls that {@link #latency} is for}
   *
   * @param value an expression of the entry: {@code entry(arg(2))}
   */
  public static Value entry(Value value) {
    return call(CallBuiltins.ENTRY, value);
  }

  /** {@return the probed address, printed as symbol and offset; in a kprobe} */
  public static Value caller() {
    return builtIn(ContextBuiltins.CALLER);
  }

  /** {@return the address of the probed function; in a kprobe, uprobe or on the return of one} */
  public static Value funcIp() {
    return builtIn(ContextBuiltins.FUNC_IP);
  }

  /**
   * {@return a field of the tracepoint's record; in a tracepoint}
   *
   * @param name as the tracepoint's format has it
   */
  public static Value field(String name) {
    SourceSpan here = CallSite.here();
    Expr data = new Expr.Call(ContextBuiltins.DATA, Value.exprs(), here);
    return new Value(new Expr.Member(data, Expr.Member.Access.ARROW, name, here, here));
  }

  /**
   * {@return a saved register, unsigned, printed in hexadecimal; in a kprobe or kretprobe}
   *
   * @param name a member of struct pt_regs: {@code rip} on x86-64
   */
  public static Value regs(String name) {
    SourceSpan here = CallSite.here();
    Expr regs = new Expr.Call(ContextBuiltins.REGS, Value.exprs(), here);
    return new Value(new Expr.Member(regs, Expr.Member.Access.ARROW, name, here, here));
  }

  /**
   * {@return a saved register as {@link #regs} does, by a name that may lack its {@code r} on
   * x86-64}
   *
   * @param name of a register, such as {@code "ax"}
   */
  public static Value reg(String name) {
    return call(ContextBuiltins.REG, text(name));
  }

  /**
   * {@return the kernel stack, at most 32 frames, innermost first, printed as symbols and offsets}
   * Empty where a timer interrupts user space.
   */
  public static Value stack() {
    return builtIn(StackBuiltins.STACK);
  }

  /**
   * {@return the kernel stack, at most {@code depth} frames, 1 to 127}
   *
   * @param depth the maximum number of frames, innermost first, 1 to 127
   */
  public static Value stack(int depth) {
    return call(StackBuiltins.STACK, number(depth));
  }

  /**
   * {@return the kernel stack, at most {@code depth} frames, 1 to 127}
   *
   * @param mode the format in which it is printed
   * @param depth the maximum number of frames, innermost first, 1 to 127
   */
  public static Value stack(StackMode mode, int depth) {
    return call(StackBuiltins.STACK, text(mode.canonicalName()), number(depth));
  }

  /**
   * {@return the user stack, at most 127 frames, innermost first, printed as symbols and offsets}
   * Functions compiled without frame pointers hide their callers.
   */
  public static Value ustack() {
    return builtIn(StackBuiltins.USTACK);
  }

  /**
   * {@return the user stack, at most {@code depth} frames, 1 to 127}
   *
   * @param depth the maximum number of frames, innermost first, 1 to 127
   */
  public static Value ustack(int depth) {
    return call(StackBuiltins.USTACK, number(depth));
  }

  /**
   * {@return the user stack, at most {@code depth} frames, 1 to 127}
   *
   * @param mode the format in which it is printed
   * @param depth the maximum number of frames, innermost first, 1 to 127
   */
  public static Value ustack(StackMode mode, int depth) {
    return call(StackBuiltins.USTACK, text(mode.canonicalName()), number(depth));
  }

  /**
   * {@return a kernel constant: an enumerator, on kernels with BTF, or a macro of the kernel's
   * headers}
   *
   * @param name in capitals: {@code TCP_ESTABLISHED}, {@code O_CREAT}
   * @throws IllegalArgumentException if the name has other characters than capitals, digits and
   *     underscores
   */
  public static Value constant(String name) {
    if (!Expr.NamedConstant.isName(name)) {
      throw new IllegalArgumentException("not the name of a constant: " + name);
    }
    return new Value(new Expr.NamedConstant(name, CallSite.here()));
  }

  /** {@return the thread's name, at most 15 bytes} */
  public static Value comm() {
    return builtIn(ThreadBuiltins.COMM);
  }

  /** {@return the PID (TGID) in the tracer's PID namespace, 0 for processes of others} */
  public static Value pid() {
    return builtIn(ThreadBuiltins.PID);
  }

  /**
   * {@return the PID (TGID) in a PID namespace}
   *
   * @param scope the namespace whose number it is
   */
  public static Value pid(PidScope scope) {
    return call(ThreadBuiltins.PID, text(scope.canonicalName()));
  }

  /** {@return the TID in the tracer's PID namespace, 0 for threads of others} */
  public static Value tid() {
    return builtIn(ThreadBuiltins.KPID);
  }

  /**
   * {@return the TID in a PID namespace}
   *
   * @param scope the namespace whose number it is
   */
  public static Value tid(PidScope scope) {
    return call(ThreadBuiltins.KPID, text(scope.canonicalName()));
  }

  /** {@return the PID of the parent process in the tracer's PID namespace; requires BTF} */
  public static Value ppid() {
    return builtIn(ParentBuiltins.PPID);
  }

  /** {@return the name of the parent, at most 15 bytes; requires BTF} */
  public static Value pcomm() {
    return builtIn(ParentBuiltins.PCOMM);
  }

  /** {@return the NUMA node of the current CPU} */
  public static Value numaId() {
    return builtIn(MachineBuiltins.NUMAID);
  }

  /** {@return the number of possible CPUs} */
  public static Value cpus() {
    return builtIn(MachineBuiltins.NCPUS);
  }

  /** {@return the kernel's counter of timer ticks} */
  public static Value jiffies() {
    return builtIn(MachineBuiltins.JIFFIES);
  }

  /** {@return the ID of the thread's cgroup, in cgroup v2} */
  public static Value cgroup() {
    return builtIn(CgroupBuiltins.CGROUP);
  }

  /**
   * {@return the ID of the cgroup with this directory of cgroupfs, an absolute path}
   *
   * @param directory an absolute path below {@code /sys/fs/cgroup}, read when the trace is prepared
   */
  public static Value cgroupId(String directory) {
    return call(CgroupBuiltins.CGROUPID, text(directory));
  }

  /**
   * {@return a cgroup's ID, printed as the cgroup's path}
   *
   * @param id as {@link #cgroup} returns it
   */
  public static Value cgroupPath(Value id) {
    return call(CgroupBuiltins.CGROUP_PATH, id);
  }

  /** {@return the UID} */
  public static Value uid() {
    return builtIn(ThreadBuiltins.UID);
  }

  /** {@return the GID} */
  public static Value gid() {
    return builtIn(ThreadBuiltins.GID);
  }

  /** {@return the current CPU number} */
  public static Value cpu() {
    return builtIn(ThreadBuiltins.CPU);
  }

  /** {@return the address of the current thread's {@code struct task_struct}} */
  public static Value curtask() {
    return builtIn(ThreadBuiltins.CURTASK);
  }

  /** {@return nanoseconds since boot, without suspend, printed as a duration} */
  public static Value time() {
    return builtIn(ClockBuiltins.TIME);
  }

  /** {@return nanoseconds since boot, without suspend, printed as the time of day} */
  public static Value walltime() {
    return builtIn(ClockBuiltins.WALLTIME);
  }

  /**
   * {@return a time as a string}
   *
   * @param format as for C's {@code strftime}; {@code %f} are microseconds
   * @param nanos {@link #nsecs}, {@link #time} or {@link #walltime}, or a stored value of one
   */
  public static Value strftime(String format, Value nanos) {
    return call(ClockBuiltins.STRFTIME, text(format), nanos);
  }

  /** {@return a pseudo-random number of 32 bits} */
  public static Value rand() {
    return builtIn(ThreadBuiltins.RAND);
  }

  /** {@return the name of the probed function} */
  public static Value func() {
    return builtIn(ContextBuiltins.FUNC);
  }

  /**
   * {@return an address of the current process, printed as symbol and offset}
   *
   * @param address in the memory of the current process
   */
  public static Value usym(Value address) {
    return call(SymbolBuiltins.USYM, address);
  }

  /**
   * {@return an IP address as a string: a number, or an array of 4 or 16 bytes}
   *
   * @param address a number of 32 bits in network byte order, or an array of 4 or 16 bytes
   */
  public static Value ntop(Value address) {
    return call(NetworkBuiltins.NTOP, address);
  }

  /**
   * {@return an IP address of a family, AF_INET or AF_INET6, as a string}
   *
   * @param family {@code AF_INET} (2) or {@code AF_INET6} (10)
   * @param address as for {@link #ntop(Value)}
   */
  public static Value ntop(Value family, Value address) {
    return call(NetworkBuiltins.NTOP, family, address);
  }

  /**
   * {@return a MAC address of six bytes as a string}
   *
   * @param bytes an array of six bytes
   */
  public static Value macaddr(Value bytes) {
    return call(NetworkBuiltins.MACADDR, bytes);
  }

  /**
   * {@return a number with reversed byte order}
   *
   * @param number an integer
   */
  public static Value bswap(Value number) {
    return call(NetworkBuiltins.BSWAP, number);
  }

  /**
   * {@return the name of a signal, the number if it has none}
   *
   * @param number a signal's number, or an errno, positive or negative
   */
  public static Value signalName(Value number) {
    return call(ErrorBuiltins.SIGNAL_NAME, number);
  }

  /** {@return the kind of the probe: {@code kprobe}, {@code tracepoint}; {@code special}} */
  public static Value probetype() {
    return call(ContextBuiltins.PROBETYPE);
  }

  /** {@return whether the CPU was in user mode: 1 or 0} */
  public static Value usermode() {
    return call(ContextBuiltins.USERMODE);
  }

  /** {@return the ID of the process's first thread, which is the process ID} */
  public static Value leaderTid() {
    return call(ParentBuiltins.LEADER_TID);
  }

  /** {@return the name of the process's first thread} */
  public static Value leaderComm() {
    return call(ParentBuiltins.LEADER_COMM);
  }

  /**
   * {@return the name of a system call, the number if it has none}
   *
   * @param number of the table of the machine, as {@code id} of raw_syscalls has it
   */
  public static Value syscallName(Value number) {
    return call(ErrorBuiltins.SYSCALL_NAME, number);
  }

  /** {@return the name of the real user, the number if it has none} */
  public static Value username() {
    return call(ThreadBuiltins.USERNAME);
  }

  /**
   * {@return the bytes of an IPv4 or IPv6 address, in network order}
   *
   * @param address in the usual notation: {@code "127.0.0.1"}, {@code "::1"}
   */
  public static Value pton(String address) {
    return new Value(
        new Expr.Call(
            NetworkBuiltins.PTON,
            List.of(new Expr.StringLiteral(address, CallSite.here())),
            CallSite.here()));
  }

  /**
   * {@return -1, 0 or 1 for the order of the first {@code length} bytes of strings or arrays}
   *
   * @param a a string or an array
   * @param b a string or an array
   * @param length in bytes, at most the size of both
   */
  public static Value memcmp(Value a, Value b, int length) {
    return call(StringBuiltins.MEMCMP, a, b, number(length));
  }

  /**
   * {@return the message of an errno}
   *
   * @param number a signal's number, or an errno, positive or negative
   */
  public static Value strerror(Value number) {
    return call(ErrorBuiltins.STRERROR, number);
  }

  /**
   * {@return whether a pointer returned by a kernel function is an errno (IS_ERR)}
   *
   * @param pointer as a function of the kernel returns it
   */
  public static Value isError(Value pointer) {
    return call(ErrorBuiltins.IS_ERR, pointer);
  }

  /** {@return the address of the probe's context, printed in hexadecimal} */
  public static Value ctx() {
    return builtIn(ContextBuiltins.CTX);
  }

  /** {@return the probe site that was hit, printed as scripts define it} */
  public static Value probe() {
    return builtIn(ContextBuiltins.PROBE);
  }

  /** {@return nanoseconds since boot, including suspend, as a plain number (Linux 5.8)} */
  public static Value nsecs() {
    return builtIn(ClockBuiltins.NSECS);
  }

  /**
   * {@return nanoseconds of a clock, as a plain number}
   *
   * @param clock whose time it is
   */
  public static Value nsecs(ClockMode clock) {
    return call(ClockBuiltins.NSECS, text(clock.canonicalName()));
  }

  /** {@return the nanoseconds since the trace started, a plain number} */
  public static Value elapsed() {
    return builtIn(ClockBuiltins.ELAPSED);
  }

  /**
   * {@return the string at an address, at most 127 bytes; a longer one is shown with {@code ..}}
   *
   * @param address in the memory of the current process, or of the kernel
   */
  public static Value str(Value address) {
    return call(MemoryBuiltins.STR, address);
  }

  /**
   * {@return the string at an address, in at most {@code size} bytes including the NUL, 1 to 1024}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   */
  public static Value str(Value address, int size) {
    return call(MemoryBuiltins.STR, address, number(size));
  }

  /**
   * {@return the string at an address, in at most {@code size} bytes including the NUL, computed
   * while tracing and limited to {@code limit}, 1 to 1024}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   * @param limit the maximum of the size, which is memory of each event
   */
  public static Value str(Value address, Value size, int limit) {
    return call(MemoryBuiltins.STR, address, size, number(limit));
  }

  /**
   * {@return the full path of a struct path, in at most 255 bytes}
   *
   * @param path a member of the arguments of {@code fentry}, {@code fexit} or {@code iter}, such as
   *     {@code field("file").member("f_path")}
   */
  public static Value path(Value path) {
    return call(ObjectBuiltins.PATH, path);
  }

  /**
   * {@return the full path of a struct path, in at most {@code size} bytes including the NUL, 1 to
   * 1024}
   *
   * @param path a member of the arguments of {@code fentry}, {@code fexit} or {@code iter}
   * @param size in bytes
   */
  public static Value path(Value path, int size) {
    return call(ObjectBuiltins.PATH, path, number(size));
  }

  /**
   * {@return the kernel's number of a socket}
   *
   * @param socket an argument of {@code fentry}, {@code fexit} or {@code iter}, or a member of one
   */
  public static Value socketCookie(Value socket) {
    return call(ObjectBuiltins.SOCKET_COOKIE, socket);
  }

  /**
   * {@return an array as bytes of any value, printed with escapes}
   *
   * @param array of bytes, of which the size is known
   */
  public static Value buf(Value array) {
    return call(MemoryBuiltins.BUF, array);
  }

  /**
   * {@return {@code size} bytes at an address or of an array, 0 to 1024, printed with escapes;
   * zeroes if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   */
  public static Value buf(Value address, int size) {
    return call(MemoryBuiltins.BUF, address, number(size));
  }

  /**
   * {@return {@code size} bytes at an address, computed while tracing and limited to {@code limit},
   * 0 to 1024, printed with escapes; zeroes if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   * @param limit the maximum of the size, which is memory of each event
   */
  public static Value buf(Value address, Value size, int limit) {
    return call(MemoryBuiltins.BUF, address, size, number(limit));
  }

  /**
   * {@return the string at an address, printed in quotes, or as (fault) if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   */
  public static Value quoted(Value address) {
    return call(MemoryBuiltins.QUOTED, address);
  }

  /**
   * {@return the string at an address, in at most {@code size} bytes including the NUL, 1 to 512,
   * printed in quotes, or as (fault) if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   */
  public static Value quoted(Value address, int size) {
    return call(MemoryBuiltins.QUOTED, address, number(size));
  }

  /**
   * {@return 128 bytes at an address, zeroes if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   */
  public static Value mem(Value address) {
    return call(MemoryBuiltins.MEM, address);
  }

  /**
   * {@return {@code size} bytes at an address, 1 to 1024, zeroes if unreadable}
   *
   * @param address in the memory of the current process, or of the kernel
   * @param size in bytes
   */
  public static Value mem(Value address, int size) {
    return call(MemoryBuiltins.MEM, address, number(size));
  }

  /**
   * {@return the data of a {@code __data_loc} field of the tracepoint's record, at most 128 bytes;
   * in a tracepoint}
   *
   * @param field of the tracepoint's record
   */
  public static Value dyn(Value field) {
    return call(MemoryBuiltins.DYN, field);
  }

  /**
   * {@return what a {@code __data_loc} field of the tracepoint's record stands for, at most {@code
   * size} bytes of it, 1 to 1024; in a tracepoint}
   *
   * @param field of the tracepoint's record
   * @param size in bytes
   */
  public static Value dyn(Value field, int size) {
    return call(MemoryBuiltins.DYN, field, number(size));
  }

  /**
   * {@return an address as one in user space}
   *
   * @param address an address or a number
   */
  public static Value userAddress(Value address) {
    return call(MemoryBuiltins.UPTR, address);
  }

  /**
   * {@return an address as one in the kernel}
   *
   * @param address an address or a number
   */
  public static Value kernelAddress(Value address) {
    return call(MemoryBuiltins.KPTR, address);
  }

  /**
   * {@return an address, which {@link #str}, {@link #mem} and {@link #quoted} read in user space or
   * in the kernel, as the address says; on x86 and Arm}
   *
   * @param address an address or a number
   */
  public static Value anyAddress(Value address) {
    return call(MemoryBuiltins.ANYPTR, address);
  }

  /**
   * {@return 1 if a string contains another, else 0}
   *
   * @param string the string
   * @param searched what to look for
   */
  public static Value strcontains(Value string, Value searched) {
    return call(StringBuiltins.STRCONTAINS, string, searched);
  }

  /**
   * {@return 1 if a string contains a constant, else 0}
   *
   * @param string the string
   * @param searched what to look for
   */
  public static Value strcontains(Value string, String searched) {
    return strcontains(string, text(searched));
  }

  /**
   * {@return the number of bytes before the first occurrence of a string in another, or -1}
   *
   * @param string the string
   * @param searched what to look for
   */
  public static Value strstr(Value string, Value searched) {
    return call(StringBuiltins.STRSTR, string, searched);
  }

  /**
   * {@return the number of bytes before the first occurrence of a constant, or -1}
   *
   * @param string the string
   * @param searched what to look for
   */
  public static Value strstr(Value string, String searched) {
    return strstr(string, text(searched));
  }

  /**
   * {@return 1 if the whole string matches a pattern, else 0}
   *
   * @param string the string
   * @param pattern with ?, *, [a-z] and [!a-z], up to 63 characters besides the stars
   */
  public static Value strglob(Value string, String pattern) {
    return call(StringBuiltins.STRGLOB, string, text(pattern));
  }

  /**
   * {@return the number of bytes of a string before its NUL}
   *
   * @param string the string
   */
  public static Value strlen(Value string) {
    return call(StringBuiltins.STRLEN, string);
  }

  /**
   * {@return the number of bytes that a string has room for, its NUL included}
   *
   * @param string the string
   */
  public static Value strcap(Value string) {
    return call(StringBuiltins.STRCAP, string);
  }

  /**
   * {@return one string after the other, up to 1023 bytes}
   *
   * @param first the start
   * @param second the rest
   */
  public static Value strConcat(Value first, Value second) {
    return call(StringBuiltins.STR_CONCAT, first, second);
  }

  /**
   * {@return the name of another process or thread, looked up when it is printed}
   *
   * @param id its ID
   */
  public static Value commOf(Value id) {
    return call(ThreadBuiltins.COMM_OF, id);
  }

  /**
   * {@return a word of the stack at a function's entry: an argument that does not fit the
   * registers}
   *
   * @param index from 0
   */
  public static Value stackArgument(int index) {
    return call(ContextBuiltins.SARG, number(index));
  }

  /**
   * {@return 1 if bytes could be written to memory of the current process, else 0; only with {@code
   * TraceOptions.unsafe()}}
   *
   * @param address where
   * @param bytes a string or an array
   * @param length the number of bytes
   */
  public static Value writeUser(Value address, Value bytes, Value length) {
    return call(SystemBuiltins.WRITE_USER, address, bytes, length);
  }

  /** {@return the number of bytes that {@link #str(Value)} has room for, its NUL included} */
  public static Value defaultStringLength() {
    return call(StringBuiltins.DEFAULT_STR_LENGTH);
  }

  /**
   * {@return 1 if a value is a string, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isString(Value value) {
    return call(TypeBuiltins.IS_STR, value);
  }

  /**
   * {@return 1 if a value is a pointer, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isPointer(Value value) {
    return call(TypeBuiltins.IS_PTR, value);
  }

  /**
   * {@return 1 if a value is an array and no string, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isArray(Value value) {
    return call(TypeBuiltins.IS_ARRAY, value);
  }

  /**
   * {@return 1 if a value is an integer, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isInteger(Value value) {
    return call(TypeBuiltins.IS_INTEGER, value);
  }

  /**
   * {@return 1 if a value is an unsigned integer, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isUnsignedInteger(Value value) {
    return call(TypeBuiltins.IS_UNSIGNED_INTEGER, value);
  }

  /**
   * {@return 1 if a value is a literal, else 0: a constant}
   *
   * @param value not evaluated
   */
  public static Value isLiteral(Value value) {
    return call(TypeBuiltins.IS_LITERAL, value);
  }

  /**
   * {@return -1, 0 or 1 if the first string sorts before, equal to or after the second}
   *
   * @param first the one string
   * @param second the other
   */
  public static Value strcmp(Value first, Value second) {
    return call(StringBuiltins.STRCMP, first, second);
  }

  /**
   * {@return -1, 0 or 1 if a string sorts before, equal to or after a constant}
   *
   * @param first the one string
   * @param second the other
   */
  public static Value strcmp(Value first, String second) {
    return strcmp(first, text(second));
  }

  /**
   * {@return 0 if the first {@code length} bytes of two strings are equal, else 1}
   *
   * @param first the one string
   * @param second the other
   * @param length the number of bytes to compare at most
   */
  public static Value strncmp(Value first, Value second, int length) {
    return call(StringBuiltins.STRNCMP, first, second, number(length));
  }

  /**
   * {@return a constant}
   *
   * @param value of 64 bits
   */
  public static Value number(long value) {
    return new Value(Expr.number(value, CallSite.here()));
  }

  /**
   * {@return a constant string}
   *
   * @param value without NUL
   */
  public static Value text(String value) {
    return new Value(new Expr.StringLiteral(value, CallSite.here()));
  }

  /**
   * {@return a variable shared by probes: one value for each combination of keys, initially zero}
   *
   * @param name letters, digits and underscores, after an {@code @} if it aggregates; the same name
   *     denotes the same variable throughout a trace
   * @param keys numbers or strings, none for a single value
   */
  public static Variable variable(String name, Value... keys) {
    SourceSpan here = CallSite.here();
    return new Variable(new MapRef(name, Value.exprs(keys), here), here);
  }

  /**
   * {@return whether a variable has an entry for its keys: 1 or 0}
   *
   * @param variable of the same trace
   */
  public static Value hasKey(Variable variable) {
    return call(MapBuiltins.HAS_KEY, variable);
  }

  /**
   * {@return whether a variable has an entry for its keys, whose value is then assigned: 1 or 0}
   *
   * @param variable of the same trace
   * @param found keeps its value if there is no entry
   */
  public static Value find(Variable variable, Scratch found) {
    return call(MapBuiltins.FIND, variable, found);
  }

  /**
   * {@return the number of entries of a variable with keys} Needs kernel 5.13.
   *
   * @param variable of the same trace
   */
  public static Value len(Variable variable) {
    SourceSpan here = CallSite.here();
    MapRef whole = new MapRef(variable.map().name(), List.of(), here);
    return new Value(new Expr.Call(MapBuiltins.LEN, List.of(new Expr.MapRead(whole, here)), here));
  }

  /**
   * {@return a tuple, whose elements {@link Value#part} selects}
   *
   * @param elements at least one, numbers or strings
   */
  public static Value tuple(Value... elements) {
    return new Value(new Expr.Tuple(Value.exprs(elements), CallSite.here()));
  }

  private static Value builtIn(Builtin intrinsic) {
    return call(intrinsic);
  }

  private static Value call(Builtin function, Value... arguments) {
    return new Value(new Expr.Call(function, Value.exprs(arguments), CallSite.here()));
  }

  /**
   * {@return a scratch variable, to be set with {@link Actions#let} or {@link Actions#set(Scratch,
   * Value)} before it is read}
   *
   * @param name without {@code $}
   */
  public static Scratch scratch(String name) {
    return new Scratch("$" + name, CallSite.here());
  }

  /**
   * {@return the size in bytes of a type: {@code uint32}, {@code struct sock}}
   *
   * @param type as C writes it: {@code "struct task_struct"}
   */
  public static Value sizeOf(String type) {
    SourceSpan here = CallSite.here();
    return new Value(new Expr.SizeOfType(Value.typeName(type), here));
  }

  /**
   * {@return the offset in bytes of a member from the start of a structure, {@code struct sock}}
   *
   * @param type as C writes it: {@code "struct task_struct"}
   * @param path the names of the members that lead to it
   */
  public static Value offsetOf(String type, String... path) {
    SourceSpan here = CallSite.here();
    return new Value(new Expr.OffsetOf(Value.typeName(type), List.of(path), here));
  }

  /**
   * {@return the size in bytes of a value}
   *
   * @param value whose type is meant; it is not evaluated
   */
  public static Value sizeOf(Value value) {
    return new Value(new Expr.SizeOf(value.expr(), CallSite.here()));
  }
}
