package dev.ply.lang.preprocess;

import dev.ply.diagnostic.Source;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The operand of {@code #include}. Headers of the kernel and of the C library are built in: types
 * come from BTF, constants from {@link dev.ply.target.HeaderConstants}. Others are files beside the
 * script, in quotes, or in directories that are searched for headers.
 */
public record IncludedHeader(String path, boolean isQuoted) {
  private static final Pattern DIRECTIVE =
      Pattern.compile("[ \\t]*#[ \\t]*(?:include|if|elif)\\b.*");

  private static final Pattern NAME = Pattern.compile("<[^<>\\s]+>|\"[^\"\\n]+\"");

  /** The directories of headers: the kernel's own, those that it exports, and the C library's. */
  private static final Set<String> DIRECTORIES =
      Set.of(
          "acpi",
          "arch",
          "arpa",
          "asm",
          "asm-generic",
          "bcc",
          "bits",
          "block",
          "bpf",
          "certs",
          "clocksource",
          "crypto",
          "cxl",
          "drivers",
          "drm",
          "dt-bindings",
          "fs",
          "generated",
          "hyperv",
          "include",
          "io_uring",
          "ipc",
          "kernel",
          "keys",
          "kunit",
          "kvm",
          "lib",
          "linux",
          "math-emu",
          "media",
          "memory",
          "misc",
          "mm",
          "mtd",
          "net",
          "net-core",
          "netinet",
          "netpacket",
          "pcmcia",
          "ras",
          "rdma",
          "rv",
          "scsi",
          "security",
          "soc",
          "sound",
          "sys",
          "target",
          "trace",
          "uapi",
          "ufs",
          "vdso",
          "video",
          "virt",
          "xen");

  /** The headers of the C library and of BPF that are in no directory, without {@code .h}. */
  private static final Set<String> FILES =
      Set.of(
          "aio",
          "assert",
          "byteswap",
          "complex",
          "ctype",
          "dirent",
          "dlfcn",
          "elf",
          "endian",
          "err",
          "errno",
          "fcntl",
          "features",
          "fenv",
          "float",
          "fnmatch",
          "getopt",
          "glob",
          "grp",
          "ifaddrs",
          "inttypes",
          "iso646",
          "langinfo",
          "libgen",
          "limits",
          "link",
          "locale",
          "malloc",
          "math",
          "mqueue",
          "netdb",
          "poll",
          "pthread",
          "pwd",
          "regex",
          "resolv",
          "sched",
          "semaphore",
          "setjmp",
          "signal",
          "spawn",
          "stdalign",
          "stdarg",
          "stdatomic",
          "stdbool",
          "stddef",
          "stdint",
          "stdio",
          "stdlib",
          "stdnoreturn",
          "string",
          "strings",
          "syscall",
          "syslog",
          "termios",
          "threads",
          "time",
          "uchar",
          "ucontext",
          "unistd",
          "utime",
          "vmlinux",
          "wchar",
          "wctype");

  /** Parses what follows {@code #include}; anything else is the text of a comment. */
  public static Optional<IncludedHeader> of(String rest) {
    String text = rest.strip();
    if (text.length() < 3) {
      return Optional.empty();
    }
    char first = text.charAt(0);
    int end = text.indexOf(first == '<' ? '>' : '"', 1);
    boolean isHeader = (first == '<' || first == '"') && end == text.length() - 1 && end > 1;
    return isHeader
        ? Optional.of(new IncludedHeader(text.substring(1, end), first == '"'))
        : Optional.empty();
  }

  /**
   * Returns the paths of the files that a script may include or asks for, in source order. Headers
   * of the kernel and of the C library are among them: a directory may have them.
   */
  public static List<String> paths(Source source) {
    return source.text().contains("include") ? lines(source.text()).distinct().toList() : List.of();
  }

  private static Stream<String> lines(String text) {
    return text.lines()
        .filter(line -> line.contains("include") && DIRECTIVE.matcher(line).matches())
        .flatMap(line -> NAME.matcher(line).results())
        .flatMap(name -> of(name.group()).stream())
        .map(IncludedHeader::named);
  }

  /** Returns how the imports of a source name the header. */
  String named() {
    return isQuoted ? path : "<" + path + ">";
  }

  /** Returns whether this is a header of the kernel or of the C library. */
  public boolean isBuiltIn() {
    List<String> parts =
        Arrays.stream(path.split("/")).filter(part -> !part.matches("\\.{0,2}")).toList();
    return parts.size() > 1
        ? DIRECTORIES.contains(parts.get(0))
        : FILES.contains(path.replaceFirst("\\.h$", ""));
  }
}
