package dev.ply.bpf.verifier;

import com.google.common.collect.ImmutableMap;
import dev.ply.bpf.isa.Instruction;
import dev.ply.bpf.object.BpfMap;
import dev.ply.bpf.object.BpfProgram;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.effect.Successor;
import dev.ply.bpf.verifier.effect.Transfer;
import dev.ply.bpf.verifier.flow.LiveRegisters;
import dev.ply.bpf.verifier.flow.Reachability;
import dev.ply.bpf.verifier.flow.StackUse;
import dev.ply.bpf.verifier.memory.LoadedRegions;
import dev.ply.bpf.verifier.memory.StackAccesses;
import dev.ply.bpf.verifier.memory.StackSlots;
import dev.ply.bpf.verifier.memory.TypedMemory;
import dev.ply.bpf.verifier.rule.Requirement;
import dev.ply.bpf.verifier.rule.RequirementChecker;
import dev.ply.bpf.verifier.rule.RequirementExtractor;
import dev.ply.bpf.verifier.rule.UnsupportedInstruction;
import dev.ply.target.KernelTypes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Depth-first exploration of all paths, with pruning at joins and detection of infinite loops. */
final class Exploration {
  /** Maximum number of instructions explored (BPF_COMPLEXITY_LIMIT_INSNS). */
  private static final int LIMIT = 1_000_000;

  /** Maximum number of pending branches (BPF_COMPLEXITY_LIMIT_JMP_SEQ). */
  private static final int PENDING_LIMIT = 8192;

  /** The start of messages that refuse a program for the length of its paths. */
  static final String TOO_COMPLEX = "the program is too complex";

  private final BpfProgram program;
  private final Reachability flow;
  private final ImmutableMap<String, BpfMap> maps;
  private final TypedMemory typed;
  private final ViolationLog log;
  private final RequirementChecker checker;
  private final List<List<Requirement>> requirements = new ArrayList<>();
  private final LiveRegisters liveness;
  private final Checkpoints checkpoints;
  private final LoadedRegions loaded = new LoadedRegions();
  private final StackAccesses accesses = new StackAccesses();
  private final Deque<Path> pending = new ArrayDeque<>();

  private final Trace trace;

  /** A listener to the steps of the exploration. */
  @FunctionalInterface
  interface Trace {
    /** Ignores all steps. */
    Trace NONE = (index, before, steps, outcome) -> {};

    void step(int index, AbstractState before, List<Successor> after, TraceStep.Outcome outcome);

    /** Returns a listener that formats states for {@code reader}. */
    static Trace to(BpfProgram program, Consumer<TraceStep> reader) {
      return (index, before, after, outcome) -> {
        boolean stops =
            outcome == TraceStep.Outcome.PRUNED || outcome == TraceStep.Outcome.INFINITE_LOOP;
        if (stops || program.code().get(index).slots() > 0) {
          String changes = after.isEmpty() ? "" : after.get(0).state().changesSince(before);
          reader.accept(
              new TraceStep(index, program.code().get(index), before.toString(), changes, outcome));
        }
      };
    }
  }

  /**
   * A path up to an instruction.
   *
   * @param overwritten the slots of stacks that were filled since the parent
   */
  private record Path(
      Successor step, Optional<Checkpoint> parent, StackSlots overwritten, int previous) {}

  Exploration(
      BpfProgram program,
      Reachability flow,
      ImmutableMap<String, BpfMap> maps,
      KernelTypes types,
      StackUse stackUse,
      ViolationLog log,
      Trace trace) {
    this.trace = trace;
    this.program = program;
    this.flow = flow;
    this.maps = maps;
    this.typed = new TypedMemory(program, types);
    this.log = log;
    this.checker = new RequirementChecker(program, maps, stackUse, accesses, typed);
    for (Instruction instruction : flow.code()) {
      requirements.add(RequirementExtractor.requirements(instruction));
    }
    this.liveness = new LiveRegisters(flow);
    this.checkpoints = new Checkpoints(flow);
  }

  void run() {
    flow.globals().forEach(function -> begin(function, AbstractState.atEntryOf(function)));
    RegisterState context = RegisterState.Pointer.to(new Region.Context(program.contextSize()));
    begin(0, AbstractState.atEntry(context));
    int steps = 0;
    while (!pending.isEmpty()) {
      Path path = pending.pop();
      Successor step = path.step();
      Instruction instruction = flow.code().get(step.index());
      steps += instruction.slots() > 0 ? 1 : 0;
      if (steps > LIMIT) {
        log.report(
            step.index(),
            List.of(
                TOO_COMPLEX
                    + ": its paths have more than "
                    + LIMIT
                    + " instructions; shorten its loops"),
            step.state().toString());
        return;
      }
      if (pending.size() > PENDING_LIMIT) {
        log.report(
            step.index(),
            List.of(
                TOO_COMPLEX
                    + ": more than "
                    + PENDING_LIMIT
                    + " branches are pending; shorten its loops"),
            step.state().toString());
        return;
      }
      if (flow.isJoin(step.index())) {
        visitJoin(path);
      } else {
        follow(path);
      }
    }
  }

  private void begin(int index, AbstractState state) {
    pending.push(new Path(new Successor(index, state), Optional.empty(), StackSlots.NONE, index));
  }

  private void visitJoin(Path path) {
    AbstractState state = withoutDead(path.step());
    Checkpoints.Visit visit =
        checkpoints.visit(path.step().index(), state, path.parent(), path.overwritten());
    switch (visit.outcome()) {
      case NEW -> {
        follow(
            new Path(
                new Successor(path.step().index(), visit.checkpoint().state()),
                Optional.of(visit.checkpoint()),
                StackSlots.NONE,
                path.previous()));
      }
      case PRUNED -> {
        trace.step(path.step().index(), state, List.of(), TraceStep.Outcome.PRUNED);
        for (int frame = 0; frame < state.depth(); frame++) {
          read(path, frame, visit.checkpoint().slotsRead(frame));
        }
        path.parent().ifPresent(Checkpoint::close);
      }
      case INFINITE_LOOP -> {
        trace.step(path.step().index(), state, List.of(), TraceStep.Outcome.INFINITE_LOOP);
        log.report(
            path.previous(),
            List.of("infinite loop: this instruction is reached again in the same state"),
            state.toString());
        path.parent().ifPresent(Checkpoint::close);
      }
    }
  }

  private void follow(Path path) {
    int index = path.step().index();
    accesses.clear();
    AbstractState state = check(index, path.step().state());
    accesses.read().forEach(access -> read(path, access.frame(), access.slots()));
    StackSlots overwritten = path.overwritten();
    for (StackAccesses.Slots access : accesses.filled()) {
      overwritten = overwritten.with(access.frame(), access.slots());
    }
    List<Successor> steps = Transfer.apply(flow, maps, typed, index, state);
    trace.step(
        index,
        state,
        steps,
        steps.isEmpty()
            ? TraceStep.Outcome.ENDS
            : steps.size() == 1 ? TraceStep.Outcome.CONTINUES : TraceStep.Outcome.BRANCHES);
    if (steps.isEmpty()) {
      path.parent().ifPresent(Checkpoint::close);
      return;
    }
    path.parent().ifPresent(parent -> parent.split(steps.size() - 1));
    int previous = flow.code().get(index).slots() > 0 ? index : path.previous();
    for (int i = steps.size() - 1; i >= 0; i--) {
      pending.push(new Path(steps.get(i), path.parent(), overwritten, previous));
    }
  }

  /** Records that a path reads slots, unless it has overwritten them. */
  private static void read(Path path, int frame, long slots) {
    path.parent().ifPresent(parent -> parent.read(frame, slots & ~path.overwritten().of(frame)));
  }

  private AbstractState check(int index, AbstractState before) {
    AbstractState state = before;
    List<String> messages = new ArrayList<>();
    UnsupportedInstruction.reason(flow.code().get(index)).ifPresent(messages::add);
    for (Requirement requirement : requirements.get(index)) {
      Optional<String> message = checker.check(requirement, state);
      if (message.isPresent()) {
        messages.add(message.get());
        state = RequirementChecker.assume(requirement, state);
      }
    }
    if (messages.isEmpty()) {
      loaded.check(index, flow.code().get(index), state).ifPresent(messages::add);
    }
    if (!messages.isEmpty()) {
      log.report(index, messages, before.toString());
    }
    return state;
  }

  private AbstractState withoutDead(Successor step) {
    AbstractState state = step.state();
    return state.withoutDead(
        (depth, register) -> {
          int resumed =
              depth == state.depth() - 1
                  ? step.index()
                  : state.frames().get(depth + 1).returnIndex();
          return resumed < flow.code().size() && liveness.isLive(resumed, register);
        });
  }
}
