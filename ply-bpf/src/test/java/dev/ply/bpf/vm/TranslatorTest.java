package dev.ply.bpf.vm;

import net.jqwik.api.Group;
import org.junit.jupiter.api.Nested;

/** The tests of the virtual machine, with programs translated. */
class TranslatorTest {
  @Nested
  @Group
  class Arithmetic extends ArithmeticTest {
    @Override
    Engine engine() {
      return Engine.TRANSLATOR;
    }
  }

  @Nested
  @Group
  class HelperRuntime extends HelperRuntimeTest {
    @Override
    Engine engine() {
      return Engine.TRANSLATOR;
    }
  }

  @Nested
  @Group
  class LocalCalls extends LocalCallTest {
    @Override
    Engine engine() {
      return Engine.TRANSLATOR;
    }
  }

  @Nested
  @Group
  class Maps extends MapStoreTest {
    @Override
    Engine engine() {
      return Engine.TRANSLATOR;
    }
  }

  @Nested
  @Group
  class MemoryAccess extends MemoryAccessTest {
    @Override
    Engine engine() {
      return Engine.TRANSLATOR;
    }
  }

  @Nested
  @Group
  class RingBuffers extends RingBufferStoreTest {
    @Override
    Engine engine() {
      return Engine.TRANSLATOR;
    }
  }

  @Nested
  @Group
  class Machines extends VirtualMachineTest {
    @Override
    Engine engine() {
      return Engine.TRANSLATOR;
    }
  }

  @Nested
  @Group
  class Faults extends VmFaultTest {
    @Override
    Engine engine() {
      return Engine.TRANSLATOR;
    }
  }
}
