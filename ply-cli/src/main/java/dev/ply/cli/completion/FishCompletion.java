package dev.ply.cli.completion;

import dev.ply.cli.manual.Argument;
import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import java.util.List;

/** Completion for fish, which quotes what it inserts. */
final class FishCompletion {
  private static final String FUNCTIONS =
      """
      # Tells whether a command, $argv[1], is being written; ply itself is ''.
      function __ply_at
          set -l words (commandline -opc)
          set -l at ''
          if test (count $words) -gt 1; and contains -- $words[2] $__ply_commands
              set at $words[2]
              if test "$at" = tool; and test (count $words) -gt 2; and contains -- $words[3] $__ply_tools
                  set at "tool $words[3]"
              end
          end
          test "$at" = "$argv[1]"
      end

      # Tells whether the command line has one of these words.
      function __ply_has
          set -l words (commandline -opc)
          for word in $argv
              contains -- $word $words; and return 0
          end
          return 1
      end

      # Tells whether a probe, or more of a script, is being written.
      function __ply_colon
          string match -q '*:*' -- (commandline -ct | string collect)
      end

      # Prints what ply answers, for the script or probe being written; nothing if it cannot.
      function __ply_live
          set -l text (commandline -ct | string collect)
          if string match -qr '^[\\'"]' -- $text
              set text (string sub -s 2 -- $text | string collect)
          else
              set text (string replace -ra '\\\\\\\\(.)' '$1' -- $text | string collect)
          end
          set text (string replace -r '^--[a-z-]+=' '' -- $text | string collect)
          if string match -qr '^[A-Za-z]*$' -- $text
              printf '%s\\n' $__ply_providers
          else
              command ply complete -- $text 2>/dev/null </dev/null
          end
      end

      function __ply_processes
          string match -r '[0-9]+$' -- /proc/*
      end

      complete -c ply -e
      """;

  private FishCompletion() {}

  static String script(CompletedCommands commands) {
    StringBuilder script = new StringBuilder();
    script
        .append("# Completion of ply for fish; ply completion fish prints it.\n\n")
        .append("set -g __ply_commands ")
        .append(commands.words())
        .append("\nset -g __ply_tools ")
        .append(commands.tools())
        .append("\nset -g __ply_providers ")
        .append(CompletedCommands.providers())
        .append("\nset -g __ply_explained ")
        .append(commands.explained())
        .append("\n\n")
        .append(FUNCTIONS)
        .append('\n');
    for (CommandManual manual : commands.manuals()) {
      String word = CompletedCommands.word(manual);
      if (!word.isEmpty()) {
        int space = word.indexOf(' ');
        script
            .append("complete -c ply -n \"")
            .append(space < 0 ? "__fish_use_subcommand" : "__ply_at " + word.substring(0, space))
            .append(space < 0 ? "\" -a " : "\" -f -a ")
            .append(word.substring(space + 1))
            .append(" -d ")
            .append(quoted(manual.summary()))
            .append('\n');
      }
    }
    for (CommandManual manual : commands.manuals()) {
      String at = "__ply_at " + quoted(CompletedCommands.word(manual));
      script.append("\n# ").append(manual.command()).append('\n');
      manual.allOptions().forEach(option -> append(script, at, manual, option));
      append(script, at, manual.operand());
    }
    script
        .append("\ncomplete -c ply -n \"__ply_at ''; and __ply_has -h --help\" -f -a ")
        .append("\"$__ply_explained\"\n")
        .append("complete -c ply -n \"__ply_has -l --list\" -f -a '(__ply_live)'\n");
    return script.toString();
  }

  private static void append(
      StringBuilder script, String at, CommandManual manual, CommandOption option) {
    List<String> valued = CompletedCommands.valued(manual, option);
    for (String spelling : option.spellings()) {
      boolean takesValue = option.takesWord();
      if (takesValue && !valued.contains(spelling)) {
        continue;
      }
      script.append("complete -c ply -n ").append('"').append(at).append('"');
      script.append(spelling.startsWith("--") ? " -l " : " -s ");
      script.append(spelling.replaceFirst("^--?", ""));
      script.append(" -d ").append(quoted(option.sentence()));
      if (takesValue) {
        script.append(value(option.argument().orElseThrow()));
      }
      script.append('\n');
    }
  }

  private static void append(StringBuilder script, String at, Argument operand) {
    if (operand.kind() == Argument.Kind.SCRIPT) {
      line(script, at, " -a '(__ply_live)'");
      // No file: fish takes what follows a colon for one.
      line(script, at + "; and __ply_colon", " -f");
      return;
    }
    String value = value(operand).replace(" -r", "").replace(" -x", " -f");
    if (!value.isBlank()) {
      line(script, at, value);
    }
  }

  private static void line(StringBuilder script, String condition, String rest) {
    script.append("complete -c ply -n \"").append(condition).append('"').append(rest).append('\n');
  }

  private static String value(Argument argument) {
    return switch (argument.kind()) {
      case CHOICE, CHOICES -> " -x -a " + quoted(String.join(" ", argument.choices()));
      case FILE -> " -r -F";
      case DIRECTORY -> " -x -a '(__fish_complete_directories)'";
      case PROCESS -> " -x -a '(__ply_processes)'";
      case COMMAND -> " -x -a '(__fish_complete_command)'";
      case SCRIPT -> " -x -a '(__ply_live)'";
      case PROBES -> " -x -a '(__ply_live)'";
      case TEXT, NUMBER, DURATION, WORDS -> " -x";
    };
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
