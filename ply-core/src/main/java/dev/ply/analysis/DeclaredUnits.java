package dev.ply.analysis;

import com.google.common.collect.ImmutableSet;
import dev.ply.analysis.site.ProbeSite;
import dev.ply.analysis.typing.ResultType;
import dev.ply.analysis.typing.TypeMember;
import dev.ply.builtin.catalog.ContextBuiltins;
import dev.ply.ir.Expr;
import dev.ply.ir.TypeName;
import dev.ply.probe.AttachPoint;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.table.TableSchema.Unit;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import dev.ply.type.Type;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The units of what probes pass to programs, where its declaration tells: a {@code ssize_t} is a
 * number of bytes (POSIX, sys/types.h), and so is a {@code size_t} that is a length, or the
 * argument of a function with such a result; members, fields and arguments can be named after their
 * unit.
 */
final class DeclaredUnits {
  /** System calls whose result is a {@code ssize_t}, by their pages of section 2 of man-pages. */
  private static final Set<String> COUNTING_BYTES =
      ImmutableSet.of(
          "read",
          "write",
          "readv",
          "writev",
          "pread64",
          "pwrite64",
          "preadv",
          "pwritev",
          "preadv2",
          "pwritev2",
          "sendto",
          "recvfrom",
          "sendmsg",
          "recvmsg",
          "sendfile",
          "sendfile64",
          "splice",
          "tee",
          "vmsplice",
          "copy_file_range",
          "readlink",
          "readlinkat",
          "getxattr",
          "lgetxattr",
          "fgetxattr",
          "listxattr",
          "llistxattr",
          "flistxattr",
          "process_vm_readv",
          "process_vm_writev",
          "getrandom",
          "msgrcv",
          "mq_timedreceive",
          "getdents64");

  private static final Set<String> LENGTHS = ImmutableSet.of("len", "length");
  private static final Set<String> COUNTS = ImmutableSet.of("count", "size");
  private static final Set<String> BYTES = ImmutableSet.of("bytes", "nbytes");
  private static final Set<String> PAGES = ImmutableSet.of("pages", "npages", "nrpages");

  /** Words of names of something per byte or page, or of pages of another size. */
  private static final Set<String> OTHERS = ImmutableSet.of("per", "ps", "huge");

  private final AnalyzedClause clause;
  private final List<ProbeSite> sites;
  private final Target target;

  DeclaredUnits(AnalyzedClause clause, List<ProbeSite> sites, Target target) {
    this.clause = clause;
    this.sites = sites;
    this.target = target;
  }

  /** Returns the unit of a function's result; empty for other built-ins. */
  Optional<Unit> of(Expr.Call call) {
    return call.function() == ContextBuiltins.RETVAL
        ? Optional.of(everywhere(point -> returnsBytes(point) ? Unit.BYTES : Unit.NONE))
        : Optional.empty();
  }

  /** Returns the unit of an argument by number. */
  Unit of(Expr.Argument argument) {
    return everywhere(
        point ->
            function(point)
                .filter(function -> argument.index() < function.parameters().size())
                .map(function -> function.parameters().get(argument.index()).name())
                .map(name -> ofParameter(point, name))
                .orElse(Unit.NONE));
  }

  /** Returns the unit of a record's field, a named argument, or a structure's member. */
  Unit of(Expr.Member member) {
    if (TypeMember.isContext(member.base())) {
      return everywhere(
          point ->
              point instanceof AttachPoint.Tracepoint tracepoint
                  ? ofField((TracepointSelector.Event) tracepoint.place(), member.name())
                  : ofParameter(point, member.name()));
    }
    Type base = clause.typeOf(member.base());
    Type holder = base instanceof Type.PointerType pointer ? pointer.target() : base;
    return holder instanceof Type.KernelStruct struct
            && target
                .types()
                .member(struct, member.name())
                .filter(one -> !one.isBitField())
                .isPresent()
        ? named("", member.name(), false)
        : Unit.NONE;
  }

  /** Returns the unit at all probe sites of the program; none if they differ. */
  private Unit everywhere(Function<AttachPoint, Unit> at) {
    Unit first = at.apply(sites.get(0).point());
    return first != Unit.NONE && sites.stream().allMatch(site -> at.apply(site.point()) == first)
        ? first
        : Unit.NONE;
  }

  private Unit ofField(TracepointSelector.Event event, String field) {
    boolean isOfCall = event.category().equals("syscalls");
    boolean countsBytes =
        isOfCall && COUNTING_BYTES.contains(event.event().replaceFirst("^sys_(enter|exit)_", ""));
    if (isOfCall && field.equals("ret")) {
      return countsBytes ? Unit.BYTES : Unit.NONE;
    }
    return clause
        .tracepoint()
        .flatMap(format -> format.field(field))
        .map(one -> named(one.declared().map(TypeName::base).orElse(""), field, countsBytes))
        .orElse(Unit.NONE);
  }

  private Unit ofParameter(AttachPoint point, String name) {
    return function(point)
        .map(function -> types(point).declarations(function))
        .map(all -> declared(all, name, all.get(all.size() - 1).equals("ssize_t")))
        .orElse(Unit.NONE);
  }

  /** Returns the function whose parameters a probe has by name. */
  private Optional<KernelTypes.Function> function(AttachPoint point) {
    return point instanceof AttachPoint.RawTracepoint raw
        ? target.types().rawTracepoint(raw.event())
        : point.typedFunction().flatMap(function -> target.types().function(function));
  }

  private KernelTypes types(AttachPoint point) {
    return point
        .typedFunction()
        .flatMap(KernelSelector.Function::module)
        .map(target.types()::module)
        .orElse(target.types());
  }

  private boolean returnsBytes(AttachPoint point) {
    return function(point)
        .map(function -> types(point).declarations(function))
        .map(all -> all.get(all.size() - 1).equals("ssize_t"))
        .orElseGet(() -> new ResultType(target).isNamed(point, "ssize_t"));
  }

  private static Unit declared(List<String> declarations, String name, boolean countsBytes) {
    return declarations.stream()
        .filter(declaration -> declaration.endsWith(" " + name))
        .findFirst()
        .map(one -> named(one.substring(0, one.length() - name.length() - 1), name, countsBytes))
        .orElse(Unit.NONE);
  }

  /**
   * Returns the unit of a declared number.
   *
   * @param countsBytes whether it is an argument of a function whose result is a number of bytes
   */
  private static Unit named(String type, String name, boolean countsBytes) {
    boolean isSize =
        type.equals("size_t") && (LENGTHS.contains(name) || (countsBytes && COUNTS.contains(name)));
    List<String> words = List.of(name.split("_"));
    String last = words.get(words.size() - 1);
    if (isSize || type.equals("ssize_t")) {
      return Unit.BYTES;
    } else if (words.stream().anyMatch(OTHERS::contains)) {
      return Unit.NONE;
    } else if (BYTES.contains(last) || BYTES.contains(words.get(0))) {
      return Unit.BYTES;
    }
    return PAGES.contains(last) ? Unit.PAGES : Unit.NONE;
  }
}
