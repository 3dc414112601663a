package dev.ply.lang.bcc;

import java.util.ArrayList;
import java.util.List;

/** Reads the parameters that a specifier declares. */
final class Signatures {
  private Signatures() {}

  /** Parses what is between the parentheses. */
  static List<ProbedFunction.Parameter> parse(Slice signature) throws SpecifierException {
    List<ProbedFunction.Parameter> parameters = new ArrayList<>();
    String text = signature.text().strip();
    if (text.isEmpty() || text.equals("void")) {
      return parameters;
    }
    for (Slice part : signature.split(',')) {
      parameters.add(parameter(part.strip()));
    }
    return parameters;
  }

  /** The last word is the name, unless there is only one. An array is a pointer. */
  private static ProbedFunction.Parameter parameter(Slice part) throws SpecifierException {
    String text = part.text().replaceAll("\\[[^\\]]*\\]", "").strip();
    int end = text.length();
    int start = end;
    while (start > 0 && isNamePart(text.charAt(start - 1))) {
      start--;
    }
    String type = text.substring(0, start).strip();
    if (text.equals("...") || (start == 0 && !text.isEmpty())) {
      return new ProbedFunction.Parameter("", CType.of(text));
    }
    if (start == end || type.isEmpty()) {
      throw new SpecifierException(
          part.span(),
          "\"" + part.text() + "\" is not a parameter",
          "parameters are declared as in C: (int fd, const char *buf)");
    }
    boolean isArray = part.text().indexOf('[') >= 0;
    return new ProbedFunction.Parameter(
        text.substring(start), CType.of(isArray ? type + " *" : type));
  }

  private static boolean isNamePart(char c) {
    return c == '_' || Character.isLetterOrDigit(c);
  }
}
