package dev.ply.cli.tool;

import dev.ply.machine.KernelVersion;
import dev.ply.probe.Provider;
import dev.ply.target.Target;
import dev.ply.target.TracepointFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What a tool needs of the kernel. */
sealed interface Need {
  /** For messages. */
  String FORMS =
      "tracepoint:CATEGORY:EVENT, tracepoint:CATEGORY:EVENT.FIELD, function:NAME|NAME, struct:NAME"
          + " and kernel:5.15";

  /** What a kernel lacks, and what to do instead. */
  record Missing(String what, String instead) {}

  /** Returns what is missing; empty if it is there. */
  Optional<Missing> missing(Target target, KernelVersion version);

  /** Returns the need of a word of a header; empty if it has not the form of one. */
  static Optional<Need> of(String word) {
    int colon = word.indexOf(':');
    String rest = word.substring(colon + 1);
    switch (colon < 0 ? "" : word.substring(0, colon)) {
      case "tracepoint" -> {
        String[] parts = rest.split("[:.]", -1);
        return parts.length < 2 || parts.length > 3
            ? Optional.empty()
            : Optional.of(
                new OfTracepoint(
                    parts[0],
                    parts[1],
                    parts.length == 3 ? Optional.of(parts[2]) : Optional.empty()));
      }
      case "function" -> {
        return rest.matches("[\\w.|]+")
            ? Optional.of(new OfFunction(List.of(rest.split("[|]", -1))))
            : Optional.empty();
      }
      case "struct" -> {
        return Optional.of(new OfStruct(rest));
      }
      case "kernel" -> {
        return rest.matches("\\d{1,3}\\.\\d{1,3}")
            ? Optional.of(
                new OfVersion(
                    Integer.parseInt(rest.substring(0, rest.indexOf('.'))),
                    Integer.parseInt(rest.substring(rest.indexOf('.') + 1))))
            : Optional.empty();
      }
      default -> {
        return Optional.empty();
      }
    }
  }

  /** A tracepoint, or a field of one. */
  record OfTracepoint(String category, String event, Optional<String> field) implements Need {
    @Override
    public Optional<Missing> missing(Target target, KernelVersion version) {
      OptionalInt id = target.tracepoints().id(category, event);
      if (id.isEmpty()) {
        return Optional.of(
            new Missing(
                "this kernel has no tracepoint " + category + ":" + event,
                "it may be of a module that is not loaded, or of another version; ply -l"
                    + " 'tracepoint:"
                    + category
                    + ":*' lists those of this kernel"));
      }
      Optional<TracepointFormat> format =
          field.isPresent() ? target.tracepoints().find(category, event) : Optional.empty();
      return format.isPresent() && format.get().field(field.get()).isEmpty()
          ? Optional.of(
              new Missing(
                  "the tracepoint "
                      + category
                      + ":"
                      + event
                      + " has no field "
                      + field.get()
                      + " here",
                  "later versions of Linux have it; ply -lv 'tracepoint:"
                      + category
                      + ":"
                      + event
                      + "' lists the fields"))
          : Optional.empty();
    }
  }

  /** A function that can be probed, by one of its names. */
  record OfFunction(List<String> names) implements Need {
    /** Keeps a copy. */
    public OfFunction {
      names = List.copyOf(names);
    }

    @Override
    public Optional<Missing> missing(Target target, KernelVersion version) {
      Optional<String> reason = target.attachFeatures().lacking(Provider.KPROBE);
      if (reason.isPresent()) {
        return Optional.of(
            new Missing(
                reason.get(),
                "kernels of distributions have them; ply doctor shows what works on this one"));
      }
      boolean isThere =
          names.stream()
              .anyMatch(name -> !target.attachFeatures().isMissing(name, target.symbols()));
      return isThere
          ? Optional.empty()
          : Optional.of(
              new Missing(
                  "this kernel has no function "
                      + (names.size() == 1 ? "" : "of ")
                      + String.join(", ", names),
                  "it is inlined here, in a module that is not loaded, or has another name: ply -l"
                      + " 'kprobe:*' lists functions for a tool of your own"));
    }
  }

  /** A structure, whose members are known. */
  record OfStruct(String name) implements Need {
    @Override
    public Optional<Missing> missing(Target target, KernelVersion version) {
      return target.types().struct(name).isPresent()
          ? Optional.empty()
          : Optional.of(
              new Missing(
                  "this kernel does not tell what struct " + name + " is",
                  "kernels with CONFIG_DEBUG_INFO_BTF have types; ply doctor shows what works"));
    }
  }

  /** A version of Linux. */
  record OfVersion(int major, int minor) implements Need {
    @Override
    public Optional<Missing> missing(Target target, KernelVersion version) {
      return version.isAtLeast(major, minor)
          ? Optional.empty()
          : Optional.of(
              new Missing(
                  "this is Linux " + version,
                  "Linux " + major + "." + minor + " has what it needs"));
    }
  }
}
