package dev.ply.bpf.btf;

import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type;
import dev.ply.type.Type.IntType;
import dev.ply.type.Type.KernelStruct;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The types of a kernel, and of its modules on demand. A module's ids continue those of vmlinux, so
 * that ids of different modules overlap. Thread-safe.
 */
public final class ModuleTypes implements KernelTypes, VerifierTypes {
  /** Reads the BTF of modules. */
  public interface Reader {
    /** Returns a module's BTF, such as {@code /sys/kernel/btf/ext4}, if it exists. */
    Optional<byte[]> read(String module);
  }

  private final BtfTypes kernel;
  private final Reader reader;
  private final Map<String, KernelTypes> byName = new HashMap<>();

  /** vmlinux, and the modules in order of first use. */
  private final List<BtfTypes> spaces = new ArrayList<>();

  /** Creates types of a kernel whose modules are read on demand. */
  public ModuleTypes(BtfTypes kernel, Reader reader) {
    this.kernel = kernel;
    this.reader = reader;
    spaces.add(kernel);
  }

  @Override
  public synchronized KernelTypes module(String name) {
    return byName.computeIfAbsent(name, this::read);
  }

  private KernelTypes read(String name) {
    Optional<byte[]> content = reader.read(name);
    if (content.isEmpty()) {
      return KernelTypes.NONE;
    }
    try {
      BtfTypes module = kernel.withModule(content.get(), spaces.size());
      spaces.add(module);
      return module;
    } catch (MalformedBtfException e) {
      // Types of unknown kinds of a future kernel.
      return KernelTypes.NONE;
    }
  }

  private synchronized BtfTypes owner(KernelStruct struct) {
    return spaces.get(BtfTypes.space(struct));
  }

  @Override
  public boolean isKnown() {
    return true;
  }

  @Override
  public Optional<String> definition(String tagged) {
    return kernel.definition(tagged);
  }

  @Override
  public List<String> definitions() {
    return kernel.definitions();
  }

  @Override
  public List<String> declarations(Function function) {
    return kernel.declarations(function);
  }

  @Override
  public Optional<Function> function(String name) {
    return kernel.function(name);
  }

  @Override
  public Set<String> functionNames() {
    return kernel.functionNames();
  }

  @Override
  public Optional<TypedFunction> typedFunction(KernelSelector.Function function) {
    return function.module().map(this::module).orElse(kernel) instanceof BtfTypes types
        ? types.typedFunction(function.name())
        : Optional.empty();
  }

  @Override
  public Optional<TypedFunction> typedProbe(String event) {
    return kernel.typedProbe(event);
  }

  @Override
  public Optional<Member> member(KernelStruct struct, String name) {
    return owner(struct).member(struct, name);
  }

  @Override
  public TypedLoad load(KernelStruct struct, long offset, int size) {
    return owner(struct).load(struct, offset, size);
  }

  @Override
  public Stream<String> memberNames(KernelStruct struct) {
    return owner(struct).memberNames(struct);
  }

  @Override
  public Optional<Type> typedef(String name) {
    return kernel.typedef(name);
  }

  @Override
  public Optional<KernelStruct> struct(String tag) {
    return kernel.struct(tag);
  }

  @Override
  public Optional<IntType> enumeration(String tag) {
    return kernel.enumeration(tag);
  }

  @Override
  public OptionalLong enumerator(String name) {
    return kernel.enumerator(name);
  }

  @Override
  public Optional<Function> rawTracepointProbe(String event) {
    return kernel.rawTracepointProbe(event);
  }
}
