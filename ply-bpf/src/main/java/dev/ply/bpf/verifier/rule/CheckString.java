package dev.ply.bpf.verifier.rule;

import dev.ply.bpf.isa.Helper;
import dev.ply.bpf.isa.Register;
import dev.ply.bpf.object.FixedContent;
import dev.ply.bpf.verifier.domain.AbstractState;
import dev.ply.bpf.verifier.domain.Region;
import dev.ply.bpf.verifier.domain.RegisterState;
import dev.ply.bpf.verifier.domain.RegisterState.Pointer;
import dev.ply.bpf.verifier.domain.Scalar;
import java.util.Optional;

/** Checks constant strings and formats (check_reg_const_str in kernel/bpf/verifier.c). */
final class CheckString {
  private CheckString() {}

  /** Returns why the register is not a constant string that the helper accepts, or empty. */
  static Optional<String> check(AbstractState state, Helper helper, Register register) {
    RegisterState content = state.register(register);
    if (!(content instanceof Pointer pointer)
        || pointer.mayBeNull()
        || !(pointer.region() instanceof Region.MapValue value)
        || value.map().content().isEmpty()) {
      return Optional.of(
          helper.kernelName()
              + " takes a string in a read-only map, which "
              + register
              + " is not");
    }
    Optional<Long> offset = pointer.constantOffset();
    FixedContent bytes = value.map().content().get();
    if (offset.isEmpty()) {
      return Optional.of(
          helper.kernelName()
              + " takes a string at a constant address, which "
              + register
              + " is not");
    }
    if (offset.get() < 0 || offset.get() >= bytes.size()) {
      return Optional.of("offset " + offset.get() + " is outside " + value.describe());
    }
    int start = (int) (long) offset.get();
    if (!bytes.isTextAt(start)) {
      return Optional.of(
          "the string at offset " + start + " of " + value.describe() + " has no NUL");
    }
    return helper == Helper.SNPRINTF
        ? checkFormat(state.register(Register.R5), bytes.textAt(start))
        : Optional.empty();
  }

  private static Optional<String> checkFormat(RegisterState sizeOfValues, byte[] format) {
    if (!(sizeOfValues instanceof Scalar size)) {
      // Reported by the check of r5.
      return Optional.empty();
    }
    Optional<Long> constant = size.constantValue();
    if (constant.isEmpty() || constant.get() < 0 || constant.get() % Long.BYTES != 0) {
      return Optional.of(
          "snprintf takes 8-byte values, whose total size r5 must hold as a constant");
    }
    return FormatRules.problem(format, constant.get() / Long.BYTES)
        .map(problem -> "the format in r3 " + problem);
  }
}
