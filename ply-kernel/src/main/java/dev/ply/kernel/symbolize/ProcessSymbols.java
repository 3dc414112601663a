package dev.ply.kernel.symbolize;

import com.google.common.base.Suppliers;
import dev.ply.bpf.unwind.InterpretedMethod;
import dev.ply.kernel.jit.EndedRuntimes;
import dev.ply.kernel.jit.JavaAttach;
import dev.ply.kernel.jit.JitSymbols;
import dev.ply.kernel.jit.MissingNames;
import dev.ply.kernel.mapping.ProcessImage;
import dev.ply.kernel.mapping.RecordedMappings;
import dev.ply.kernel.procfs.ProcessMaps;
import dev.ply.kernel.procfs.ProcessMaps.Mapping;
import dev.ply.kernel.procfs.ProcessStatus;
import dev.ply.kernel.symbolize.CodeFiles.Code;
import dev.ply.kernel.untrusted.Allowance;
import dev.ply.kernel.untrusted.BudgetExceededException;
import dev.ply.kernel.untrusted.ReadBudget;
import dev.ply.kernel.untrusted.UntrustedFile;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UnreadableTargetException;
import dev.ply.target.UserSymbols.Frame;
import dev.ply.target.UserSymbols.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The symbols of processes of this system. Mappings are read on first use, and again while the
 * process exists and symbols are missing; files are read once. For one thread.
 */
final class ProcessSymbols {
  /** The time limit for fake Java runtimes of one user. */
  private static final Duration RUNTIME_PATIENCE = Duration.ofSeconds(2);

  /** Mappings are read again after this multiple of the time it took. */
  private static final long LOOKS = 20;

  /** The maximum number of ELF files per process. */
  private static final int MOST_FILES = 1 << 12;

  /** The heap size of a process without its mappings, and of one of its files. */
  private static final int PROCESS_BYTES = 1 << 10;

  private static final int FILE_BYTES = 160;

  private final ReadBudget budget;
  private final JavaAttach runtimes = new JavaAttach(RUNTIME_PATIENCE);
  private final Map<Integer, Known> processes = new HashMap<>();
  private final KnownFrames frames;
  private final CodeFiles files;
  private final EndedRuntimes endedRuntimes;
  private final ReplacedCode replaced = new ReplacedCode();
  private volatile Optional<RecordedCode> recorded = Optional.empty();
  private Set<Integer> ended = new HashSet<>();
  private volatile boolean hasUnknown;

  /** The traced processes with a Java runtime, not this one; used by several threads. */
  private final Set<Integer> javaProcesses = ConcurrentHashMap.newKeySet();

  ProcessSymbols(ReadBudget budget, SharedCode shared) {
    this.budget = budget;
    this.frames = new KnownFrames(shared.memory());
    this.files = new CodeFiles(shared, budget);
    this.endedRuntimes = new EndedRuntimes(Path.of("/tmp"), budget, runtimes.missing());
  }

  /** A process at its last inspection. */
  private static final class Known {
    private final JitSymbols made;
    private final boolean isOfRoot;
    private final Map<Mapping, Optional<Code>> code = new HashMap<>();
    private ProcessMaps maps;
    private Allowance memory;
    private long nextLook;

    /** Whether it has loaded files since. */
    private boolean isOld;

    Known(ProcessStatus status, ProcessMaps maps, Allowance memory) {
      this.made = new JitSymbols(status, maps);
      this.isOfRoot = status.user() == 0;
      this.maps = maps;
      this.memory = memory;
    }

    /** Returns all memory, when the process is forgotten. */
    void release() {
      memory.release();
      made.release();
    }
  }

  /** The mappings of a process at its last inspection. */
  private final class Seen implements ProcessMemory {
    private final Known known;

    Seen(Known known) {
      this.known = known;
    }

    @Override
    public boolean has(long address) {
      return known.maps.at(address).isPresent()
          || replaced.at(known.maps.pid(), address).isPresent();
    }

    @Override
    public Frame frame(long address, long instruction) {
      return ProcessSymbols.this.frame(known, address, instruction);
    }

    @Override
    public Object version() {
      return known.maps;
    }
  }

  /** Uses recorded mappings as well as current ones. */
  void use(RecordedMappings mappings) {
    recorded = Optional.of(new RecordedCode(mappings, files, budget));
  }

  /** Forgets all processes and files. */
  void close() {
    recorded = Optional.empty();
    forget();
    budget.releaseAll();
  }

  /**
   * Forgets the processes that had ended before the last call, except for {@code kept}: they can
   * have left nothing new to symbolise since.
   */
  void forgetAllBut(Set<Integer> kept) {
    update();
    Set<Integer> gone = new HashSet<>(processes.keySet());
    recorded.ifPresent(code -> gone.addAll(code.kept()));
    gone.removeAll(kept);
    gone.removeIf(process -> ProcessStatus.of(process).isPresent());
    Set<Integer> forgotten = new HashSet<>(gone);
    forgotten.retainAll(ended);
    for (int process : forgotten) {
      Known known = processes.remove(process);
      if (known != null) {
        known.release();
      }
      frames.forget(process);
      javaProcesses.remove(process);
      replaced.forget(process);
      recorded.ifPresent(code -> code.forget(process));
    }
    gone.removeAll(forgotten);
    ended = gone;
  }

  /** Forgets processes and files, which are read again if they are needed. */
  void forget() {
    processes.values().forEach(Known::release);
    processes.clear();
    javaProcesses.clear();
    replaced.clear();
    frames.clear();
    files.close();
  }

  /** Processes recorded mappings; to be called often, since buffers are small. */
  void update() {
    recorded.ifPresent(code -> areOld(code.update()));
  }

  private void areOld(Set<Integer> changed) {
    changed.stream()
        .flatMap(process -> Optional.ofNullable(processes.get(process)).stream())
        .forEach(known -> known.isOld = true);
  }

  /**
   * Returns the number of mapping records dropped by the kernel; 0 if every address was found
   * nevertheless.
   */
  long missedMappings() {
    return hasUnknown ? recorded.map(RecordedCode::lost).orElse(0L) : 0;
  }

  /** Returns the processes with a Java runtime that may end before this one. For any thread. */
  Set<Integer> runtimes() {
    return Set.copyOf(javaProcesses);
  }

  /** Returns why compiled methods of Java processes have no names. */
  MissingNames missingNames() {
    return runtimes.missing();
  }

  /** Asks no Java runtime for the names of its methods. */
  void leaveRuntimesAlone() {
    runtimes.leaveAlone();
  }

  /** Reads the mappings and files of a process, while they can be opened through it. */
  void remember(int process) {
    update();
    recorded.ifPresent(code -> areOld(code.keep(process)));
    readMaps(process);
    recorded.ifPresent(code -> readOrigins(code, process));
  }

  private void readMaps(int process) {
    ProcessStatus.of(process)
        .flatMap(this::look)
        .ifPresent(
            known -> {
              known.maps.codeFiles().stream()
                  .limit(MOST_FILES)
                  .forEach(mapping -> code(known, mapping));
              known.made.prepare(budget);
              if (known.made.isJava() && process != ProcessHandle.current().pid()) {
                javaProcesses.add(process);
              }
            });
  }

  private Optional<Known> look(ProcessStatus status) {
    long begin = System.nanoTime();
    try (Allowance allowance = budget.allowance(status.user() == 0)) {
      allowance.requireTime();
      allowance.claim(PROCESS_BYTES);
      Optional<ProcessMaps> maps =
          ProcessMaps.of(status.pid(), allowance).filter(found -> !found.mappings().isEmpty());
      if (maps.isEmpty()) {
        allowance.release();
        return Optional.empty();
      }
      Known known = look(status, maps.get(), allowance);
      known.nextLook = System.nanoTime() + LOOKS * (System.nanoTime() - begin);
      return Optional.of(known);
    } catch (BudgetExceededException | UnreadableTargetException e) {
      // Its frames then print as addresses.
      return Optional.empty();
    }
  }

  /** A PID can have been reused since the last inspection. */
  private Known look(ProcessStatus status, ProcessMaps maps, Allowance memory)
      throws BudgetExceededException {
    Known known = processes.get(status.pid());
    if (known != null) {
      known.memory.release();
    }
    if (known == null || !known.made.isOf(status, maps)) {
      Optional.ofNullable(known).ifPresent(earlier -> earlier.made.release());
      known = new Known(status, maps, memory);
      processes.put(status.pid(), known);
      replaced.forget(status.pid());
    }
    replaced.update(status.pid(), known.maps.mappings(), maps.mappings());
    known.isOld = false;
    known.maps = maps;
    known.memory = memory;
    Set<Mapping> kept = new HashSet<>(maps.codeFiles());
    kept.addAll(replaced.of(status.pid()));
    known.code.keySet().retainAll(kept);
    memory.claim((long) FILE_BYTES * known.code.size());
    return known;
  }

  /** Symbolises a stack trace, innermost frame first. */
  List<Frame> frames(int process, List<Long> addresses) {
    update();
    List<ProcessMemory> spaces = spaces(process);
    Optional<List<Frame>> known = frames.all(process, spaces, addresses);
    if (known.isPresent()) {
      return known.get();
    }
    List<Long> instructions = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      // A return address can be in the next function: look up the call instruction.
      instructions.add(i == 0 ? addresses.get(i) : addresses.get(i) - 1);
    }
    List<Long> mapped =
        instructions.stream().filter(address -> !InterpretedMethod.is(address)).toList();
    if (isWorthALook(process, spaces, mapped)) {
      readMaps(process);
      recorded.ifPresent(code -> readOrigins(code, process));
      spaces = spaces(process);
    }
    // PIDs are reused, and execve(2) replaces all mappings: a stack trace belongs to one of the
    // images.
    List<ProcessMemory> inOrder = inOrder(spaces, mostLikely(spaces, mapped));
    // Once for a stack trace, of which many addresses may be unknown.
    Supplier<Boolean> isEndedRuntime = Suppliers.memoize(() -> isEndedRuntime(process));
    List<Frame> found = new ArrayList<>();
    for (int i = 0; i < addresses.size(); i++) {
      long address = addresses.get(i);
      long instruction = instructions.get(i);
      Optional<List<Frame>> java = javaFrames(process, address, i > 0);
      if (java.isPresent()) {
        found.addAll(java.get());
        continue;
      }
      found.add(
          !inOrder.isEmpty() && inOrder.get(0).has(instruction)
              ? frames.frame(
                  process,
                  inOrder,
                  address,
                  i > 0,
                  () -> frame(process, isEndedRuntime, inOrder, address, instruction))
              : frame(process, isEndedRuntime, inOrder, address, instruction));
    }
    return found;
  }

  private Optional<List<Frame>> javaFrames(int process, long address, boolean isCaller) {
    Optional<List<Frame>> frames =
        Optional.ofNullable(processes.get(process))
            .filter(known -> known.made.isJava())
            .flatMap(known -> known.made.javaFrames(address, isCaller, budget));
    return frames.isEmpty() && InterpretedMethod.is(address)
        ? Optional.of(List.of(interpreter(address)))
        : frames;
  }

  /** A frame of a method that cannot be read. */
  private static Frame interpreter(long word) {
    long method = InterpretedMethod.of(word).method();
    return new Frame(method, Optional.of(new Symbol("Interpreter", 0)), Optional.empty());
  }

  /** Returns the number of the first candidate that has most of the instructions. */
  private static int mostLikely(List<ProcessMemory> spaces, List<Long> instructions) {
    int likely = 0;
    long most = 0;
    for (int i = 0; i < spaces.size() && most < instructions.size(); i++) {
      long count = instructions.stream().filter(spaces.get(i)::has).count();
      if (count > most) {
        most = count;
        likely = i;
      }
    }
    return likely;
  }

  /** Returns the candidates with one of them before the others. */
  private static List<ProcessMemory> inOrder(List<ProcessMemory> spaces, int first) {
    if (spaces.size() < 2 || first == 0) {
      return spaces;
    }
    List<ProcessMemory> inOrder = new ArrayList<>(spaces);
    inOrder.add(0, inOrder.remove(first));
    return inOrder;
  }

  /** A file that can no longer be opened by one path may be open, or known, by another. */
  private Frame frame(
      int process,
      Supplier<Boolean> isEndedRuntime,
      List<ProcessMemory> inOrder,
      long address,
      long instruction) {
    List<Frame> frames =
        inOrder.stream()
            .filter(space -> space.has(instruction))
            .map(space -> space.frame(address, instruction))
            .toList();
    if (frames.isEmpty()) {
      hasUnknown = true;
      Optional<Symbol> made =
          isEndedRuntime.get()
              ? endedRuntimes.at(process, user(process), instruction)
              : Optional.empty();
      return made.map(at -> new Symbol(at.name(), at.offset() + address - instruction))
          .map(symbol -> new Frame(address, Optional.of(symbol), Optional.empty()))
          .orElseGet(() -> new Frame(address));
    }
    Frame first = frames.get(0);
    Optional<String> files =
        replaced.filesAt(
            process,
            Optional.ofNullable(processes.get(process))
                .flatMap(known -> known.maps.at(instruction)),
            recorded.map(code -> code.images(process)).orElse(List.of()),
            instruction);
    if (files.isPresent()) {
      return new Frame(address, Optional.empty(), files);
    }
    return frames.stream()
        .filter(frame -> frame.symbol().isPresent() && frame.binary().equals(first.binary()))
        .findFirst()
        .orElse(first);
  }

  /** Returns whether a process was a Java runtime that was not seen while it ran. */
  private boolean isEndedRuntime(int process) {
    Known known = processes.get(process);
    return (known == null || !known.made.isJava())
        && recorded.map(code -> EndedRuntimes.isJava(code.images(process))).orElse(false);
  }

  private OptionalInt user(int process) {
    Known known = processes.get(process);
    return known == null ? OptionalInt.empty() : OptionalInt.of(known.made.user());
  }

  /** Returns the candidates for a PID's memory; inspected ones first, then recorded ones. */
  private List<ProcessMemory> spaces(int process) {
    List<ProcessMemory> spaces = new ArrayList<>();
    seen(process).ifPresent(spaces::add);
    recorded.ifPresent(
        code -> {
          List<ProcessImage> images = code.images(process);
          images.forEach(image -> spaces.add(new RecordedImage(process, image, code)));
          images.stream()
              .flatMapToInt(image -> image.unrecorded().stream())
              .mapToObj(this::seen)
              .flatMap(Optional::stream)
              .forEach(spaces::add);
        });
    return spaces;
  }

  /** Reads the mappings before recording of the process that a process was forked from. */
  private void readOrigins(RecordedCode code, int process) {
    code.images(process).stream()
        .flatMapToInt(image -> image.unrecorded().stream())
        .filter(origin -> !processes.containsKey(origin))
        .forEach(this::readMaps);
  }

  private Optional<ProcessMemory> seen(int process) {
    return Optional.ofNullable(processes.get(process)).map(Seen::new);
  }

  private boolean isWorthALook(int process, List<ProcessMemory> spaces, List<Long> instructions) {
    Known known = processes.get(process);
    return (known == null || System.nanoTime() - known.nextLook >= 0)
        && ((known != null && known.isOld)
            || instructions.stream().anyMatch(at -> spaces.stream().noneMatch(any -> any.has(at))));
  }

  private Frame frame(Known known, long address, long instruction) {
    Optional<Mapping> mapping =
        known.maps.at(instruction).or(() -> replaced.at(known.maps.pid(), instruction));
    if (mapping.isEmpty()) {
      return new Frame(address);
    }
    if (!ProcessMaps.hasFile(mapping.get())) {
      Optional<Symbol> symbol =
          known
              .made
              .at(instruction, budget, runtimes)
              .map(at -> new Symbol(at.name(), at.offset() + address - instruction));
      Optional<String> name =
          Optional.of(mapping.get().name()).filter(bracketed -> !bracketed.isEmpty());
      return new Frame(address, symbol, name);
    }
    Optional<Code> code = code(known, mapping.get());
    long offset = instruction - mapping.get().start() + mapping.get().offset();
    return new Frame(
        address,
        code.flatMap(file -> file.at(offset, address - instruction, budget)),
        Optional.of(fileName(mapping.get().name())),
        code.map(file -> file.location(offset, address - instruction)).orElse(Location.UNKNOWN),
        Optional.of(mapping.get().name()));
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private Optional<Code> code(Known known, Mapping mapping) {
    Optional<Code> code = known.code.get(mapping);
    if (code == null) {
      try {
        known.memory.claim(FILE_BYTES);
      } catch (BudgetExceededException e) {
        // Its frames then print as addresses.
        return Optional.empty();
      }
      code = read(known, mapping);
      known.code.put(mapping, code);
    }
    return code;
  }

  private Optional<Code> read(Known known, Mapping mapping) {
    try (UntrustedFile file = open(known, mapping)) {
      Path name = known.maps.named(mapping).orElseGet(() -> known.maps.mapped(mapping));
      return files.read(file, name, known.maps.root());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Opened on the account of the process's user, read on that of the file's owner. */
  private UntrustedFile open(Known known, Mapping mapping) throws IOException {
    try (Allowance opening = budget.allowance(known.isOfRoot)) {
      opening.requireTime();
      return known.maps.open(mapping, budget);
    }
  }
}
