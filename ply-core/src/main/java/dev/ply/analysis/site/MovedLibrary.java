package dev.ply.analysis.site;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.ir.Clause;
import dev.ply.ir.Script;
import dev.ply.probe.AttachPoint;
import dev.ply.probe.UserProbe;
import dev.ply.selector.UserSelector;
import dev.ply.target.BinaryCatalog;
import dev.ply.target.ProbeSiteNotFoundException;
import dev.ply.target.Target;
import dev.ply.target.UnreadableTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds functions of libpthread and other libraries in libc, of which they are a part since version
 * 2.34 of the GNU C library: a clause on such a function becomes a clause on libc's.
 */
public final class MovedLibrary {
  /** A path or a name of a library that has become a part of libc. */
  private static final Pattern MERGED =
      Pattern.compile("(.*/lib|lib)?(pthread|dl|rt|util|anl)(-[0-9.]+)?(\\.so(\\.[0-9]+)*)?");

  private static final String LIBC = "c";
  private static final String LIBC_FILE = "libc.so.6";

  private final BinaryCatalog binaries;
  private final Diagnostics diagnostics;

  private MovedLibrary(BinaryCatalog binaries, Diagnostics diagnostics) {
    this.binaries = binaries;
    this.diagnostics = diagnostics;
  }

  public static Script apply(Script script, Target target, Diagnostics diagnostics) {
    if (script.clauses().stream().noneMatch(clause -> merged(clause.point()).isPresent())) {
      return script;
    }
    MovedLibrary moved = new MovedLibrary(target.binaries(), diagnostics);
    return script.withClauses(script.clauses().stream().map(moved::moved).toList());
  }

  private static Optional<UserProbe> merged(AttachPoint point) {
    return point instanceof UserProbe probe
            && !(probe.place() instanceof UserSelector.Address)
            && !(probe.place() instanceof UserSelector.Inside)
            && MERGED.matcher(probe.place().binary()).matches()
        ? Optional.of(probe)
        : Optional.empty();
  }

  private Clause moved(Clause clause) {
    Optional<UserProbe> probe = merged(clause.point());
    if (probe.isEmpty() || exists(probe.get().place())) {
      return clause;
    }
    UserSelector place = probe.get().place();
    for (String libc : libraries(place.binary())) {
      if (exists(place.in(libc))) {
        AttachPoint point = probe.get().at(place.in(libc));
        diagnostics.note(
            DiagnosticCode.REPLACED_FUNCTION,
            clause.pointSpan(),
            place.text().substring(place.binary().length() + 1)
                + " is in libc here: glibc 2.34 and later include "
                + place.binary(),
            "attached is " + point.definition());
        return new Clause(
            point, clause.pointSpan(), clause.predicate(), clause.body(), clause.span());
      }
    }
    return clause;
  }

  /** Returns where to look for libc: beside the library, then where the system has it. */
  private static List<String> libraries(String binary) {
    List<String> names = new ArrayList<>();
    int directory = binary.lastIndexOf('/') + 1;
    if (directory > 0) {
      names.add(binary.substring(0, directory) + LIBC_FILE);
    }
    if (!binary.startsWith("/proc/")) {
      names.add(LIBC);
    }
    return names;
  }

  private boolean exists(UserSelector place) {
    try {
      return place instanceof UserSelector.Pattern pattern
          ? !binaries.select(pattern).functions().isEmpty()
          : !binaries.locate(place).isEmpty();
    } catch (ProbeSiteNotFoundException | UnreadableTargetException e) {
      // What cannot be read is reported where the site is looked up.
      return false;
    }
  }
}
