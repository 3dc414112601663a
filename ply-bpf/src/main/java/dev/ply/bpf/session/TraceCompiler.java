package dev.ply.bpf.session;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.MapMaker;
import com.google.common.collect.Sets;
import dev.ply.Probe;
import dev.ply.TraceOptions;
import dev.ply.analysis.AnalyzedScript;
import dev.ply.analysis.Analyzer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.codegen.program.CodeGenerator;
import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfObject;
import dev.ply.bpf.object.ProbeProgram;
import dev.ply.bpf.verifier.VerificationException;
import dev.ply.bpf.verifier.VerificationReport;
import dev.ply.bpf.verifier.Verifier;
import dev.ply.bpf.verifier.Violation;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Severity;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.ir.Script;
import dev.ply.target.KernelTypes;
import dev.ply.target.Target;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;

/** The pipeline: analyse, generate, verify; the kernel verifies what it loads. Thread-safe. */
@SuppressWarnings("exports") // parts of it are for the other modules
public final class TraceCompiler {
  private static final ImmutableSet<Helper> TAKE_OBJECTS =
      Sets.immutableEnumSet(Helper.GET_SOCKET_COOKIE, Helper.SKB_OUTPUT, Helper.D_PATH);

  private final Target target;
  private final CompilerOptions options;
  private final Optional<ConcurrentMap<Script, CompiledTrace>> known;
  private final boolean isVerifiedByKernel;

  /** Creates a compiler for a target, without cache. */
  public TraceCompiler(Target target, CompilerOptions options) {
    this(target, options, Optional.empty(), false);
  }

  private TraceCompiler(
      Target target,
      CompilerOptions options,
      Optional<ConcurrentMap<Script, CompiledTrace>> known,
      boolean isVerifiedByKernel) {
    this.target = target;
    this.options = options;
    this.known = known;
    this.isVerifiedByKernel = isVerifiedByKernel;
  }

  /**
   * Returns a compiler for traces that the kernel verifies when it loads them. To verify them
   * before, too, takes longer than all the rest for programs that walk stacks; this one verifies
   * what was refused, to tell why.
   */
  public static TraceCompiler ofKernel(Target target, CompilerOptions options) {
    return new TraceCompiler(target, options, Optional.empty(), true);
  }

  /**
   * Returns a compiler for a target that caches results while their scripts are reachable, to run a
   * script on several machines.
   */
  public static TraceCompiler onceEach(Target target, CompilerOptions options) {
    // Weak keys compare by identity, which avoids hashing whole scripts.
    return new TraceCompiler(
        target, options, Optional.of(new MapMaker().weakKeys().makeMap()), false);
  }

  /**
   * Compiles and verifies a script.
   *
   * @throws dev.ply.diagnostic.CompilationException with all errors of the script
   * @throws VerificationException if the generated code is rejected, which is a bug of this
   *     compiler
   */
  public BpfObject compile(Script script) {
    return compiled(script).object();
  }

  /**
   * Generates and verifies an analysed script, for this compiler's target.
   *
   * @throws VerificationException if the generated code is rejected, which is a bug of this
   *     compiler
   */
  public BpfObject compile(AnalyzedScript analyzed) {
    BpfObject object = generate(analyzed);
    verify(object, analyzed.target().types());
    return object;
  }

  private BpfObject generate(AnalyzedScript analyzed) {
    return new CodeGenerator(options.with(analyzed.configuration())).generate(analyzed);
  }

  CompiledTrace compiled(Script script) {
    return known.isEmpty()
        ? compile(script, new IdentityHashMap<>())
        : known.get().computeIfAbsent(script, fresh -> compile(fresh, new IdentityHashMap<>()));
  }

  CompiledTrace compile(List<? extends Probe> probes, TraceOptions options) {
    IdentityHashMap<Probe, String> names = new IdentityHashMap<>();
    List<String> list = Probe.mapNames(probes);
    for (int i = 0; i < probes.size(); i++) {
      names.put(probes.get(i), list.get(i));
    }
    return compile(options.applyTo(Probe.script(probes)), names);
  }

  CompiledTrace compile(Script script, IdentityHashMap<Probe, String> names) {
    AnalyzedScript analyzed = new Analyzer(target, options.safety()).analyze(script);
    BpfObject object = isVerifiedByKernel ? generate(analyzed) : compile(analyzed);
    return new CompiledTrace(target, analyzed, object, names);
  }

  /**
   * Verifies a trace that could not be loaded, unless that was done when it was compiled.
   *
   * @throws CompilationException if the script is the reason
   * @throws VerificationException if the generated code is, which is a bug of this compiler
   */
  void explainRefusal(CompiledTrace refused) {
    if (isVerifiedByKernel) {
      verify(refused.object(), refused.target().types());
    }
  }

  /** The complexity limit of verifiers is an error of the script. */
  private static CompilationException tooComplex(Violation violation) {
    return new CompilationException(
        List.of(
            new Diagnostic(
                Severity.ERROR,
                DiagnosticCode.TOO_COMPLEX,
                violation.span().orElse(SourceSpan.NONE),
                "too many paths through this clause: the kernel would refuse it",
                List.of(
                    "it follows a million instructions and 8192 open branches, each iteration of a"
                        + " loop separately: use fewer iterations, or split the clause"))));
  }

  /** Which members the kernel trusts is only known to verifiers. */
  private static boolean isOfUntrusted(Violation violation) {
    return violation.instruction() instanceof Instruction.CallHelper call
        && TAKE_OBJECTS.stream().anyMatch(helper -> helper.number() == call.number());
  }

  private static CompilationException untrusted(Violation violation) {
    return new CompilationException(
        List.of(
            new Diagnostic(
                Severity.ERROR,
                DiagnosticCode.NOT_AVAILABLE_HERE,
                violation.span().orElse(SourceSpan.NONE),
                "the kernel does not accept a structure that is reached this way",
                List.of(
                    "it accepts the arguments of a raw tracepoint, but not everything that they"
                        + " point to; try fentry"))));
  }

  private static void verify(BpfObject object, KernelTypes types) {
    Verifier verifier = new Verifier(object.maps(), types);
    for (ProbeProgram program : object.programs()) {
      VerificationReport report = verifier.verify(program.program());
      if (report.isTooComplex()) {
        throw tooComplex(report.violations().get(0));
      }
      if (!report.isAccepted()) {
        report.violations().stream()
            .filter(TraceCompiler::isOfUntrusted)
            .findFirst()
            .ifPresent(
                violation -> {
                  throw untrusted(violation);
                });
        throw new VerificationException(program.title(), report);
      }
    }
  }
}
