package dev.ply.kernel.unwind;

import dev.ply.bpf.unwind.UnwindRule;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The call frame information of a file as readelf of binutils interprets it.
 *
 * @param rows in the order of its output
 */
record ReadelfFrames(List<Row> rows) {
  /**
   * A row.
   *
   * @param cfa as printed: {@code rsp+16}, {@code exp}
   * @param frame where the frame pointer is: {@code u}, {@code c-16}
   * @param link where the return address is
   */
  record Row(long address, String cfa, String frame, String link) {
    private static final List<String> STACK_POINTERS = List.of("rsp", "sp");
    private static final List<String> FRAME_POINTERS = List.of("rbp", "x29");

    /** Returns whether a rule says the same; of an expression, that it is one. */
    boolean isSameAs(UnwindRule rule) {
      int sign = Math.max(cfa.indexOf('+'), cfa.indexOf('-'));
      boolean isExpression = sign < 0;
      String register = isExpression ? "" : cfa.substring(0, sign);
      long offset = isExpression ? 0 : Long.parseLong(cfa.substring(sign));
      return switch (rule.kind()) {
        case SP -> is(STACK_POINTERS, register, offset, rule) && isSaved(rule);
        case FP -> is(FRAME_POINTERS, register, offset, rule) && isSaved(rule);
        case SP_LINK ->
            is(STACK_POINTERS, register, offset, rule) && isUnsaved(frame) && isInRegister(link);
        case SP_LINK_SAVED ->
            is(STACK_POINTERS, register, offset, rule)
                && isUnsaved(frame)
                && link.equals("c-" + rule.saved() * UnwindRule.WORD);
        case FP_LINK_SAVED ->
            is(FRAME_POINTERS, register, offset, rule)
                && isUnsaved(frame)
                && link.equals("c-" + rule.saved() * UnwindRule.WORD);
        case PLT, SIGNAL, FP_INDIRECT, SP_INDIRECT -> isExpression;
        case END -> isUnsaved(link);
        case UNSUPPORTED ->
            isExpression
                || frame.startsWith("r")
                || link.startsWith("r")
                || link.startsWith("v")
                || (!STACK_POINTERS.contains(register) && !FRAME_POINTERS.contains(register));
        case MISSING -> false;
      };
    }

    private static boolean is(
        List<String> registers, String register, long offset, UnwindRule rule) {
      return registers.contains(register) && offset == (long) rule.offset() * UnwindRule.WORD;
    }

    private boolean isSaved(UnwindRule rule) {
      int words = rule.saved() == UnwindRule.AT_REGISTER ? rule.offset() : rule.saved();
      return words == 0 ? isUnsaved(frame) : frame.equals("c-" + words * UnwindRule.WORD);
    }

    /** It stays in the link register, or vfork(3) moves it to rdi. */
    private static boolean isInRegister(String link) {
      return isUnsaved(link) || link.equals("rdi");
    }

    private static boolean isUnsaved(String register) {
      return register.equals("u") || register.isEmpty();
    }
  }

  /** Runs readelf; empty if it is not installed. */
  static Optional<ReadelfFrames> of(Path file) throws IOException {
    Process process;
    try {
      process =
          new ProcessBuilder("readelf", "--wide", "--debug-dump=frames-interp", file.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return Optional.empty();
    }
    List<Row> rows = new ArrayList<>();
    List<String> columns = List.of();
    boolean isFunction = false;
    try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        if (line.contains(" FDE ") || line.contains(" CIE ")) {
          isFunction = line.contains(" FDE ");
        } else if (words.get(0).equals("LOC")) {
          columns = words;
        } else if (isFunction
            && words.size() == columns.size()
            && words.get(0).length() == 16
            && !words.contains("terminator")) {
          long address = Long.parseUnsignedLong(words.get(0), 16);
          rows.add(
              new Row(
                  address,
                  words.get(1),
                  column(columns, words, "rbp", "x29"),
                  column(columns, words, "ra", "x30")));
        }
      }
    }
    return Optional.of(new ReadelfFrames(rows));
  }

  private static String column(List<String> columns, List<String> words, String... names) {
    for (String name : names) {
      int column = columns.indexOf(name);
      if (column >= 0) {
        return words.get(column);
      }
    }
    return "";
  }
}
