package dev.ply.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ply.cli.completion.Shell;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Real shells complete what the parser takes, and never run what names contain. */
@Timeout(120)
@Tag("any-java")
class CompletionTest {
  /** Names as programs of other users could have them; none of them may be run, or expanded. */
  private static final List<String> HOSTILE =
      List.of(
          "usdt:/t:0$(touch PWNED)",
          "usdt:/t:1`touch PWNED`",
          "usdt:/t:2a b;touch PWNED",
          "usdt:/t:3'\"; touch PWNED #",
          "usdt:/t:4\\$HOME\\",
          "usdt:/t:5*",
          "usdt:/t:6a&b|c>d",
          "usdt:/t:7${IFS}",
          "usdt:/t:8~root");

  @TempDir Path directory = Path.of("");

  static Stream<CommandManual> manuals() {
    return Ply.manuals().stream();
  }

  /** A command called ply that knows the answers of this Java, and names of its own. */
  @BeforeEach
  void writeCommand() throws IOException {
    for (Shell shell : Shell.values()) {
      Files.writeString(directory.resolve(shell.file()), shell.script(Ply.manuals()));
    }
    Files.writeString(directory.resolve("names"), String.join("\n", HOSTILE) + "\n");
    Files.move(directory.resolve("ply"), directory.resolve("ply.bash"));
    Path command = directory.resolve("ply");
    Files.writeString(
        command,
        "#!/bin/sh\ncase $3 in usdt:*) exec cat \"$NAMES\" ;; esac\nexec '%s' -cp '%s' %s \"$@\"\n"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                Ply.class.getName()));
    assertThat(command.toFile().setExecutable(true)).isTrue();
  }

  private String run(String... words) throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, words[0]))),
        words[0] + " is not installed");
    ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
    builder.environment().put("PATH", directory + ":" + System.getenv("PATH"));
    builder.environment().put("NAMES", directory.resolve("names").toString());
    builder.environment().put("HOME", directory.toString());
    builder.environment().put("XDG_CONFIG_HOME", directory.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    assertThat(directory.resolve("PWNED")).doesNotExist();
    return output;
  }

  /** Returns what bash replies for a command line, split as bash splits it. */
  private String bash(String line, String then) throws Exception {
    return run(
        "bash",
        "--norc",
        "-c",
        """
        source ./ply.bash
        COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
        rest=$1 COMP_WORDS=() open=''
        while [[ $rest ]]; do
          case $rest in
            [[:space:]]*) rest=${rest#?} ;;
            [\\'\\"]*) COMP_WORDS+=("$rest"); open=1 rest='' ;;
            [:=]*) COMP_WORDS+=("${rest:0:1}"); rest=${rest#?} ;;
            *) word=${rest%%[[:space:]:=]*}; COMP_WORDS+=("$word"); rest=${rest#"$word"} ;;
          esac
        done
        [[ $1 == *[[:space:]] && ! $open ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _ply
        """
            + then,
        "bash",
        line);
  }

  private static final String REPLIES = "printf '%s\\n' \"${COMPREPLY[@]}\"";

  @ParameterizedTest
  @MethodSource("manuals")
  void everyOptionIsCompletedInEachShell(CommandManual manual) {
    for (Shell shell : Shell.values()) {
      String script = shell.script(Ply.manuals());
      String own =
          shell == Shell.FISH
              ? "\n# " + manual.command() + "\n"
              : "\n    '" + manual.command().replaceFirst("ply ?", "") + "') ";
      int begin = script.indexOf(own);
      assertThat(begin).as(shell + " " + own).isPositive();
      int end =
          shell == Shell.FISH ? script.indexOf("\n# ", begin + 1) : script.indexOf(";;", begin);
      String options = script.substring(begin, end < 0 ? script.length() : end);
      for (CommandOption option : manual.allOptions().toList()) {
        for (String spelling : option.spellings()) {
          String name =
              shell == Shell.FISH ? " -[ls] " + spelling.replaceFirst("^-+", "") : spelling;
          assertThat(options).as(shell + " " + spelling).containsPattern(name + "(?![-\\w])");
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`ply argd`|argdist",
        "`ply --forma`|--format",
        "`ply -f js`|json",
        "`ply --format=js`|json",
        "`ply bt --missing-probes `|error warn ignore",
        "`ply bt -B f`|full",
        "`ply bt -d ast,ver`|ast,verifier",
        "`ply completion z`|zsh",
        "`ply tool opensn`|opensnoop",
        "`ply tool opensnoop --dur`|--duration",
        "`ply -h quan`|quantize",
        "`ply kpro`|kprobe: kprobe-events",
        "`ply bt -e BEG`|BEGIN",
        "`ply bt -o PWN`|``",
      })
  void bashCompletes(String line, String replies) throws Exception {
    assertThat(bash(line, REPLIES).trim().split("\\s+", -1))
        .containsExactlyInAnyOrder(replies.split(" ", -1));
  }

  @Test
  void bashCompletesScripts() throws Exception {
    String start = "BEGIN { @ = quan";
    assertThat(bash("ply '" + start, REPLIES).lines().toList())
        .containsExactly(start + "tize", start + "tize ");
    assertThat(bash("ply bt -e \"" + start, REPLIES).lines().toList())
        .containsExactly(start + "tize", start + "tize ");
  }

  /** Each reply, read by the shell at the place it is inserted, is the name again. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {"`usdt:/t:`|``", "`'usdt:/t:`|`'`", "`\"usdt:/t:`|`\"`"})
  void bashInsertsAnyNameAsIt(String word, String quote) throws Exception {
    String kept = quote.isEmpty() ? "usdt:/t:" : "";
    String read =
        bash(
            "ply " + word,
            "for reply in \"${COMPREPLY[@]}\"; do eval \"printf '%s\\n' "
                + (quote.equals("\"") ? "\\\"" : quote)
                + kept
                + "$reply"
                + (quote.equals("\"") ? "\\\"" : quote)
                + "\"; done");
    assertThat(read.lines()).containsExactlyElementsOf(HOSTILE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`ply argd`|`argdist`",
        "`ply --forma`|`--format`",
        "`ply -f js`|`json`",
        "`ply --format=js`|`--format=json`",
        "`ply bt --missing-probes `|`error,ignore,warn`",
        "`ply -h quan`|`quantize`",
        "`ply completion z`|`zsh`",
        "`ply tool opensn`|`opensnoop`",
        "`ply tool opensnoop --dur`|`--duration`",
        "`ply 'BEGIN { @ = quan`|`BEGIN { @ = quantize`",
      })
  void fishCompletes(String line, String replies) throws Exception {
    Path completions = Files.createDirectories(directory.resolve("fish/completions"));
    Files.copy(directory.resolve("ply.fish"), completions.resolve("ply.fish"));
    assertThat(
            run("fish", "-c", "complete -C $argv[1]", line)
                .lines()
                .map(reply -> reply.replaceFirst("\t.*", "")))
        .containsExactly(replies.split(",", -1));
  }

  @Test
  void fishListsAnyNameAsItIs() throws Exception {
    Path completions = Files.createDirectories(directory.resolve("fish/completions"));
    Files.copy(directory.resolve("ply.fish"), completions.resolve("ply.fish"));
    assertThat(run("fish", "-c", "complete -C $argv[1]", "ply 'usdt:/t:").lines())
        .containsExactlyInAnyOrderElementsOf(HOSTILE);
  }

  @Test
  void zshCompletes() throws Exception {
    Map<String, String> read = new LinkedHashMap<>();
    read.put("ply argd", "argdist");
    read.put("ply --forma", "--format");
    read.put("ply -f js", "-f json");
    read.put("ply --format=js", "--format=json");
    read.put("ply bt --missing-probes w", "bt --missing-probes warn");
    read.put("ply bt -d ast,ver", "bt -d ast,verifier");
    read.put("ply -h quan", "-h quantize");
    read.put("ply completion z", "completion zsh");
    read.put("ply tool opensn", "tool opensnoop");
    read.put("ply tool opensnoop --dur", "tool opensnoop --duration");
    read.put("ply 'BEGIN { @ = quan", "BEGIN { @ = quantize");
    for (int i = 0; i < HOSTILE.size(); i++) {
      read.put("ply usdt:/t:" + i, HOSTILE.get(i));
      read.put("ply 'usdt:/t:" + i, HOSTILE.get(i));
    }
    assertThat(zsh(read.keySet())).containsExactlyElementsOf(read.values());
  }

  /** Types lines and TAB into an interactive zsh, and returns what the command is called with. */
  private List<String> zsh(Set<String> lines) throws Exception {
    Files.writeString(
        directory.resolve(".zshrc"),
        """
        PS1='READY> ' fpath=($HOME $fpath)
        autoload -Uz compinit; compinit -u -D
        setopt nobanghist
        # Prints the words that were typed and inserted, without their quotes; one may be open.
        show() {
          [[ $BUFFER == *\\ \\'* ]] && BUFFER+=\\'
          local -a w=("${(@Q)${(z)BUFFER}}")
          print -r -- "GOT[${w[2,-1]}]GOT"
          BUFFER=
        }
        zle -N show; bindkey '^X^Y' show
        """);
    List<String> words =
        new ArrayList<>(
            List.of(
                "zsh",
                "-f",
                "-c",
                """
                zmodload zsh/zpty
                zpty shell ZDOTDIR=$HOME TERM=dumb zsh -i
                zpty -r shell seen '*READY> *'
                for line; do
                  zpty -w -n shell "$line"$'\\t\\x18\\x19'
                  zpty -r shell seen '*GOT\\[*\\]GOT*'
                  print -r -- "$seen"
                done
                """,
                "zsh"));
    words.addAll(lines);
    return Pattern.compile("GOT\\[(.*)]GOT")
        .matcher(run(words.toArray(String[]::new)))
        .results()
        .map(found -> found.group(1))
        .toList();
  }
}
