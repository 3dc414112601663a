package dev.ply.lang.syntax;

import dev.ply.diagnostic.Quotation;
import dev.ply.diagnostic.Suggestions;
import dev.ply.probe.Provider;
import dev.ply.reference.LanguageReference;
import dev.ply.reference.Topic;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;

/** The error for a word in place of a probe's definition. */
final class UnknownProbe {
  private static final String DEFINITION_END = " \t\r\n{},/;(";
  private static final int MOST_FORMS = 2;

  private UnknownProbe() {}

  static SyntaxProblem of(Token word) {
    String text = definition(word);
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    Optional<Topic> topic =
        LanguageReference.topic(name).filter(one -> one.kind() == Topic.Kind.PROBE);
    if (topic.isPresent() && colon < 0) {
      List<String> forms = topic.get().forms();
      return new SyntaxProblem(
          "\"" + name + "\" needs a probe site after a colon",
          "write " + String.join(" or ", forms.subList(0, Math.min(MOST_FORMS, forms.size()))));
    }
    int dot = name.indexOf('.');
    if (dot > 0 || colon > 0) {
      String start = dot > 0 ? name.substring(0, dot) : name;
      return new SyntaxProblem(
          "unknown provider \"" + Quotation.shortened(name) + "\"",
          List.of(
              Suggestions.hint(
                  start, keywords(), "there are " + keywords().collect(Collectors.joining(", ")))));
    }
    return new SyntaxProblem(
        "unexpected " + SyntaxProblem.quote(word) + ", expected <probe>",
        List.of(
            Suggestions.hint(
                word.getText(),
                Stream.concat(Stream.of("BEGIN", "END"), keywords()),
                "a probe is written as in \"kprobe:vfs_read { … }\" or \"BEGIN { … }\"")));
  }

  private static Stream<String> keywords() {
    return Arrays.stream(Provider.values()).map(Provider::keyword);
  }

  /** Returns the text from a token to where a definition would end. */
  private static String definition(Token word) {
    int last = word.getInputStream().size() - 1;
    String rest = word.getInputStream().getText(Interval.of(word.getStartIndex(), last));
    int end = 0;
    while (end < rest.length() && DEFINITION_END.indexOf(rest.charAt(end)) < 0) {
      end++;
    }
    return rest.substring(0, end);
  }
}
