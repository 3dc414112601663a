package dev.ply.cli.completion;

import dev.ply.cli.manual.CommandManual;
import dev.ply.cli.manual.CommandOption;
import java.util.List;

/** Completion for bash. Names are inserted quoted, as the command line has begun to quote. */
final class BashCompletion {
  private static final String FUNCTIONS =
      """
      # Splits the line up to the cursor at white space only: readline splits at : and =, too.
      _ply_split() {
        local i line=${COMP_LINE:0:COMP_POINT} blank
        words=()
        for ((i = 0; i <= COMP_CWORD; i++)); do
          blank=${line%%[![:space:]]*}
          line=${line#"$blank"}
          if ((i < COMP_CWORD)); then
            set -- "${line:0:${#COMP_WORDS[i]}}"
          else
            set -- "$line"
          fi
          line=${line:${#1}}
          if ((i > 0)) && [[ -z $blank ]]; then
            words[${#words[@]} - 1]+=$1
          else
            words+=("$1")
          fi
        done
      }

      # Adds words of a list that continue what is written.
      _ply_words() {
        local word
        for word in $1; do
          [[ $word == "$text"* ]] && found+=("$word")
        done
      }

      # Adds what ply answers, for a script or probe; quietly nothing if it cannot.
      _ply_live() {
        local line
        while IFS= read -r line; do
          found+=("$line")
        done < <(command ply complete -- "$text" 2>/dev/null </dev/null)
      }

      # Puts a text before all that was found.
      _ply_prefix() {
        local i
        for i in "${!found[@]}"; do
          found[i]=$1${found[i]}
        done
      }

      # Adds files ($1 is f), directories (d) or commands (c).
      _ply_files() {
        local line
        while IFS= read -r line; do
          [[ -d $line ]] && line+=/
          found+=("$line")
        done < <(compgen "-$1" -- "$text")
      }

      # Adds values of a kind, $1; $2 are its choices.
      _ply_value() {
        local before
        case $1 in
          choice) _ply_words "$2" ;;
          choices)
            before=${text%"${text##*,}"}
            text=${text#"$before"}
            _ply_words "$2"
            text=$before$text
            _ply_prefix "$before"
            ;;
          file) _ply_files f ;;
          directory) _ply_files d ;;
          process)
            set -- /proc/[0-9]*
            _ply_words "${*#/proc/}"
            ;;
          command) if [[ $text == */* ]]; then _ply_files f; else _ply_files c; fi ;;
          script)
            _ply_value probes
            [[ $quote ]] || _ply_files f
            ;;
          probes) if [[ $text == *[![:alpha:]]* ]]; then _ply_live; else _ply_words "$_ply_providers"; fi ;;
        esac
      }

      # Replies with what was found: the part that readline replaces, in the quotes that are open.
      _ply_reply() {
        local name breaks='' kept tail
        if [[ $quote ]]; then
          for name in "${found[@]}"; do
            case $quote in
              "'") name=${name//"'"/"'\\\\''"} ;;
              *)
                # Between double quotes nothing protects it from the history.
                [[ $name == *!* ]] && continue
                name=${name//\\\\/\\\\\\\\}
                name=${name//\\"/\\\\\\"}
                name=${name//\\$/\\\\\\$}
                name=${name//\\`/\\\\\\`}
                ;;
            esac
            # What is only listed need not repeat the script.
            [[ ${COMP_TYPE-} == 63 ]] && name=${name#"${text%"${text##*[[:space:]]}"}"}
            COMPREPLY+=("$name")
          done
          # A single match would get the closing quote: the script goes on.
          ((${#COMPREPLY[@]} == 1)) && COMPREPLY+=("${COMPREPLY[0]} ")
          return
        fi
        [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
        [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
        kept=
        [[ $breaks && $text == *[$breaks]* ]] && kept=${text%"${text##*[$breaks]}"}
        for name in "${found[@]}"; do
          [[ $name == "$kept"* ]] || continue
          printf -v tail %q "${name#"$kept"}"
          # Between quoted braces, a comma is only a comma.
          tail=${tail//\\\\,/,}
          [[ $name == "$kept" ]] || COMPREPLY+=("$tail")
        done
      }
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
        local words found=() text written quote='' command='' option REPLY
        COMPREPLY=()
        _ply_split
        written=${words[${#words[@]} - 1]}
        case $written in
          \\'*) quote=\\' text=${written:1} ;;
          \\"*) quote=\\" text=${written:1} text=${text//\\\\/} ;;
          *) text=${written//\\\\/} ;;
        esac
        option=${words[${#words[@]} - 2]}
        if ((${#words[@]} > 2)) && [[ " $_ply_commands " == *" ${words[1]} "* ]]; then
          command=${words[1]}
          if [[ $command == tool && ${#words[@]} -gt 3 && " $_ply_tools " == *" ${words[2]} "* ]]; then
            command="tool ${words[2]}"
          fi
        fi
        compopt -o nospace 2>/dev/null
        if [[ $text == --*=* && -z $quote ]]; then
          option=${text%%=*}
          text=${text#*=}
          _ply_option_value "$command" "$option"
          text=$option=$text
          _ply_prefix "$option="
        elif ((${#words[@]} > 2)) && _ply_option_value "$command" "$option"; then
          :
        elif [[ $text == -* && -z $quote ]]; then
          _ply_options "$command"
          _ply_words "$REPLY"
          compopt +o nospace 2>/dev/null
        elif [[ " ${words[*]} " == *' -h '* && -z $command ]]; then
          _ply_words "$_ply_explained"
          compopt +o nospace 2>/dev/null
        elif [[ " ${words[*]} " == *' -l '* || " ${words[*]} " == *' --list '* ]]; then
          _ply_value probes
        else
          _ply_operand "$command"
          ((${#words[@]} > 2)) || _ply_words "$_ply_commands"
          [[ $command == tool && ${#words[@]} == 3 ]] && _ply_words "$_ply_tools"
        fi
        ((${#found[@]})) && _ply_reply
        return 0
      }

      complete -F _ply ply
      """;

  private BashCompletion() {}

  static String script(CompletedCommands commands) {
    StringBuilder script = new StringBuilder();
    script
        .append("# Completion of ply for bash; ply completion bash prints it.\n\n")
        .append("_ply_providers=")
        .append(CompletedCommands.quoted(CompletedCommands.providers()))
        .append("\n_ply_explained=")
        .append(CompletedCommands.quoted(commands.explained()))
        .append("\n_ply_commands=")
        .append(CompletedCommands.quoted(commands.words()))
        .append("\n_ply_tools=")
        .append(CompletedCommands.quoted(commands.tools()))
        .append("\n\n")
        .append(FUNCTIONS)
        .append(options(commands))
        .append(kinds(commands))
        .append(operands(commands))
        .append(MAIN);
    return script.toString();
  }

  private static String options(CompletedCommands commands) {
    StringBuilder cases =
        new StringBuilder("\n# The options of a command, $1.\n_ply_options() {\n  case $1 in\n");
    for (CommandManual manual : commands.manuals()) {
      cases
          .append("    ")
          .append(CompletedCommands.quoted(CompletedCommands.word(manual)))
          .append(") REPLY=")
          .append(CompletedCommands.quoted(CompletedCommands.spellings(manual)))
          .append(" ;;\n");
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
              .append("    ")
              .append(
                  String.join(
                      " | ",
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
    return cases.append("    *) return 1 ;;\n  esac\n  return 0\n}\n").toString();
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
