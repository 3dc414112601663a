package dev.ply.bpf.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.analysis.Analyzer;
import dev.ply.bpf.codegen.CompilerOptions;
import dev.ply.bpf.generate.Stage;
import dev.ply.bpf.session.TraceCompiler;
import dev.ply.diagnostic.CompilationException;
import dev.ply.diagnostic.Diagnostic;
import dev.ply.diagnostic.DiagnosticRenderer;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Source;
import dev.ply.ir.Script;
import dev.ply.ir.declaration.Configuration;
import dev.ply.lang.ParseResult;
import dev.ply.lang.ScriptParser;
import dev.ply.lang.argument.ScriptArguments;
import dev.ply.lang.bcc.ArgdistScript;
import dev.ply.lang.bcc.ArgdistScript.Request;
import dev.ply.lang.bcc.ArgdistSettings;
import dev.ply.lang.bcc.Collect;
import dev.ply.lang.bcc.TraceScript;
import dev.ply.lang.bcc.TraceSettings;
import dev.ply.lang.events.EventDefinition;
import dev.ply.lang.events.EventExport;
import dev.ply.lang.events.EventFilter;
import dev.ply.lang.events.EventSpace;
import dev.ply.lang.events.EventSyntax;
import dev.ply.lang.events.parse.EventParser;
import dev.ply.lang.events.translate.EventTranslator;
import dev.ply.machine.Architecture;
import dev.ply.selector.InvalidSelectorException;
import dev.ply.selector.KernelSelector;
import dev.ply.selector.TracepointSelector;
import dev.ply.selector.UsdtSelector;
import dev.ply.selector.UserSelector;
import dev.ply.target.Target;
import dev.ply.type.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever is typed into a front end, the answer is a program or errors in words, never another
 * exception. Each front end gets {@code -Dfuzz.inputs=N} inputs, 300 if not set, of the sequence
 * that {@code -Dfuzz.seed=N} starts.
 */
@Tag("any-java")
class FrontEndFuzzTest {
  private static final int INPUTS = Integer.getInteger("fuzz.inputs", 300);
  private static final long SEED = Long.getLong("fuzz.seed", 1);
  private static final Target TARGET = Stage.target(Architecture.X86_64);
  private static final ScriptArguments ARGUMENTS =
      ScriptArguments.ofEnvironment(Map.of("N", "-3", "S", "a string"));

  private static final List<String> SCRIPT_WORDS =
      words(
          """
          BEGIN END fn macro config = { } ( ) [ ] ; : , . -> $x $y @ @m @m[1] let import if else while
          for for($i:0..3) unroll(3) return break continue u64 int8 struct string void typeof( sizeof(
          offsetof( latency entry(arg0) quantize( lhist( count() sum( hist( print( printf( strftime(
          kretprobes:f kretprobe:vfs_read kprobe:vfs_read fexit:vfs_read uprobe:c:f usdt:c:a:b
          tracepoint:test:test profile:hz:99 interval:1s hardware:cycles:1000 software:faults:1 iter:task
          rawtracepoint:x watchpoint:0x1:8:w bench:x self:signal:SIGUSR1 kstack ustack(3) comm pid args
          args.name retval arg0 nsecs 0 1 -1 0xffffffffffffffff 1.5 1e9 10ms "a" "%d" 'a' /pid/ // /* */
          #define #include <linux/fs.h> #if #endif \\ ? ++ -- && || == != <= >= << >> ! ~ ^ % * / + -
          (1,2) .0 find( has_key( delete( clear( zero( join( buf( str( kaddr( ksym( uaddr( strerror(
          max_strlen missing_probes stack_mode elapsed strcap( is_err( assert( fail( exit( path( macro
          """);

  private static final List<String> SCRIPTS =
      List.of(
          "fn r($a: u64): u64 { return $a + 1; } BEGIN { print(r(1)); }",
          "fn r(): { } BEGIN { r(); }",
          "kretprobes:f { @ = quantize(latency); }",
          "fn r(): void { print(1); } BEGIN { r(); }",
          "macro m($x, @y, z) { @y[$x] = z; $x } BEGIN { $v = 1; print(m($v, @n, 3)); }",
          "config = { max_strlen = 64; missing_probes = \"warn\" } BEGIN { print(1); }",
          "kretprobe:vfs_read { @[comm] = quantize(latency); @s = sum(entry(arg2)); }",
          "struct s { int a; char b[4]; struct s *next; }; kprobe:vfs_read { print(((struct s"
              + " *)arg0)->next->a); }",
          "tracepoint:test:test / args.u32 > 3 / { @[args.s64, str(args.path)] = count(); }",
          "#define M 3\n#ifdef M\nBEGIN { print(M); }\n#else\nEND { }\n#endif",
          "BEGIN { let $x: u64 = 3; while ($x > 0) { $x--; if ($x == 1) { break; } else { continue;"
              + " } } for ($i : 0..3) { print(($i, \"a\", (1, 2))); } unroll(2) { print(1); } }",
          "kprobe:vfs_read { @x[kstack, ustack(3)] = count(); } interval:s:1 { print(@x, 3, 2);"
              + " clear(@x); for ($kv : @x) { print($kv.0); } }",
          "let @m = lruhash(10); BEGIN { @m[1] = 1; if (has_key(@m, 1)) { delete(@m, 1); }"
              + " printf(\"%d %s %-5.3x\\n"
              + "\", 1, \"a\", 3); @h = lhist(3, 0, 10, 1); @t = avg(3); }",
          "enum e { A, B = 3 }; BEGIN { print((enum e)3); print(sizeof(struct x)); print(A ? B :"
              + " 2); }",
          "uprobe:c:\"f+3\", uretprobe:/bin/sh:main, usdt:/bin/sh:p:n { print(arg0); }",
          "profile:hz:99 /comm == \"x\"/ { @[tid] = count(); } END { print(@); exit(3); }");

  private static final List<String> ARGDIST_WORDS =
      words(
          """
          p r t u : :: , ( ) () # % * & [ ] int u32 u64 char* char size_t void struct file ->f_pos $retval
          $latency $entry(count) $PID $TID $COMM args->s64 arg1 arg3 STRCMP("a",b) == != && || > < >= ! ~
          << >> ? 0 1 0x10 -1 'a' "a" "\\" sizeof( _IO vfs_read test libc c "/bin/sh" ; ... 9999999999999999
          """);

  private static final List<String> TRACE_SPECIFIERS =
      List.of(
          "do_sys_open \"%s %d%%\", arg2@user, arg1",
          "sys_read (arg3 > 20000 && STRCMP(\"a\", arg2@user)) \"read %d\", arg3 ? 1 : 'a'",
          "r::vfs_read (retval < 0) \"%lld %-5x\", retval, $uid",
          "t:test:test (args->u32 > 3) \"%d\", args->s64",
          "u:pthread:a:b \"%hhu %K %U %p\", arg1, arg2, arg3, arg4",
          "p:c:open(char *name, int flags) (flags & O_CREAT) \"%s\\n\", name",
          "p::vfs_read+0x12");

  private static final List<String> SPECIFIERS =
      List.of(
          "p::vfs_read(struct file *file, char *buf, size_t count):size_t:count:count > 3#sizes",
          "p:a\nb:f()",
          "r::vfs_read():int:$retval:$retval > 0",
          "r::vfs_read(void *f, void *b, u64 count):u64:$latency/1000,u64:$entry(count)",
          "p:c:malloc(size_t size):size_t:size:size==16",
          "p:c:open(char* filename, int flags):char*,int:filename,flags:flags & 1",
          "t:test:test():u64:args->s64:args->u32 > 3",
          "u:pthread:pthread_create():int,char*:arg1,arg3",
          "p::vfs_read():u32,u64:$PID,$TID:STRCMP(\"a\", $COMM)");

  private static final List<String> EVENT_WORDS =
      words(
          """
          p r f t e p:a/b r8: e:x -:a ! vfs_read vfs_read+8 vfs_read%return test.test test/test wake $retval
          $retval->f_pos $arg* $arg1 $arg99 $stack $stack3 $comm %ax %di @jiffies @0x10 @+8 +0( -8( +u8( )
          +0($arg*) \\1 \\"x" =:string :ustring :u8 :x64[3] :b3@2/8 :symbol :char[4] :%pd :%pD file->f_flags
          buf count if dfd > 3 /bin/sh:main /bin/sh:0x10 /bin/sh:0x10(0x20) "/bin/sh":main = : [ ] ( )
          """);

  private static final List<String> EVENTS =
      List.of(
          "p:g/e vfs_read file=%di:x64 pos=+16(%di):s64 name=+0(+8(%si)):string",
          "r16:ret vfs_read $retval:s64",
          "f:x vfs_read $arg* file->f_pos",
          "f vfs_read%return ret=$retval $arg1",
          "f vfs_read +0($arg*)",
          "p \"/bin/sh\":main",
          "p vfs_read+4 $stack3 @jiffies:u64 @0xffff $comm \\3 \\\"text\"",
          "p vfs_read a=+u0($arg2):ustring b=%si:u8[4] c=%si:b3@2/8 d=$arg1:symbol e=$arg1:%pd",
          "t:x wake $arg*",
          "e:x test.test v=$s64:s64 n=+0($path):string",
          "e:x test.test v=$s64 if s64 > -3 && path.ustring ~ \"a*\" || u32 & CPUS{0-3,8}",
          "p:u /bin/sh:0x10%return(0x2000) $retval",
          "p:g/e vfs_read a=%di b=%si\np:g/e vfs_read a=%di",
          "p:u /bin/sh:0x1139 %di +8(%si):string @+16",
          "p:u /bin/sh:main%return $retval",
          "p /bin/sh:0x10(0x2000) a=%ax");

  private static final List<String> FILTER_WORDS =
      words(
          """
          e g/e : a == != > < >= & ~ && || ( ) "x" x 3 -1 0x comm common_pid CPUS{0} cpu ! * .ustring
          common_type CPUS{0-7:1/2,9} CPUS{ } __probe_ip .function 0
          """);

  private static final List<String> FILTERS =
      List.of(
          "e:pos > 3",
          "g/e:comm == \"x\" && (pos != 3 || name ~ \"*a\")",
          "e:!(pos & 7)",
          "e:name.ustring == \"x\" || cpu & CPUS{0-3,5} && common_type > 3",
          "e:0");

  private static final List<String> SITE_WORDS =
      words(
          """
          c libc.so.6 /bin/sh "/bin/a b" : :: + +8 +0x10 0x1139 0x1139(0x20) * ? [a-z] [[:alpha:]] cpp: "f"
          "f(int)" Server::run a.b $x 99999999999999999999 \\ { } , ; / vmlinux: ext4: sched: - ~ é \0
          """);

  private static final List<String> SITES =
      List.of(
          "c:malloc",
          "\"/bin/a b\":main+8",
          "/bin/sh:0x1139(0x20)",
          "c:cpp:\"Server::run*\"",
          "cpp:\"f(int)\"",
          "vfs_read+0x10",
          "ext4:ext4_*",
          "sched:sched_switch",
          "/bin/sh:provider:name",
          "c:mem[a-z]*",
          "*:\"main.f[go.shape.string_0]\"");

  /** What takes text from a user; its check throws nothing but failures. */
  record FrontEnd(String name, List<String> seeds, List<String> words, Consumer<String> check) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<FrontEnd> frontEnds() {
    return Stream.of(
        new FrontEnd("ply", SCRIPTS, SCRIPT_WORDS, text -> script(text, Dialect.PLY)),
        new FrontEnd("bt", SCRIPTS, SCRIPT_WORDS, text -> script(text, Dialect.BPFTRACE)),
        new FrontEnd(
            "argdist -C", SPECIFIERS, ARGDIST_WORDS, text -> argdist(text, Collect.COUNTS)),
        new FrontEnd(
            "argdist -H", SPECIFIERS, ARGDIST_WORDS, text -> argdist(text, Collect.HISTOGRAM)),
        new FrontEnd("trace", TRACE_SPECIFIERS, ARGDIST_WORDS, FrontEndFuzzTest::trace),
        new FrontEnd(
            "kprobe-events",
            EVENTS,
            EVENT_WORDS,
            text -> events(text, EventSpace.KERNEL, List.of())),
        new FrontEnd(
            "uprobe-events", EVENTS, EVENT_WORDS, text -> events(text, EventSpace.USER, List.of())),
        new FrontEnd("--filter", FILTERS, FILTER_WORDS, FrontEndFuzzTest::filter),
        new FrontEnd("attach points", SITES, SITE_WORDS, FrontEndFuzzTest::sites));
  }

  private static List<String> words(String lines) {
    return List.of(lines.strip().split("\\s+"));
  }

  @ParameterizedTest
  @MethodSource("frontEnds")
  void anyInputIsAProgramOrAnError(FrontEnd frontEnd) {
    Mutants mutants = new Mutants(frontEnd.seeds(), frontEnd.words(), new Random(SEED));
    Map<String, String> failures = new TreeMap<>();
    Stream.concat(frontEnd.seeds().stream(), Stream.generate(mutants::next).limit(INPUTS))
        .forEach(
            text ->
                failure(frontEnd, text)
                    .ifPresent(one -> failures.merge(one, text, FrontEndFuzzTest::shorter)));
    assertThat(failures).as("the shortest input for each failure").isEmpty();
  }

  private static String shorter(String one, String other) {
    return one.length() <= other.length() ? one : other;
  }

  /** Returns the exception of an input and where it is thrown, if any. */
  private static Optional<String> failure(FrontEnd frontEnd, String text) {
    try {
      frontEnd.check().accept(text);
      return Optional.empty();
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      return Optional.of(
          e.getClass().getSimpleName()
              + Stream.of(e.getStackTrace())
                  .filter(frame -> frame.getClassName().startsWith("dev.ply."))
                  .limit(3)
                  .toList());
    }
  }

  private static void script(String text, Dialect dialect) {
    Source source = new Source("fuzz", text);
    ParseResult parsed = ScriptParser.parse(source, ARGUMENTS);
    compile(source, parsed.script(), parsed.diagnostics(), dialect);
  }

  private static void argdist(String text, Collect collect) {
    ArgdistScript script =
        ArgdistScript.translate(List.of(new Request(collect, text)), ArgdistSettings.DEFAULT);
    ParseResult result = script.result();
    compile(script.source(), result.script(), result.diagnostics(), Dialect.PLY);
  }

  private static void trace(String text) {
    TraceScript script = TraceScript.translate(List.of(text), TraceSettings.DEFAULT);
    ParseResult result = script.result();
    compile(script.source(), result.script(), result.diagnostics(), Dialect.PLY);
  }

  private static void events(String text, EventSpace space, List<EventFilter> filters) {
    Source source = new Source("fuzz", text);
    EventParser.Result parsed = EventParser.parse(source, space, TARGET.architecture());
    EventTranslator.Result translated =
        EventTranslator.translate(parsed.definitions(), space, TARGET, EventSyntax.NEWEST, filters);
    List<Diagnostic> all = new ArrayList<>(parsed.diagnostics());
    all.addAll(EventSyntax.NEWEST.beyond(parsed.definitions()));
    all.addAll(translated.diagnostics());
    if (Diagnostics.hasErrors(all)) {
      assertSpeaks(Diagnostics.onePerPlace(all), source);
      return;
    }
    for (EventDefinition definition : parsed.definitions()) {
      assertThat(EventExport.line(definition, TARGET.binaries())).isNotEmpty();
    }
    compile(source, translated.script(), List.of(), Dialect.PLY);
  }

  private static void filter(String text) {
    EventFilter filter = EventFilter.of(new Source("fuzz", text));
    events(EVENTS.get(0), EventSpace.KERNEL, List.of(filter));
  }

  private static void sites(String text) {
    List<Consumer<String>> parsers =
        List.of(
            UserSelector::parse,
            UserSelector::parseEntry,
            UsdtSelector::parse,
            KernelSelector::parse,
            KernelSelector::parseEntry,
            TracepointSelector::parse);
    for (Consumer<String> parser : parsers) {
      try {
        parser.accept(text);
      } catch (InvalidSelectorException e) {
        assertThat(e).hasMessageMatching("(?s).+");
      }
    }
    Stream.of("uprobe:", "uretprobe:", "usdt:", "kprobe:", "kretprobe:", "tracepoint:", "fentry:")
        .forEach(provider -> script(provider + text + " { @ = count(); }", Dialect.PLY));
  }

  /** Compiles a script with what its parser reported. */
  private static void compile(
      Source source, Script script, List<Diagnostic> known, Dialect dialect) {
    Configuration settings = new Configuration(Map.of(), dialect);
    Script configured = script.withConfiguration(settings.withDefaults(script.configuration()));
    try {
      if (Diagnostics.hasErrors(known)) {
        new Analyzer(TARGET).analyze(configured, known);
      } else {
        new TraceCompiler(TARGET, CompilerOptions.DEFAULT).compile(configured);
      }
    } catch (CompilationException refusal) {
      assertSpeaks(refusal.diagnostics(), source);
    }
  }

  private static void assertSpeaks(List<Diagnostic> diagnostics, Source source) {
    assertThat(Diagnostics.hasErrors(diagnostics)).isTrue();
    assertThat(DiagnosticRenderer.render(diagnostics, source)).isNotEmpty();
  }
}
