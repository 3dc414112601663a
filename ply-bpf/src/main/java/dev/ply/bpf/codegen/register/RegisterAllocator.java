package dev.ply.bpf.codegen.register;

import dev.ply.bpf.codegen.emit.Memory;
import dev.ply.bpf.isa.Extension;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.isa.RegisterUse;
import dev.ply.bpf.isa.Size;
import dev.ply.bpf.optimize.EliminateDeadCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * Allocates r0 to r9 to virtual registers by graph colouring (Chaitin and Briggs); the rest is
 * spilled to the stack. Copies are coalesced where possible.
 */
public final class RegisterAllocator implements UnaryOperator<List<Instruction>> {
  private static final int COLOURS = 10;

  /** Caller-saved registers come first, to keep r6 to r9 for values live across calls. */
  private static final int[] PREFERENCE = {0, 5, 4, 3, 2, 1, 6, 7, 8, 9};

  /** The first callee-saved register. */
  private static final int KEPT_BY_CALLS = 6;

  private static final int UNPLACED = -1;

  private int stackUsed;
  private int firstTemporary = Integer.MAX_VALUE;

  /** Thrown if registers and stack are too small for a program's live values. */
  public static final class StackExhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StackExhausted(int bytes) {
      super(
          "the program needs " + bytes + " bytes of stack, there are " + Memory.STACK_SIZE,
          null,
          false,
          false);
    }
  }

  /** Creates an allocator for a program that already uses {@code stackUsed} bytes of stack. */
  public RegisterAllocator(int stackUsed) {
    this.stackUsed = stackUsed;
  }

  /** Returns the bytes of stack in use, including those of spilled registers. */
  public int stackUsed() {
    return stackUsed;
  }

  @Override
  public List<Instruction> apply(List<Instruction> virtual) {
    List<Instruction> code = new EliminateDeadCode().apply(virtual);
    while (true) {
      InterferenceGraph graph = new InterferenceGraph(code);
      int[] places = colour(graph);
      BitSet unplaced = new BitSet();
      for (int register = Register.FIRST_VIRTUAL; register < places.length; register++) {
        if (places[register] == UNPLACED && graph.uses(register) > 0) {
          unplaced.set(register);
        }
      }
      if (unplaced.isEmpty()) {
        return place(code, places);
      }
      firstTemporary = Math.min(firstTemporary, graph.size());
      code = spill(code, unplaced, graph);
    }
  }

  private int[] colour(InterferenceGraph graph) {
    int[] places = new int[graph.size()];
    for (int i = 0; i < places.length; i++) {
      places[i] = i < Register.FIRST_VIRTUAL ? i : UNPLACED;
    }
    Deque<Integer> order = simplify(graph);
    while (!order.isEmpty()) {
      int register = order.pop();
      places[register] = choose(graph, register, places);
    }
    return places;
  }

  /**
   * Orders registers so that each has few allocated neighbours at its turn: the hardest to allocate
   * come first.
   */
  private Deque<Integer> simplify(InterferenceGraph graph) {
    BitSet remaining = new BitSet();
    for (int i = Register.FIRST_VIRTUAL; i < graph.size(); i++) {
      if (graph.uses(i) > 0) {
        remaining.set(i);
      }
    }
    int[] degrees = new int[graph.size()];
    BitSet easy = new BitSet();
    for (int i = remaining.nextSetBit(0); i >= 0; i = remaining.nextSetBit(i + 1)) {
      degrees[i] = degree(graph.neighbours(i), remaining);
      easy.set(i, degrees[i] < COLOURS);
    }
    Deque<Integer> order = new ArrayDeque<>();
    while (!remaining.isEmpty()) {
      int next = easy.isEmpty() ? cheapest(graph, remaining, degrees) : easy.nextSetBit(0);
      remaining.clear(next);
      easy.clear(next);
      order.push(next);
      BitSet neighbours = graph.neighbours(next);
      for (int i = neighbours.nextSetBit(0); i >= 0; i = neighbours.nextSetBit(i + 1)) {
        degrees[i]--;
        easy.set(i, remaining.get(i) && degrees[i] < COLOURS);
      }
    }
    return order;
  }

  /** Returns the register with the fewest uses for each of its neighbours: the next to spill. */
  private int cheapest(InterferenceGraph graph, BitSet remaining, int[] degrees) {
    int next = -1;
    double cheapest = Double.MAX_VALUE;
    for (int i = remaining.nextSetBit(0); i >= 0; i = remaining.nextSetBit(i + 1)) {
      double cost =
          i >= firstTemporary ? Double.MAX_VALUE / 2 : (double) graph.uses(i) / degrees[i];
      if (cost < cheapest) {
        cheapest = cost;
        next = i;
      }
    }
    return next;
  }

  private static int degree(BitSet neighbours, BitSet remaining) {
    int degree = 0;
    for (int i = neighbours.nextSetBit(0); i >= 0; i = neighbours.nextSetBit(i + 1)) {
      if (i < COLOURS || remaining.get(i)) {
        degree++;
      }
    }
    return degree;
  }

  private static int choose(InterferenceGraph graph, int register, int[] places) {
    BitSet taken = new BitSet();
    BitSet neighbours = graph.neighbours(register);
    for (int i = neighbours.nextSetBit(0); i >= 0; i = neighbours.nextSetBit(i + 1)) {
      if (places[i] != UNPLACED) {
        taken.set(places[i]);
      }
    }
    BitSet copies = graph.copies(register);
    for (int i = copies.nextSetBit(0); i >= 0; i = copies.nextSetBit(i + 1)) {
      if (places[i] != UNPLACED && places[i] < COLOURS && !taken.get(places[i])) {
        return places[i];
      }
    }
    return free(taken, wanted(graph, register, taken)).orElse(UNPLACED);
  }

  /** Returns the caller-saved registers that neighbours prefer. */
  private static BitSet wanted(InterferenceGraph graph, int register, BitSet taken) {
    BitSet wanted = new BitSet();
    BitSet neighbours = graph.neighbours(register);
    for (int i = neighbours.nextSetBit(0); i >= 0; i = neighbours.nextSetBit(i + 1)) {
      wanted.or(graph.copies(i));
    }
    wanted.clear(KEPT_BY_CALLS, Math.max(KEPT_BY_CALLS, wanted.length()));
    wanted.or(taken);
    return wanted;
  }

  private static OptionalInt free(BitSet taken, BitSet wanted) {
    for (int place : PREFERENCE) {
      if (!wanted.get(place) && (place < KEPT_BY_CALLS || !hasFree(taken))) {
        return OptionalInt.of(place);
      }
    }
    for (int place : PREFERENCE) {
      if (!taken.get(place)) {
        return OptionalInt.of(place);
      }
    }
    return OptionalInt.empty();
  }

  private static boolean hasFree(BitSet taken) {
    return taken.nextClearBit(0) < KEPT_BY_CALLS;
  }

  private static List<Instruction> place(List<Instruction> code, int[] places) {
    UnaryOperator<Register> names = register -> new Register(places[register.number()]);
    List<Instruction> placed = new ArrayList<>(code.size());
    for (Instruction instruction : code) {
      Instruction renamed = RegisterUse.rename(instruction, names);
      Optional<Register> source = InterferenceGraph.copied(renamed);
      if (source.isEmpty() || !source.get().equals(((Instruction.Alu) renamed).dst())) {
        placed.add(renamed);
      }
    }
    return List.copyOf(placed);
  }

  /** Assigns stack slots; registers that are never live at the same time can share one. */
  private int[] slots(BitSet registers, InterferenceGraph graph) {
    int[] slots = new int[graph.size()];
    int base = stackUsed;
    for (int i = registers.nextSetBit(0); i >= 0; i = registers.nextSetBit(i + 1)) {
      BitSet taken = new BitSet();
      BitSet neighbours = graph.neighbours(i);
      for (int j = neighbours.nextSetBit(0); j >= 0; j = neighbours.nextSetBit(j + 1)) {
        if (slots[j] < 0) {
          taken.set((-slots[j] - base) / 8);
        }
      }
      int offset = base + 8 * taken.nextClearBit(1);
      slots[i] = -offset;
      stackUsed = Math.max(stackUsed, offset);
    }
    if (stackUsed > Memory.STACK_SIZE) {
      throw new StackExhausted(stackUsed);
    }
    return slots;
  }

  /**
   * Spills registers to stack slots, loaded before and stored after each instruction that uses
   * them.
   */
  private List<Instruction> spill(
      List<Instruction> code, BitSet registers, InterferenceGraph graph) {
    int[] slots = slots(registers, graph);
    int next = graph.size();
    List<Instruction> spilled = new ArrayList<>();
    for (Instruction instruction : code) {
      RegisterUse use = RegisterUse.of(instruction);
      Instruction renamed = instruction;
      List<Instruction> stores = new ArrayList<>();
      BitSet named = new BitSet();
      use.reads().forEach(register -> named.set(register.number()));
      use.writes().forEach(register -> named.set(register.number()));
      named.and(registers);
      for (int i = named.nextSetBit(0); i >= 0; i = named.nextSetBit(i + 1)) {
        Register temporary = new Register(next++);
        Register old = new Register(i);
        renamed =
            RegisterUse.rename(renamed, register -> register.equals(old) ? temporary : register);
        if (use.reads().contains(old)) {
          spilled.add(
              new Instruction.Load(Size.DW, Extension.ZERO, temporary, Register.R10, slots[i]));
        }
        if (use.writes().contains(old)) {
          stores.add(new Instruction.Store(Size.DW, Register.R10, slots[i], temporary));
        }
      }
      spilled.add(renamed);
      spilled.addAll(stores);
    }
    return spilled;
  }
}
