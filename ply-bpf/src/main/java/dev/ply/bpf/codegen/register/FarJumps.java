package dev.ply.bpf.codegen.register;

import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Label;
import dev.ply.bpf.isa.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes jumps of a long function reach their labels: a jump's offset has 16 bits, so those further
 * away lead to a jump on the way there. Assumes machine code of one function with labels of its
 * own.
 */
public final class FarJumps {
  /** The slots between two places for jumps on the way. */
  private static final int STEP = 8_000;

  /** The slots that jumps reach before jumps are added in between. */
  private static final int REACH = 20_000;

  /** The places for jumps on the way: index of an instruction, by slot. */
  private final TreeMap<Integer, Integer> places = new TreeMap<>();

  private final Map<Label, Integer> targets = new HashMap<>();

  /** The jumps at a place: the name of each, by its target. */
  private final Map<Integer, Map<Label, Label>> added = new HashMap<>();

  private int names;

  private FarJumps() {}

  /** Returns the function with jumps that reach. */
  public static List<Instruction> reach(List<Instruction> code) {
    int slots = code.stream().mapToInt(Instruction::slots).sum();
    return slots <= REACH ? code : new FarJumps().apply(code);
  }

  private List<Instruction> apply(List<Instruction> code) {
    int slot = 0;
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Instruction.LabelMark mark) {
        targets.put(mark.label(), slot);
      }
      if (places.isEmpty() || slot - places.lastKey() >= STEP) {
        places.put(slot, i);
      }
      slot += code.get(i).slots();
    }
    List<Instruction> near = new ArrayList<>(code.size());
    int at = 0;
    for (Instruction instruction : code) {
      near.add(redirected(instruction, at));
      at += instruction.slots();
    }
    return withAdded(near);
  }

  private Instruction redirected(Instruction instruction, int slot) {
    Optional<Label> target = Labels.jumpTarget(instruction);
    return target
        .map(label -> Labels.renamed(instruction, Map.of(label, way(slot, label))))
        .orElse(instruction);
  }

  /** Returns where a jump at a slot leads first, so that it comes to a label. */
  private Label way(int slot, Label label) {
    int to = Objects.requireNonNull(targets.get(label));
    if (Math.abs(to - slot) <= REACH) {
      return label;
    }
    int stop =
        Objects.requireNonNull(
            to > slot ? places.floorKey(slot + REACH) : places.ceilingKey(slot - REACH));
    Map<Label, Label> jumps = added.computeIfAbsent(stop, unused -> new LinkedHashMap<>());
    Label known = jumps.get(label);
    if (known != null) {
      return known;
    }
    Label name = new Label("way_" + names++);
    jumps.put(label, name);
    return name;
  }

  private List<Instruction> withAdded(List<Instruction> code) {
    // A jump on the way may need another one: further on, or further back.
    Map<Integer, List<Instruction>> byIndex = new HashMap<>();
    boolean isGrowing = true;
    Map<Label, Label> next = new HashMap<>();
    while (isGrowing) {
      isGrowing = false;
      for (int stop : List.copyOf(added.keySet())) {
        Map<Label, Label> jumps = Objects.requireNonNull(added.get(stop));
        for (Map.Entry<Label, Label> jump : List.copyOf(jumps.entrySet())) {
          if (!next.containsKey(jump.getValue())) {
            next.put(jump.getValue(), way(stop, jump.getKey()));
            isGrowing = true;
          }
        }
      }
    }
    added.forEach(
        (stop, jumps) -> {
          List<Instruction> block = new ArrayList<>();
          Label over = new Label("over_" + stop);
          block.add(new Instruction.Goto(over));
          for (Label name : jumps.values()) {
            block.add(new Instruction.LabelMark(name));
            block.add(new Instruction.Goto(Objects.requireNonNull(next.get(name))));
          }
          block.add(new Instruction.LabelMark(over));
          byIndex.put(Objects.requireNonNull(places.get(stop)), block);
        });
    List<Instruction> all = new ArrayList<>(code.size());
    for (int i = 0; i < code.size(); i++) {
      all.addAll(byIndex.getOrDefault(i, List.of()));
      all.add(code.get(i));
    }
    return all;
  }
}
