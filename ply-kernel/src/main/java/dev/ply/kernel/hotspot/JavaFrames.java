package dev.ply.kernel.hotspot;

import dev.ply.bpf.unwind.InterpretedMethod;
import dev.ply.kernel.hotspot.CompiledCode.Call;
import dev.ply.target.JavaCode;
import dev.ply.target.JavaCode.Tier;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.SourceLine;
import dev.ply.target.UserSymbols.Frame;
import dev.ply.target.UserSymbols.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The frames of a Java runtime, from its memory: methods that are interpreted, compiled, and
 * inlined, and stubs. Frames that were found stay, also when the process has ended. Not
 * thread-safe.
 */
public final class JavaFrames {
  private static final int MOST_KNOWN = 1 << 14;

  /** For how many nanoseconds code is taken to be what it was. */
  private static final long FRESH = 1_000_000_000;

  /** The first version whose compressed integers have no zeros. */
  private static final int WITHOUT_ZEROS = 20;

  private final HotSpotStructs structs;
  private final List<CodeHeap> heaps;
  private final boolean areZerosExcluded;
  private final JavaMethods methods;
  private final Map<Long, Known> callers = new HashMap<>();
  private final Map<Long, Known> others = new HashMap<>();

  /**
   * The frames of an address.
   *
   * @param compilation what tells the code from other code that may be there later
   * @param checked when it was seen to be the same, of the system's clock
   */
  private record Known(List<Frame> frames, Compilation compilation, long checked) {
    boolean isFresh() {
      return System.nanoTime() - checked < FRESH;
    }
  }

  /** The code at an address; interpreted methods have none. */
  private record Compilation(long blob, int number) {
    static final Compilation NONE = new Compilation(0, 0);
  }

  private JavaFrames(HotSpotStructs structs, List<CodeHeap> heaps, int version) {
    this.structs = structs;
    this.heaps = heaps;
    this.areZerosExcluded = version >= WITHOUT_ZEROS;
    this.methods = new JavaMethods(structs, areZerosExcluded);
  }

  /** Reads the layout of a runtime's structures and its code heaps. */
  public static JavaFrames of(HotSpotTables tables) throws IOException {
    Set<String> types = new HashSet<>(CodeHeap.TYPES);
    types.addAll(JavaMethods.TYPES);
    types.addAll(CompiledCode.TYPES);
    types.add("Abstract_VM_Version");
    HotSpotStructs structs = HotSpotStructs.of(tables, types);
    HotSpotMemory memory = tables.memory();
    long version = structs.address("Abstract_VM_Version._vm_major_version");
    return new JavaFrames(
        structs, CodeHeap.of(memory, structs), memory.bytes(version, Integer.BYTES).getInt(0));
  }

  /** Returns whether this is the address of compiled code, or stands for an interpreted method. */
  public boolean has(long word) {
    return InterpretedMethod.is(word) || heaps.stream().anyMatch(heap -> heap.has(word));
  }

  /** Returns the frames of an address or interpreted method that were found just before. */
  public Optional<List<Frame>> known(long word, boolean isCaller) {
    return Optional.ofNullable(all(isCaller).get(word)).filter(Known::isFresh).map(Known::frames);
  }

  /** Returns the frames that were found at any time, for when the process has ended. */
  public Optional<List<Frame>> earlier(long word, boolean isCaller) {
    return Optional.ofNullable(all(isCaller).get(word)).map(Known::frames);
  }

  /** Forgets all frames. */
  public void forget() {
    callers.clear();
    others.clear();
    methods.forget();
  }

  private Map<Long, Known> all(boolean isCaller) {
    return isCaller ? callers : others;
  }

  /**
   * Finds the frames of an address of compiled code, the innermost one first, or of an interpreted
   * method.
   *
   * @param isCaller whether the address is a return address
   */
  public List<Frame> find(HotSpotMemory memory, long word, boolean isCaller) throws IOException {
    Map<Long, Known> known = all(isCaller);
    if (InterpretedMethod.is(word)) {
      Frame frame = interpreted(memory, InterpretedMethod.of(word));
      return keep(known, word, List.of(frame), Compilation.NONE);
    }
    CompiledCode code = code(memory, isCaller ? word - 1 : word);
    Compilation now = new Compilation(code.address(), code.compilation(memory, structs));
    Known before = known.get(word);
    return keep(
        known,
        word,
        before != null && before.compilation().equals(now)
            ? before.frames()
            : compiled(memory, code, word, isCaller),
        now);
  }

  private static List<Frame> keep(
      Map<Long, Known> known, long word, List<Frame> frames, Compilation compilation) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.put(word, new Known(frames, compilation, System.nanoTime()));
    return frames;
  }

  private Frame interpreted(HotSpotMemory memory, InterpretedMethod frame) throws IOException {
    return frame(
        memory, frame.method(), new Call(frame.method(), frame.bytecode()), Tier.INTERPRETED, 0);
  }

  private CompiledCode code(HotSpotMemory memory, long instruction) throws IOException {
    CodeHeap heap =
        heaps.stream()
            .filter(one -> one.has(instruction))
            .findFirst()
            .orElseThrow(() -> new IOException("no compiled code"));
    OptionalLong blob = heap.blob(memory, instruction);
    if (blob.isEmpty()) {
      throw new IOException("no code is there any more");
    }
    return CompiledCode.of(memory, structs, blob.getAsLong());
  }

  private List<Frame> compiled(
      HotSpotMemory memory, CompiledCode code, long address, boolean isCaller) throws IOException {
    long offset = address - code.begin();
    if (!code.isMethod()) {
      return List.of(
          new Frame(
              address,
              Optional.of(new Symbol(code.name(), Math.max(0, offset))),
              Optional.empty(),
              Location.UNKNOWN,
              Optional.empty(),
              Optional.of(
                  new JavaCode(
                      code.isInterpreter() ? Tier.INTERPRETED : Tier.STUB, Optional.empty()))));
    }
    List<Call> calls = calls(memory, code, address, isCaller);
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < calls.size() - 1; i++) {
      frames.add(frame(memory, address, calls.get(i), Tier.INLINED, 0));
    }
    frames.add(frame(memory, address, calls.get(calls.size() - 1), tier(memory, code), offset));
    return frames;
  }

  /**
   * Before the first instruction that is described, and of a native method, there is the method
   * alone.
   */
  private List<Call> calls(HotSpotMemory memory, CompiledCode code, long pc, boolean isCaller)
      throws IOException {
    Call outer = new Call(code.method(memory, structs), OptionalInt.empty());
    if (code.isNative()) {
      return List.of(outer);
    }
    try {
      List<Call> calls = code.calls(memory, structs, areZerosExcluded, pc, isCaller);
      return calls.isEmpty() ? List.of(outer) : calls;
    } catch (IOException e) {
      return List.of(outer);
    }
  }

  private Tier tier(HotSpotMemory memory, CompiledCode code) throws IOException {
    if (code.isNative()) {
      return Tier.NATIVE;
    }
    return code.level(memory, structs) < 4 ? Tier.C1 : Tier.C2;
  }

  private Frame frame(HotSpotMemory memory, long address, Call call, Tier tier, long offset)
      throws IOException {
    JavaCode.Method method = methods.method(memory, call.method());
    Optional<SourceLine> line = methods.line(memory, call.method(), call.bytecode());
    return new Frame(
        address,
        Optional.of(new Symbol(method.toString(), Math.max(0, offset))),
        Optional.empty(),
        () -> line,
        Optional.empty(),
        Optional.of(new JavaCode(tier, Optional.of(method))));
  }
}
