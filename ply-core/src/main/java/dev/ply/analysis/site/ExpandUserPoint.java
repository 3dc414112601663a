package dev.ply.analysis.site;

import dev.ply.Safety;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.UserProbe;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Expands attach points in programs and libraries to the probe sites they select on a target. */
final class ExpandUserPoint {
  /** The pattern of all files that processes have mapped. */
  private static final String MAPPED = "*";

  private final BinaryCatalog binaries;
  private final int mostSites;
  private final Safety safety;
  private final Diagnostics diagnostics;

  /**
   * Creates an expansion.
   *
   * @param mostSites how many sites are enough to know that they are too many
   * @param safety whether code may be probed that no symbol covers
   */
  ExpandUserPoint(BinaryCatalog binaries, int mostSites, Safety safety, Diagnostics diagnostics) {
    this.binaries = binaries;
    this.mostSites = mostSites;
    this.safety = safety;
    this.diagnostics = diagnostics;
  }

  /** Returns the sites of a probe on code; none after a diagnostic. */
  List<AttachPoint> apply(UserProbe point, SourceSpan span) {
    return orNone(point, span, () -> withFixedStack(sites(point, span)));
  }

  private List<AttachPoint> withFixedStack(List<AttachPoint> sites) {
    for (AttachPoint site : sites) {
      if (safety == Safety.SAFE
          && site instanceof UserProbe.Uretprobe point
          && binaries.movesStack(point.place())) {
        throw new ProbeSiteNotFoundException(
            DiagnosticCode.UNSAFE,
            point.definition()
                + " is a function of Go, which moves its stack: a probe on the return would crash"
                + " the program",
            "uprobe:"
                + point.place().text()
                + "+N, on an instruction that returns (objdump -d), is safe",
            "--unsafe allows it; in Java, TraceOptions.unsafe()");
      }
    }
    return sites;
  }

  /** Returns the sites of a USDT probe; none after a diagnostic. */
  List<AttachPoint> apply(AttachPoint.Usdt point, SourceSpan span) {
    return orNone(point, span, () -> sites(point, span));
  }

  private List<AttachPoint> orNone(
      AttachPoint point, SourceSpan span, Supplier<List<AttachPoint>> found) {
    try {
      return found.get();
    } catch (ProbeSiteNotFoundException e) {
      diagnostics.error(
          e.code(), span, String.valueOf(e.getMessage()), e.hints().toArray(String[]::new));
    } catch (UnreadableTargetException e) {
      diagnostics.error(
          DiagnosticCode.UNREADABLE,
          span,
          point.definition() + " cannot be looked up: " + e.getMessage());
    }
    return List.of();
  }

  private List<AttachPoint> sites(AttachPoint.Usdt point, SourceSpan span) {
    UsdtSelector place =
        point.place().binary().isEmpty()
            ? point.place().in(binaries.ownProgram().map(own -> MAPPED).orElseThrow(this::unnamed))
            : point.place();
    LeftOut leftOut = new LeftOut();
    if (!UserSelector.isPattern(place.binary())) {
      List<AttachPoint> found = marks(place, leftOut).toList();
      binaries.unreadable(place.binary()).forEach(leftOut::addFile);
      leftOut.note(point.definition(), span).ifPresent(diagnostics::add);
      return found;
    }
    List<AttachPoint> found =
        inAll(
            place.binary(),
            place.text(),
            "USDT probe",
            name -> marks(place.in(name), leftOut),
            leftOut);
    leftOut.note(point.definition(), span).ifPresent(diagnostics::add);
    return found;
  }

  private Stream<AttachPoint> marks(UsdtSelector place, LeftOut leftOut) {
    leftOut.addMarks(binaries.outsideCode(place));
    return binaries.marks(place).stream().map(mark -> new AttachPoint.Usdt(mark.place()));
  }

  private List<AttachPoint> sites(UserProbe point, SourceSpan span) {
    UserSelector place =
        point.place().binary().isEmpty()
            ? point.place().in(binaries.ownProgram().orElseThrow(this::unnamed))
            : point.place();
    if (!binaries.isPattern(place.binary())) {
      return functions(point, place, span);
    }
    if (place instanceof UserSelector.Address address) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_FUNCTION,
          "\"" + place.binary() + "\" selects many files, each with its own addresses",
          "name one file, or a function instead of 0x" + Long.toHexString(address.value()));
    }
    LeftOut leftOut = new LeftOut();
    List<AttachPoint> found =
        inAll(
            place.binary(),
            place.text(),
            "function",
            name -> inOne(point, place.in(name), leftOut),
            leftOut);
    leftOut.note(point.definition(), span).ifPresent(diagnostics::add);
    return found;
  }

  private Stream<AttachPoint> inOne(UserProbe point, UserSelector place, LeftOut leftOut) {
    if (!(place instanceof UserSelector.Pattern pattern)) {
      return named(point, place, leftOut).stream();
    }
    BinaryCatalog.Selection selection = binaries.select(pattern);
    leftOut.add(selection);
    return selection.functions().stream().flatMap(function -> each(point, function).stream());
  }

  /** Returns the locations of a probe, at each of which an instruction starts. */
  private List<UserLocation> checked(UserSelector place) {
    List<UserLocation> found = binaries.locate(place);
    if (!binaries.isInstruction(place) && safety == Safety.SAFE) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNSAFE,
          "no symbol of \""
              + place.binary()
              + "\" shows whether an instruction starts at "
              + place.text().substring(place.binary().length() + 1)
              + ": a breakpoint inside one would crash the program",
          "--unsafe allows it; in Java, TraceOptions.unsafe()");
    }
    return found;
  }

  private ProbeSiteNotFoundException unnamed() {
    return new ProbeSiteNotFoundException(
        DiagnosticCode.UNKNOWN_BINARY,
        "no program or library is named",
        "write uprobe:c:malloc or uprobe:/bin/bash:readline, for example; with -p PID, probes in"
            + " the process need no path");
  }

  /** Returns what the files of a pattern have; those that have none do not matter. */
  private List<AttachPoint> inAll(
      String pattern,
      String place,
      String what,
      Function<String, Stream<AttachPoint>> inOne,
      LeftOut leftOut) {
    List<AttachPoint> found = new ArrayList<>();
    BinaryCatalog.Matching matching = binaries.matching(pattern);
    for (String name : matching.names()) {
      try {
        inOne.apply(name).limit(mostSites + 1L - found.size()).forEach(found::add);
      } catch (ProbeSiteNotFoundException e) {
        // As with the files of a shell's pattern: some have what is looked for.
        if (e.code() != DiagnosticCode.UNKNOWN_FUNCTION) {
          leftOut.addFile(String.valueOf(e.getMessage()));
        }
      } catch (UnreadableTargetException e) {
        // Anybody can map a file that nobody reads.
        leftOut.addFile(String.valueOf(e.getMessage()));
      }
    }
    matching.unsearched().ifPresent(leftOut::addUnsearched);
    if (found.isEmpty()) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_FUNCTION,
          "no program or library that matches " + pattern + " has a " + what + " " + place,
          leftOut.reasons().toArray(String[]::new));
    }
    return found;
  }

  private List<AttachPoint> functions(UserProbe point, UserSelector place, SourceSpan span) {
    LeftOut leftOut = new LeftOut();
    binaries.unreadable(place.binary()).forEach(leftOut::addFile);
    if (!(place instanceof UserSelector.Pattern pattern)) {
      // A missing file or symbol is reported here, where its position in the script is known.
      List<AttachPoint> found = named(point, place, leftOut);
      leftOut.note(point.definition(), span).ifPresent(diagnostics::add);
      return found;
    }
    BinaryCatalog.Selection selection = binaries.select(pattern);
    leftOut.add(selection);
    if (selection.functions().isEmpty()) {
      throw new ProbeSiteNotFoundException(
          DiagnosticCode.UNKNOWN_FUNCTION,
          "\"" + pattern.binary() + "\" has no function that matches " + pattern.name(),
          leftOut.reasons().toArray(String[]::new));
    }
    leftOut.note(point.definition(), span).ifPresent(diagnostics::add);
    return selection.functions().stream()
        .flatMap(function -> each(point, function).stream())
        .toList();
  }

  private List<AttachPoint> named(UserProbe point, UserSelector place, LeftOut leftOut) {
    List<AttachPoint> several =
        place instanceof UserSelector.Function || place instanceof UserSelector.Inside
            ? several(point, place)
            : List.of();
    binaries.withoutInstruction(place).forEach(leftOut::addFunction);
    if (!several.isEmpty()) {
      return several;
    }
    return checked(place).isEmpty() ? List.of() : List.of(point.at(place));
  }

  /** Returns the sites of a function that exists. */
  private List<AttachPoint> each(UserProbe point, UserSelector.Function function) {
    List<AttachPoint> several = several(point, function);
    return several.isEmpty() ? List.of(point.on(function)) : several;
  }

  /**
   * Functions of one name, such as static ones of several sources, are probed at their addresses.
   */
  private List<AttachPoint> several(UserProbe point, UserSelector place) {
    return binaries.several(place).stream().<AttachPoint>map(point::at).toList();
  }
}
