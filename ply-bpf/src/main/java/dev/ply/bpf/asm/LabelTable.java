package dev.ply.bpf.asm;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Instruction.LabelMark;
import dev.ply.bpf.isa.Label;
import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Suggestions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The labels of one text: where they are marked, counted in slots, and where they are used. */
final class LabelTable {
  private static final String EXIT = "exit";

  /** A distance that leads nowhere is reported where it stands. */
  private record Distance(Token use, Label label, int slot) {}

  private final Map<String, Integer> marks = new LinkedHashMap<>();
  private final Set<Integer> starts = new HashSet<>();
  private final List<Token> uses = new ArrayList<>();
  private final List<Distance> distances = new ArrayList<>();
  private int slot;
  private int firstExit = -1;

  /** Marks the slot that comes next. */
  void mark(Token name) {
    if (marks.putIfAbsent(name.text(), slot) != null) {
      throw new SyntaxException(name.span(), "label " + name + " is marked twice");
    }
  }

  /** Returns the label that a token names. */
  Label use(Token name) {
    uses.add(name);
    return new Label(name.text());
  }

  /** Returns a label for {@code distance} slots behind the instruction that is being read. */
  Label relative(Token use, long distance) {
    long target = slot + 1 + distance;
    Label label = new Label("slot." + target);
    distances.add(new Distance(use, label, (int) target));
    return label;
  }

  /** Moves on behind an instruction. */
  void pass(Instruction instruction) {
    if (firstExit < 0 && instruction instanceof Instruction.Exit) {
      firstExit = slot;
    }
    starts.add(slot);
    slot += instruction.slots();
  }

  /** Marks the first exit as {@code exit} where that label is used and nowhere marked. */
  void markExit() {
    if (firstExit >= 0 && uses.stream().anyMatch(use -> use.text().equals(EXIT))) {
      marks.putIfAbsent(EXIT, firstExit);
    }
  }

  /** Reports the labels and distances that lead nowhere. */
  void reportUnmarked(Diagnostics diagnostics) {
    for (Token use : uses) {
      if (!marks.containsKey(use.text())) {
        diagnostics.error(
            DiagnosticCode.SYNTAX,
            use.span(),
            "label " + use + " is not marked anywhere",
            Suggestions.hint(use.text(), marks.keySet().stream()));
      }
    }
    for (Distance distance : distances) {
      if (!starts.contains(distance.slot()) && distance.slot() != slot) {
        diagnostics.error(
            DiagnosticCode.SYNTAX,
            distance.use().span(),
            "no instruction starts in slot " + distance.slot() + ", where this leads");
      }
    }
  }

  /** Returns the code with marks at the labels' places. */
  List<Instruction> withMarks(List<Instruction> code) {
    Map<Integer, Set<Label>> labels = new HashMap<>();
    marks.forEach((name, at) -> labelsAt(labels, at).add(new Label(name)));
    distances.forEach(distance -> labelsAt(labels, distance.slot()).add(distance.label()));
    List<Instruction> marked = new ArrayList<>();
    int at = 0;
    for (Instruction instruction : code) {
      labelsAt(labels, at).forEach(label -> marked.add(new LabelMark(label)));
      marked.add(instruction);
      at += instruction.slots();
    }
    labelsAt(labels, at).forEach(label -> marked.add(new LabelMark(label)));
    return List.copyOf(marked);
  }

  private static Set<Label> labelsAt(Map<Integer, Set<Label>> labels, int slot) {
    return labels.computeIfAbsent(slot, any -> new LinkedHashSet<>());
  }
}
