package dev.ply.bpf.verifier;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.object.FixedContent;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import java.util.Optional;

/** Proves that a helper's constant text is one (check_reg_const_str in kernel/bpf/verifier.c). */
final class CheckText {
  private CheckText() {}

  /** Returns why the register holds no text that the helper takes, or nothing if it does. */
  static Optional<String> check(AbstractState state, Helper helper, Register register) {
    RegisterState content = state.register(register);
    if (!(content instanceof Pointer pointer)
        || pointer.mayBeNull()
        || !(pointer.region() instanceof Region.MapValue value)
        || value.map().content().isEmpty()) {
      return Optional.of(
          helper.kernelName() + " takes text in a read-only map, which " + register + " is not");
    }
    Optional<Long> offset = pointer.constantOffset();
    FixedContent bytes = value.map().content().get();
    if (offset.isEmpty()) {
      return Optional.of(
          helper.kernelName() + " takes text at a constant address, which " + register + " is not");
    }
    if (offset.get() < 0 || offset.get() >= bytes.size()) {
      return Optional.of("offset " + offset.get() + " is outside " + value.describe());
    }
    int start = (int) (long) offset.get();
    if (!bytes.isTextAt(start)) {
      return Optional.of("the text at offset " + start + " of " + value.describe() + " has no NUL");
    }
    return helper == Helper.SNPRINTF
        ? checkFormat(state.register(Register.R5), bytes.textAt(start))
        : Optional.empty();
  }

  private static Optional<String> checkFormat(RegisterState sizeOfValues, byte[] format) {
    if (!(sizeOfValues instanceof Scalar size)) {
      // It is reported itself.
      return Optional.empty();
    }
    Optional<Long> constant = size.constantValue();
    if (constant.isEmpty() || constant.get() < 0 || constant.get() % Long.BYTES != 0) {
      return Optional.of("snprintf takes values of 8 bytes each, whose size r5 says as a constant");
    }
    return FormatRules.problem(format, constant.get() / Long.BYTES)
        .map(problem -> "the format in r3 " + problem);
  }
}
