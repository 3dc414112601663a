package dev.ply.bpf.codegen.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ply.bpf.codegen.clause.BuiltinCode;
import dev.ply.builtin.Builtin;
import dev.ply.builtin.Effect;
import dev.ply.builtin.catalog.Builtins;
import org.junit.jupiter.api.Test;

class BuiltinCodesTest {
  @Test
  void everyDeclarationHasACodeGenerator() {
    for (Builtin function : Builtins.all()) {
      if (function instanceof Builtin.Macro) {
        continue;
      }
      assertThat(BuiltinCodes.ALL.of(function) instanceof BuiltinCode.Event)
          .describedAs("%s sends an event", function)
          .isEqualTo(function.effect() == Effect.EVENT);
    }
  }
}
