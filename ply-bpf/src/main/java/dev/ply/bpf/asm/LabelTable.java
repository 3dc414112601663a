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

/** The labels of one assembly text: their definitions, by slot, and their uses. */
final class LabelTable {
  private static final String EXIT = "exit";

  /** A jump distance, to be checked once all instructions are known. */
  private record Distance(Token use, Label label, int slot) {}

  private final Map<String, Integer> definitions = new LinkedHashMap<>();
  private final Set<Integer> starts = new HashSet<>();
  private final List<Token> uses = new ArrayList<>();
  private final List<Distance> distances = new ArrayList<>();
  private int slot;
  private int firstExit = -1;

  /** Defines a label at the current slot. */
  void define(Token name) {
    if (definitions.putIfAbsent(name.text(), slot) != null) {
      throw new SyntaxException(name.span(), "label " + name + " is defined twice");
    }
  }

  /** Returns the label that {@code name} refers to. */
  Label use(Token name) {
    uses.add(name);
    return new Label(name.text());
  }

  /** Returns a label {@code distance} slots after the current instruction. */
  Label relative(Token use, long distance) {
    long target = slot + 1 + distance;
    Label label = new Label("slot." + target);
    distances.add(new Distance(use, label, (int) target));
    return label;
  }

  /** Moves the current slot past {@code instruction}. */
  void advance(Instruction instruction) {
    if (firstExit < 0 && instruction instanceof Instruction.Exit) {
      firstExit = slot;
    }
    starts.add(slot);
    slot += instruction.slots();
  }

  /** Defines {@code exit} at the first exit instruction, if it is used but not defined. */
  void defineExit() {
    if (firstExit >= 0 && uses.stream().anyMatch(use -> use.text().equals(EXIT))) {
      definitions.putIfAbsent(EXIT, firstExit);
    }
  }

  /** Reports undefined labels, and distances that do not lead to an instruction. */
  void reportUndefined(Diagnostics diagnostics) {
    for (Token use : uses) {
      if (!definitions.containsKey(use.text())) {
        diagnostics.error(
            DiagnosticCode.SYNTAX,
            use.span(),
            "label " + use + " is not defined",
            Suggestions.hint(use.text(), definitions.keySet().stream()));
      }
    }
    for (Distance distance : distances) {
      if (!starts.contains(distance.slot()) && distance.slot() != slot) {
        diagnostics.error(
            DiagnosticCode.SYNTAX,
            distance.use().span(),
            "no instruction starts in slot " + distance.slot() + ", the target");
      }
    }
  }

  /** Returns {@code code} with a {@link LabelMark} at each label. */
  List<Instruction> insertInto(List<Instruction> code) {
    Map<Integer, Set<Label>> labels = new HashMap<>();
    definitions.forEach((name, at) -> labelsAt(labels, at).add(new Label(name)));
    distances.forEach(distance -> labelsAt(labels, distance.slot()).add(distance.label()));
    List<Instruction> labelled = new ArrayList<>();
    int at = 0;
    for (Instruction instruction : code) {
      labelsAt(labels, at).forEach(label -> labelled.add(new LabelMark(label)));
      labelled.add(instruction);
      at += instruction.slots();
    }
    labelsAt(labels, at).forEach(label -> labelled.add(new LabelMark(label)));
    return List.copyOf(labelled);
  }

  private static Set<Label> labelsAt(Map<Integer, Set<Label>> labels, int slot) {
    return labels.computeIfAbsent(slot, any -> new LinkedHashSet<>());
  }
}
