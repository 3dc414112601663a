package dev.ply.lang.bcc;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.KernelProbe;
import dev.ply.probe.UserProbe;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a specifier probes: {@code p:c:write(int fd, char *buf)}.
 *
 * @param library the library or the tracepoint's category; empty for the kernel
 * @param function its name, that of an event or of a USDT probe
 * @param parameters the parameters that the signature names
 */
record ProbedFunction(Kind kind, Slice library, Slice function, List<Parameter> parameters) {
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("(?:SyS_|sys_|__(?:x64|arm64|riscv|s390x)_sys_)(\\w+)");

  ProbedFunction {
    parameters = List.copyOf(parameters);
  }

  /** The kind of probe. */
  enum Kind {
    /** The entry of a function. */
    ENTRY("p"),
    /** The return from a function. */
    RETURN("r"),
    /** A tracepoint. */
    TRACEPOINT("t"),
    /** A USDT probe. */
    USDT("u");

    private final String letter;

    Kind(String letter) {
      this.letter = letter;
    }

    /** Returns the kind of a letter. */
    static Optional<Kind> of(String letter) {
      for (Kind kind : values()) {
        if (kind.letter.equals(letter)) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }

    /** Returns the kind that a part of a specifier names. */
    static Kind read(Slice letter) throws SpecifierException {
      return of(letter.text())
          .orElseThrow(
              () ->
                  new SpecifierException(
                      letter.span(),
                      "unknown kind of probe \"" + letter.text() + "\"",
                      "p is the entry of a function, r its return, t a tracepoint, u a USDT"
                          + " probe"));
    }
  }

  /** A named parameter. */
  record Parameter(String name, CType type) {}

  /** Returns whether the probed code is in user space. */
  boolean isInUserSpace() {
    return switch (kind) {
      case ENTRY, RETURN -> library.length() > 0;
      case USDT -> true;
      case TRACEPOINT -> false;
    };
  }

  /** Returns the system call that the function implements, if its name is that of one. */
  Optional<String> systemCall() {
    if (library.length() > 0 || (kind != Kind.ENTRY && kind != Kind.RETURN)) {
      return Optional.empty();
    }
    Matcher matcher = SYSTEM_CALL.matcher(function.text());
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** Returns whether pointers that the function takes are to user memory. */
  boolean takesUserMemory() {
    return isInUserSpace() || systemCall().isPresent();
  }

  /** Returns the names of the parameters. */
  List<String> parameterNames() {
    return parameters.stream().map(Parameter::name).toList();
  }

  /** Returns the probe. */
  AttachPoint point() throws SpecifierException {
    String name = function.text();
    String of = library.text();
    try {
      return switch (kind) {
        case ENTRY ->
            of.isEmpty()
                ? new KernelProbe.Kprobe(KernelSelector.parse(name))
                : new UserProbe.Uprobe(UserSelector.parse(quoted(of) + name));
        case RETURN ->
            of.isEmpty()
                ? new KernelProbe.Kretprobe(KernelSelector.parseEntry(name))
                : new UserProbe.Uretprobe(UserSelector.parseEntry(quoted(of) + name));
        case TRACEPOINT -> new AttachPoint.Tracepoint(TracepointSelector.parse(of + ":" + name));
        case USDT -> new AttachPoint.Usdt(UsdtSelector.parse(quoted(of) + name));
      };
    } catch (InvalidSelectorException e) {
      throw new SpecifierException(
          DiagnosticCode.BAD_PROBE_DEFINITION,
          library.length() == 0 ? function.span() : library.span().through(function.span()),
          String.valueOf(e.getMessage()));
    }
  }

  private static String quoted(String library) {
    return '"' + library + "\":";
  }
}
