package dev.ply.shell;

import dev.ply.shell.ShellStatements.Word;
import dev.ply.text.PrintfFormat;
import dev.ply.text.PrintfFormat.Literal;
import dev.ply.text.PrintfFormat.Piece;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides whether traced values reach the programs of a shell script as arguments and environment
 * variables only. What a program does with them is not known: those that are known to run, or parse
 * as code, what they are given are refused.
 */
final class ShellCheck {
  /** Constructs that parse a string as code once more. */
  private static final Pattern EVALUATION =
      Pattern.compile(
          "\\(\\(|\\[\\[|\\$\\[|<<"
              + "|(?<![\\w./-])(?:eval|let|trap|alias|source|declare|typeset|unset|read|ssh|su)"
              + "(?![\\w./-])");

  private static final Pattern SHELL =
      Pattern.compile("(?:ba|da|a|k|mk|pdk|z|c|tc|fi|r)?sh|busybox|toybox");

  private static final Pattern ASSIGNMENT =
      Pattern.compile("([A-Za-z_]\\w*)\\+?=.*", Pattern.DOTALL);

  /** Variables that decide which programs and libraries are run. */
  private static final Pattern DECISIVE =
      Pattern.compile("PATH|IFS|ENV|BASH_ENV|SHELL|PS4|LD_.*|\\w*(?:EDITOR|PAGER|SHELL|COMMAND)");

  /** Prefixes of a command that leave its arguments as they are. */
  private static final Set<String> BEFORE =
      Set.of(
          "!", "{", "if", "then", "elif", "else", "while", "until", "do", "exec", "command",
          "nohup", "time", "sudo");

  /** Programs that run their arguments, or what they read, as others or as code. */
  private static final Set<String> RUNNERS =
      Set.of(
          ".",
          "export",
          "getopts",
          "local",
          "mapfile",
          "readarray",
          "readonly",
          "set",
          "shift",
          "at",
          "batch",
          "builtin",
          "chroot",
          "chrt",
          "crontab",
          "docker",
          "doas",
          "entr",
          "env",
          "flock",
          "gdb",
          "ionice",
          "ltrace",
          "m4",
          "make",
          "nsenter",
          "parallel",
          "perf",
          "podman",
          "rsh",
          "runuser",
          "script",
          "setpriv",
          "setsid",
          "stdbuf",
          "strace",
          "systemd-run",
          "taskset",
          "unshare",
          "watch",
          "xargs",
          "ed",
          "ex",
          "vi",
          "vim",
          "bc",
          "dc",
          "sqlite3",
          "psql",
          "mysql");

  private static final Pattern INTERPRETER =
      Pattern.compile("python[0-9.]*|perl[0-9.]*|ruby|node|lua[0-9.]*|php|tclsh|expect|jshell");

  private static final Set<String> FILTERS = Set.of("awk", "gawk", "mawk", "nawk", "sed");

  private static final Set<String> TAKES_CODE = Set.of("-e", "--expression", "-f", "--file");

  private ShellCheck() {}

  /** Returns what could run a traced value as code; empty if nothing is seen. */
  static Optional<String> danger(PrintfFormat format) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : format.pieces()) {
      text.append(piece instanceof Literal literal ? literal.text() : ShellStatements.VALUE);
    }
    return find(EVALUATION, text)
        .or(
            () ->
                ShellStatements.of(text.toString()).stream()
                    .flatMap(words -> danger(words).stream())
                    .findFirst());
  }

  private static Optional<String> find(Pattern pattern, CharSequence text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? Optional.of(found.group()) : Optional.empty();
  }

  private static Optional<String> danger(List<Word> words) {
    Optional<Word> shell =
        words.stream().filter(word -> SHELL.matcher(word.program()).matches()).findFirst();
    if (shell.isPresent()) {
      return shell.map(Word::text);
    }
    if (words.stream().anyMatch(Word::hasParameter)) {
      return Optional.of("a parameter of the script, which is a value");
    }
    int start = 0;
    while (start < words.size() && BEFORE.contains(words.get(start).text())) {
      start++;
    }
    int command = start;
    while (command < words.size() && isAssignment(words.get(command))) {
      command++;
    }
    List<Word> assigned = words.subList(start, command);
    boolean isLasting = command == words.size();
    Optional<Word> variable =
        assigned.stream()
            .filter(Word::hasValue)
            .filter(word -> isLasting || isDecisive(word))
            .findFirst();
    if (variable.isPresent() || isLasting) {
      return variable.map(word -> name(word) + "=");
    }
    return danger(words.get(command), words.subList(command + 1, words.size()));
  }

  private static boolean isAssignment(Word word) {
    return ASSIGNMENT.matcher(word.text()).matches();
  }

  private static boolean isDecisive(Word word) {
    return DECISIVE.matcher(name(word)).matches();
  }

  private static String name(Word word) {
    return word.text().substring(0, word.text().indexOf('='));
  }

  private static Optional<String> danger(Word command, List<Word> arguments) {
    String program = command.program();
    if (command.hasValue() || command.hasSubstitution()) {
      return Optional.of("a command's name");
    }
    boolean isRefused;
    if (program.equals("timeout") || program.equals("nice")) {
      return danger(arguments.stream().dropWhile(ShellCheck::isOption).toList());
    } else if (program.equals("for")) {
      isRefused = arguments.stream().anyMatch(Word::hasValue);
    } else if (program.equals("find")) {
      isRefused = arguments.stream().anyMatch(word -> word.text().matches("-(exec|ok).*"));
    } else if (INTERPRETER.matcher(program).matches()) {
      // A script's file is named first.
      isRefused =
          arguments.isEmpty()
              || arguments.get(0).hasValue()
              || arguments.get(0).text().startsWith("-");
    } else if (FILTERS.contains(program)) {
      isRefused = isCodeOfFilter(arguments);
    } else {
      isRefused = RUNNERS.contains(program);
    }
    return isRefused ? Optional.of(command.text()) : Optional.empty();
  }

  /** Returns whether a word before a command is an option, or a number. */
  private static boolean isOption(Word word) {
    return !word.hasValue() && word.text().matches("-.*|[0-9.]+[smhd]?");
  }

  private static boolean isCodeOfFilter(List<Word> arguments) {
    boolean isPart =
        arguments.stream().anyMatch(word -> word.hasValue() && !word.isValueOrAssigned());
    boolean isFirst = arguments.stream().findFirst().filter(Word::hasValue).isPresent();
    boolean isGiven =
        Stream.iterate(1, i -> i < arguments.size(), i -> i + 1)
            .anyMatch(
                i ->
                    arguments.get(i).hasValue()
                        && TAKES_CODE.contains(arguments.get(i - 1).text()));
    return isPart || isFirst || isGiven;
  }
}
