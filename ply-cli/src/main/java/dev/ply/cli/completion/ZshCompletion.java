package dev.ply.cli.completion;

import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import java.util.List;

/** Completion for zsh. {@code compadd} quotes what it inserts. */
final class ZshCompletion {
  private static final String FUNCTIONS =
      """
      # Adds what ply answers, for a script or probe; quietly nothing if it cannot.
      _ply_live() {
        local text=$PREFIX
        local -a found
        [[ -n $compstate[quote] ]] || text=${(Q)PREFIX}
        if [[ $text == *[^[:alpha:]]* ]]; then
          found=("${(@f)$(command ply complete -- "$text" 2>/dev/null </dev/null)}")
          found=("${(@)found:#}")
        else
          found=(${=_ply_providers})
        fi
        (( $#found )) && compadd -S '' -a found
      }

      # Adds values of a kind, $1; $2 are its choices.
      _ply_value() {
        case $1 in
          choice) compadd -- ${=2} ;;
          choices) compset -P '*,'; compadd -S '' -- ${=2} ;;
          file) _files ;;
          directory) _files -/ ;;
          process) compadd -- /proc/[0-9]##(:t) ;;
          command) _command_names -e; _files ;;
          script) _ply_live; [[ -n $compstate[quote] ]] || _files ;;
          probes) _ply_live ;;
        esac
        return 0
      }
      """;

  private static final String OPTIONS =
      """

      # The options of a command, $1, with what they do.
      _ply_options() {
        case $1 in
      """;

  private static final String VALUES =
      """

      # Completes the value of an option, $2, of a command, $1; fails if it has none.
      _ply_option_value() {
        case $1:$2 in
      """;

  private static final String MAIN =
      """

      _ply() {
        setopt localoptions extendedglob
        local command= option=$words[CURRENT-1] _ply_providers _ply_explained _ply_commands _ply_tools
        local -a reply
        _ply_names
        if (( CURRENT > 2 )) && [[ " $_ply_commands " == *" $words[2] "* ]]; then
          command=$words[2]
          if [[ $command == tool ]] && (( CURRENT > 3 )) && [[ " $_ply_tools " == *" $words[3] "* ]]; then
            command="tool $words[3]"
          fi
        fi
        if [[ $words[CURRENT] == --*=* ]]; then
          option=${words[CURRENT]%%=*}
          compset -P '--[^=]#='
          _ply_option_value "$command" "$option"
        elif (( CURRENT > 2 )) && _ply_option_value "$command" "$option"; then
          :
        elif [[ $words[CURRENT] == -* ]]; then
          _ply_options "$command"
          _describe -o option reply
        elif [[ -z $command && ${words[(Ie)-h]} -gt 0 ]]; then
          compadd -- ${=_ply_explained}
        elif [[ ${words[(Ie)-l]} -gt 0 || ${words[(Ie)--list]} -gt 0 ]]; then
          _ply_value probes
        else
          _ply_operand "$command"
          (( CURRENT > 2 )) || compadd -- ${=_ply_commands}
          [[ $command == tool ]] && (( CURRENT == 3 )) && compadd -- ${=_ply_tools}
        fi
      }

      # Read by the completion system, or sourced.
      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
        _ply "$@"
      else
        compdef _ply ply
      fi
      """;

  private ZshCompletion() {}

  static String script(CompletedCommands commands) {
    StringBuilder script = new StringBuilder();
    script
        .append("#compdef ply\n# Completion of ply for zsh; ply completion zsh prints it.\n\n")
        .append("_ply_names() {\n  _ply_providers=")
        .append(CompletedCommands.quoted(CompletedCommands.providers()))
        .append("\n  _ply_explained=")
        .append(CompletedCommands.quoted(commands.explained()))
        .append("\n  _ply_commands=")
        .append(CompletedCommands.quoted(commands.words()))
        .append("\n  _ply_tools=")
        .append(CompletedCommands.quoted(commands.tools()))
        .append("\n}\n\n")
        .append(FUNCTIONS)
        .append(options(commands))
        .append(kinds(commands))
        .append(operands(commands))
        .append(MAIN);
    return script.toString();
  }

  private static String options(CompletedCommands commands) {
    StringBuilder cases = new StringBuilder(OPTIONS);
    for (CommandManual manual : commands.manuals()) {
      cases
          .append("    ")
          .append(CompletedCommands.quoted(CompletedCommands.word(manual)))
          .append(") reply=(\n");
      for (CommandOption option : manual.allOptions().toList()) {
        for (String spelling : option.spellings()) {
          cases
              .append("      ")
              .append(CompletedCommands.quoted(spelling + ":" + option.sentence()))
              .append('\n');
        }
      }
      cases.append("    ) ;;\n");
    }
    return cases.append("  esac\n}\n").toString();
  }

  private static String kinds(CompletedCommands commands) {
    StringBuilder cases = new StringBuilder(VALUES);
    for (CommandManual manual : commands.manuals()) {
      for (CommandOption option : manual.allOptions().toList()) {
        List<String> spellings = CompletedCommands.valued(manual, option);
        if (option.argument().isPresent() && !spellings.isEmpty()) {
          String word = CompletedCommands.word(manual);
          cases
              .append("    (")
              .append(
                  String.join(
                      "|",
                      spellings.stream()
                          .map(spelling -> CompletedCommands.quoted(word + ":" + spelling))
                          .toList()))
              .append(") _ply_value ")
              .append(CompletedCommands.kind(option.argument().get()))
              .append(' ')
              .append(CompletedCommands.quoted(String.join(" ", option.argument().get().choices())))
              .append(" ;;\n");
        }
      }
    }
    return cases.append("    (*) return 1 ;;\n  esac\n  return 0\n}\n").toString();
  }

  private static String operands(CompletedCommands commands) {
    StringBuilder cases =
        new StringBuilder(
            "\n# Completes an operand of a command, $1.\n_ply_operand() {\n  case $1 in\n");
    for (CommandManual manual : commands.manuals()) {
      cases
          .append("    ")
          .append(CompletedCommands.quoted(CompletedCommands.word(manual)))
          .append(") _ply_value ")
          .append(CompletedCommands.kind(manual.operand()))
          .append(' ')
          .append(CompletedCommands.quoted(String.join(" ", manual.operand().choices())))
          .append(" ;;\n");
    }
    return cases.append("  esac\n}\n").toString();
  }
}
