package dev.ply.bpf.fuzz;

import dev.ply.bpf.generate.Scenarios;
import dev.ply.bpf.generate.Surroundings;
import dev.ply.ir.Script;
import dev.ply.lang.print.ScriptPrinter;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.jqwik.api.RandomGenerator;

/** Random texts: scripts, almost scripts, and what is none. */
final class Texts {
  private static final List<String> WORDS =
      List.of(
          """
          BEGIN END begin kprobe:f k:vfs_read kr:g t:sched:sched_switch t:a/b/ i:1s interval:ms:5 x:y
          tracepoint:syscalls:sys_enter_openat if else delete print( printf( exit( str( strcmp( count()
          count sum( quantize( comm pid m[ m[1] @[ @ @x @x[1] time[ arg0 arg99 retval data-> args. data
          nsecs 0 1 09 0x 0xff 1.5 10u 18446744073709551615 99999999999999999999 "a" "%d" "%s%v%%" "\\""
          " 'a' $x $1 $N $S $F $ $x= $m[ .count( .quantize( nil arg(0) ++ += -- - * / % & | ^ ! ~ && ||
          ^^ << >> < > <= >= == != = -> . , ; ; ; : ? ( ) ) [ ] ] { } } {} / /{ // /* */ # \\ ` while(
          return uptr( 4294967295 9223372036854775808 else{ }else if( ;} delete(
          """
              .strip()
              .split("\\s+"));

  private static final List<String> SCRIPTS =
      List.of(
          "kretprobe:vfs_read { @[\"rdsz\"] = quantize(retval); }",
          "kprobe:f { start[kpid] = nsecs; } kretprobe:f / start[kpid] / { @l[comm] ="
              + " quantize(nsecs - start[kpid]); delete start[kpid]; }",
          "t:sched/sched_process_exec { printf(\"%v %s %5d\\n\", comm, comm, pid); exit(pid); }",
          "tracepoint:syscalls:sys_enter_openat / data->dfd < 0 / { print(str(data->filename, 64));"
              + " }",
          "BEGIN { c[\"x\"] = 0; } i:1ms { if (c[\"x\"] == $N) exit(1); else c[\"x\"] = c[\"x\"] +"
              + " 1; }",
          "k:a, kr:b { @ = count(); @s[uid, gid] = sum(-1 * cpu); n[comm] = comm; }",
          "BEGIN { printf($F, $N); if (strcmp(comm, $S) && comm == \"ply\") { m[$N] = $S; } }",
          "END { print(m, @, 1 << 3, ~0, !pid, -5 / 2, 7 % 0, 1 ^^ 1); } k:f { m[arg0] = arg1 >> 3;"
              + " @ = sum(arg2); }");

  /** Where a script may be made wrong: values, and the ends of statements. */
  private static final Pattern PLACES = Pattern.compile("\\b(pid|comm|uid|cpu|nsecs|retval)\\b|;");

  private final RandomGenerator<Script> scripts =
      Scenarios.scripts(Surroundings.UNSEEN).generator(1000);
  private final Random random;

  Texts(Random random) {
    this.random = random;
  }

  /** Returns another text. */
  String next() {
    int kind = random.nextInt(1000);
    if (kind < 2) {
      return longFile();
    } else if (kind < 10) {
      return nested();
    } else if (kind < 200) {
      return soup(40);
    } else if (kind < 400) {
      return "kprobe:f / pid / { " + soup(30) + " } END { print(1); " + soup(10) + " }";
    } else if (kind < 450) {
      return noise();
    } else if (kind < 550) {
      return mutant(generated());
    }
    return mutant(SCRIPTS.get(random.nextInt(SCRIPTS.size())));
  }

  /** Returns a script that is right but for one thing. */
  String withOneFault() {
    while (true) {
      String script = generated();
      List<MatchResult> places =
          PLACES
              .matcher(script)
              .results()
              .filter(place -> isOutsideStrings(script, place))
              .toList();
      if (!places.isEmpty()) {
        MatchResult place = places.get(random.nextInt(places.size()));
        boolean isEnd = place.group().equals(";");
        return script.substring(0, place.start())
            + (isEnd ? random.nextBoolean() ? " `;" : "; ?" : "nosuch")
            + script.substring(place.end());
      }
    }
  }

  private static boolean isOutsideStrings(String script, MatchResult place) {
    String before = script.substring(script.lastIndexOf('\n', place.start()) + 1, place.start());
    return before.replace("\\\\", "").replace("\\\"", "").chars().filter(c -> c == '"').count() % 2
        == 0;
  }

  private String generated() {
    return ScriptPrinter.print(scripts.next(random).value());
  }

  private String word() {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  private String soup(int most) {
    StringBuilder out = new StringBuilder();
    for (int i = random.nextInt(most); i > 0; i--) {
      out.append(word()).append(List.of(" ", " ", "", "\n", "\t", "\r\n").get(random.nextInt(6)));
    }
    return out.toString();
  }

  private String noise() {
    StringBuilder out = new StringBuilder(random.nextBoolean() ? "BEGIN {" : "");
    int range = List.of(0x80, 0x100, 0x10000).get(random.nextInt(3));
    for (int i = random.nextInt(100); i > 0; i--) {
      out.append((char) random.nextInt(range));
    }
    return out.toString();
  }

  private String nested() {
    int depth = 1 + random.nextInt(random.nextInt(20) == 0 ? 5000 : 600);
    String open =
        List.of("(", "{", "-", "if(1)", "m[", "str(", "1+", "!(", "{if(pid){")
            .get(random.nextInt(9));
    String close = List.of(")", "}", "]", "", "}}").get(random.nextInt(5));
    return "BEGIN { print(" + open.repeat(depth) + word() + close.repeat(depth) + "); }";
  }

  private String longFile() {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      out.append(random.nextInt(3) > 0 ? SCRIPTS.get(random.nextInt(SCRIPTS.size())) : next());
      out.append(random.nextInt(4) > 0 ? "\n" : " ");
    }
    return out.toString();
  }

  /** Changes a text in one to six places. */
  private String mutant(String script) {
    String text = script;
    for (int i = random.nextInt(6); i >= 0; i--) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(6));
      String before = text.substring(0, from);
      String after = text.substring(to);
      text =
          switch (random.nextInt(7)) {
            case 0 -> before + after;
            case 1 -> before + text.substring(from, to) + text.substring(from);
            case 2 -> before + (char) random.nextInt(0x80) + after;
            case 3 -> before + (char) random.nextInt(0x10000) + text.substring(from);
            case 4 -> before + "9".repeat(random.nextInt(40)) + text.substring(from);
            case 5 -> withSwappedWords(text);
            default -> before + " " + word() + " " + after;
          };
    }
    return text;
  }

  private String withSwappedWords(String text) {
    String[] words = text.split("(?<=\\W)|(?=\\W)");
    if (words.length > 0) {
      int a = random.nextInt(words.length);
      words[a] = random.nextBoolean() ? words[random.nextInt(words.length)] : word();
    }
    return String.join("", words);
  }
}
