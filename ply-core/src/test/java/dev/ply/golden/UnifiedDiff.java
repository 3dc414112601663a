package dev.ply.golden;

import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.List;

/** What changed between two texts, line by line, in the form of {@code diff -u}. */
public final class UnifiedDiff {
  private static final int CONTEXT = 3;

  private final List<String> before;
  private final List<String> after;

  private UnifiedDiff(String before, String after) {
    this.before = lines(before);
    this.after = lines(after);
  }

  /** Returns the hunks that turn {@code before} into {@code after}; empty if the two are equal. */
  public static String of(String before, String after) {
    return before.equals(after) ? "" : new UnifiedDiff(before, after).render();
  }

  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>(Splitter.on('\n').splitToList(text));
    int last = lines.size() - 1;
    if (lines.get(last).isEmpty()) {
      lines.remove(last);
    } else {
      lines.set(last, lines.get(last) + "\n\\ no newline");
    }
    return lines;
  }

  /** A line of the diff; the positions count the lines of both texts before it. */
  private record Edit(char mark, String line, int oldPosition, int newPosition) {}

  private String render() {
    List<Edit> edits = edits();
    StringBuilder out = new StringBuilder();
    int next = 0;
    while (next < edits.size()) {
      if (edits.get(next).mark() == ' ') {
        next++;
        continue;
      }
      int end = next;
      for (int i = next; i < edits.size() && i <= end + 2 * CONTEXT; i++) {
        if (edits.get(i).mark() != ' ') {
          end = i;
        }
      }
      int from = Math.max(0, next - CONTEXT);
      int to = Math.min(edits.size(), end + 1 + CONTEXT);
      hunk(out, edits.subList(from, to));
      next = end + 1;
    }
    return out.toString();
  }

  private static void hunk(StringBuilder out, List<Edit> edits) {
    long removed = edits.stream().filter(edit -> edit.mark() != '+').count();
    long added = edits.stream().filter(edit -> edit.mark() != '-').count();
    Edit first = edits.get(0);
    out.append("@@ -")
        .append(removed == 0 ? first.oldPosition() : first.oldPosition() + 1)
        .append(',')
        .append(removed)
        .append(" +")
        .append(added == 0 ? first.newPosition() : first.newPosition() + 1)
        .append(',')
        .append(added)
        .append(" @@\n");
    for (Edit edit : edits) {
      out.append(edit.mark()).append(edit.line()).append('\n');
    }
  }

  private List<Edit> edits() {
    // common[i][j]: the longest common subsequence of what follows line i and line j.
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    List<Edit> edits = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
        edits.add(new Edit(' ', before.get(i), i++, j++));
      } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
        edits.add(new Edit('-', before.get(i), i++, j));
      } else {
        edits.add(new Edit('+', after.get(j), i, j++));
      }
    }
    return edits;
  }
}
