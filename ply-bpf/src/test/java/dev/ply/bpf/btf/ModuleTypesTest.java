package dev.ply.bpf.btf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.btf.BtfBuilder.Member;
import dev.ply.selector.KernelSelector;
import dev.ply.target.KernelTypes;
import dev.ply.type.Type;
import dev.ply.type.Type.KernelStruct;
import dev.ply.type.Type.PointerType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModuleTypesTest {
  private final BtfBuilder kernel = new BtfBuilder();
  private final int s32 = kernel.integer("int", 4, true);
  private final int device =
      kernel.struct("net_device", 16, Member.at(4, "mtu", s32), Member.at(8, "flags", s32));

  private final int kernelsOwn = kernel.function("register", s32, "dev", kernel.pointer(device));
  private final List<String> read = new ArrayList<>();

  /** A module with a structure of its own, whose members have names that the kernel knows. */
  private byte[] module(String tag, int offset) {
    BtfBuilder module = new BtfBuilder(kernel);
    int own =
        module.struct(
            tag, 64, Member.at(offset, "mtu", s32), Member.at(24, "dev", module.pointer(device)));
    int unused = module.function("setup", s32, "own", module.pointer(own), "how", s32);
    int unused2 = module.function("register", s32);
    return module.build(ByteOrder.LITTLE_ENDIAN);
  }

  private KernelTypes types() {
    Map<String, byte[]> modules = Map.of("dummy", module("dummy_priv", 32), "veth", module("v", 8));
    return new ModuleTypes(
        BtfTypes.parse(kernel.build(ByteOrder.LITTLE_ENDIAN)),
        name -> {
          read.add(name);
          return Optional.ofNullable(modules.get(name));
        });
  }

  private static KernelTypes.Function setup(KernelTypes types, String module) {
    return types.function(new KernelSelector.Function(Optional.of(module), "setup")).orElseThrow();
  }

  private static KernelStruct target(Type type) {
    return (KernelStruct) ((PointerType) type).target();
  }

  @Test
  void aModulesFunctionHasTheKernelsTypesAndItsOwn() {
    KernelTypes types = types();
    KernelTypes.Function setup = setup(types, "dummy");
    assertThat(setup.id()).isGreaterThan(kernelsOwn);
    assertThat(setup.parameters()).extracting(KernelTypes.Parameter::name).contains("own", "how");
    KernelStruct own = target(setup.parameters().get(0).type());
    assertThat(own.tag()).isEqualTo("dummy_priv");
    assertThat(types.memberNames(own)).containsExactly("mtu", "dev");
    KernelTypes.Member dev = types.member(own, "dev").orElseThrow();
    assertThat(target(dev.type())).isEqualTo(types.struct("net_device").orElseThrow());
    assertThat(types.member(target(dev.type()), "flags").orElseThrow().offset()).isEqualTo(8);
  }

  @Test
  void modulesNumberTheirStructuresAlikeAndAreNotMixedUp() {
    KernelTypes types = types();
    KernelStruct dummy = target(setup(types, "dummy").parameters().get(0).type());
    KernelStruct veth = target(setup(types, "veth").parameters().get(0).type());
    assertThat(setup(types, "dummy").id()).isEqualTo(setup(types, "veth").id());
    assertThat(dummy).isNotEqualTo(veth);
    assertThat(types.member(dummy, "mtu").orElseThrow().offset()).isEqualTo(32);
    assertThat(types.member(veth, "mtu").orElseThrow().offset()).isEqualTo(8);
  }

  @Test
  void aNameWithoutAModuleIsTheKernels() {
    KernelTypes types = types();
    assertThat(types.function(new KernelSelector.Function("register")).orElseThrow().id())
        .isEqualTo(kernelsOwn);
    assertThat(types.function("setup")).isEmpty();
    assertThat(read).isEmpty();
  }

  @Test
  void aModuleIsReadOnce() {
    KernelTypes types = types();
    assertThat(setup(types, "dummy")).isEqualTo(setup(types, "dummy"));
    assertThat(types.module("ext4").isKnown()).isFalse();
    assertThat(types.module("ext4").function("setup")).isEmpty();
    assertThat(read).containsExactly("dummy", "ext4");
  }

  @Test
  void whatIsNoBtfIsUnknown() {
    KernelTypes types =
        new ModuleTypes(
            BtfTypes.parse(kernel.build(ByteOrder.LITTLE_ENDIAN)),
            name -> Optional.of(new byte[40]));
    assertThat(types.module("broken").isKnown()).isFalse();
  }
}
