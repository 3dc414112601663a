package dev.ply.examples.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A tracer to measure.
 *
 * @param command how to run it, possibly {@code chroot DIRECTORY bpftrace}
 */
record Tool(Kind kind, List<String> command) {
  Tool {
    command = List.copyOf(command);
  }

  /** Which tracer, and so which language and options. */
  enum Kind {
    /** This one. */
    OURS("ours"),
    /** bpftrace. */
    BPFTRACE("bpftrace"),
    /** The original in C. */
    PLY("ply");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /** Returns the command that traces with a program. */
  List<String> trace(String program) {
    return switch (kind) {
      case OURS, PLY -> with("-k", program);
      case BPFTRACE -> with("-e", program);
    };
  }

  /** Returns the command that traces with a program whose maps hold that many keys. */
  List<String> trace(String program, int keys) {
    List<String> traced = trace(program);
    List<String> all = new ArrayList<>();
    switch (kind) {
      case OURS -> {
        all.addAll(command);
        all.addAll(List.of("--map-entries", Integer.toString(keys)));
        all.addAll(traced.subList(command.size(), traced.size()));
      }
      case BPFTRACE -> {
        all.addAll(List.of("env", "BPFTRACE_MAX_MAP_KEYS=" + keys));
        all.addAll(traced);
      }
      case PLY -> throw new IllegalArgumentException("the original's maps have one size");
    }
    return all;
  }

  /** Returns the command that traces with a program for as long as another command runs. */
  List<String> during(String other, String program) {
    return switch (kind) {
      case OURS, PLY -> with("-c", other, program);
      case BPFTRACE -> with("-c", other, "-e", program);
    };
  }

  /** Returns this tracer with a way to attach of its own choice no more; only for ours. */
  Tool attachingBy(String mechanism) {
    return new Tool(kind, with("--attach=" + mechanism));
  }

  /** Returns the command that compiles a program and does not run it. */
  List<String> dryRun(String program) {
    return switch (kind) {
      case OURS, PLY -> with("-e", program);
      case BPFTRACE -> with("--dry-run", "-e", program);
    };
  }

  private List<String> with(String... arguments) {
    return Stream.concat(command.stream(), Stream.of(arguments)).toList();
  }
}
