package dev.ply.lang.c.declaration;

import dev.ply.lang.c.expression.CSyntaxException;
import dev.ply.lang.c.expression.CToken;
import java.util.Optional;
import java.util.Set;

/** The attributes of a declaration that matter for layouts. */
public final class CAttributes {
  private static final Set<String> HARMLESS =
      Set.of(
          """
          access address_space alias aligned_access alloc_align alloc_size always_inline analyzer_noreturn \
          annotate artificial assume assume_aligned availability bpf_fastcall btf_decl_tag btf_type_tag \
          cdecl cleanup cold common const constructor counted_by counted_by_or_null \
          deprecated designated_init destructor \
          diagnose_if disable_tail_calls element_count enable_if enum_extensibility error \
          error_attr exclude_from_explicit_instantiation externally_visible fallthrough fastcall \
          fd_arg fd_arg_read fd_arg_write flag_enum flatten force format format_arg gcc_struct gnu_inline hot ifunc \
          init_priority internal_linkage interrupt leaf likely malloc maybe_unused may_alias \
          musttail naked no_builtin no_caller_saved_registers no_icf no_instrument_function no_profile_instrument_function no_reorder \
          no_sanitize no_sanitize_address no_sanitize_memory no_sanitize_thread no_sanitize_undefined no_split_stack no_stack_protector no_stack_limit \
          nocf_check nocommon noclone nodebug nodiscard noderef noinline noipa nomerge nonnull nonstring noplt \
          noreturn Noreturn nothrow notail_callee not_tail_called null_terminated_string_arg objc_root_class \
          optimize optnone overloadable patchable_function_entry preserve_access_index preserve_all preserve_most \
          preserve_static_offset pure randomize_layout_off regparm reproducible require_constant_initialization retain \
          returns_nonnull returns_twice section selectany sentinel signal simd sized_by sized_by_or_null stack_protect stdcall \
          strict_flex_array symver syscall_linkage sysv_abi target target_clones tls_model transparent_union \
          type_tag_for_datatype unavailable uninitialized unlikely unsequenced unused used user visibility \
          warn_if_not_aligned warn_unused warn_unused_result warning weak weakref \
          zero_call_used_regs\
          """
              .split("\\s+"));

  private static final Set<String> LAYOUTS = Set.of("packed", "aligned", "mode", "vector_size");

  private boolean isPacked;
  private int alignment;
  private int lastAlignment;
  private Optional<String> mode = Optional.empty();
  private int vector;
  private Optional<CToken> unknown = Optional.empty();
  private Optional<CToken> packedAt = Optional.empty();

  /** Returns whether an attribute is followed or can be ignored. */
  public static boolean isKnown(String attribute) {
    String name = plain(attribute);
    return HARMLESS.contains(name) || LAYOUTS.contains(name);
  }

  /** Returns the name of an attribute without underscores around, and without its vendor. */
  static String plain(String attribute) {
    String name = attribute.substring(attribute.lastIndexOf(':') + 1);
    return name.length() > 4 && name.startsWith("__") && name.endsWith("__")
        ? name.substring(2, name.length() - 2)
        : name;
  }

  void pack(CToken place) {
    isPacked = true;
    packedAt = Optional.of(place);
  }

  /** Adds an alignment in bytes. */
  void align(int bytes) {
    alignment = Math.max(alignment, bytes);
    lastAlignment = bytes;
  }

  /** Makes a vector of the type, of a size in bytes. */
  void vector(int bytes) {
    vector = bytes;
    align(bytes);
  }

  /** Returns the size of a vector in bytes, 0 if it is none. */
  int vector() {
    return vector;
  }

  void mode(String name) {
    mode = Optional.of(plain(name));
  }

  /** Adds an attribute that is not known: an error where it could change a layout. */
  void unknown(CToken attribute) {
    unknown = unknown.or(() -> Optional.of(attribute));
  }

  boolean isPacked() {
    return isPacked;
  }

  Optional<CToken> packedAt() {
    return packedAt;
  }

  /** Returns the alignment of a member in bytes, the strictest one; 0 without one. */
  int alignment() {
    return alignment;
  }

  /** Returns the alignment of a type in bytes, the last one, as GCC does; 0 without one. */
  int lastAlignment() {
    return lastAlignment;
  }

  Optional<String> mode() {
    return mode;
  }

  /** Returns whether the declared type is another than its specifiers say. */
  boolean changesType() {
    return mode.isPresent() || vector > 0;
  }

  void addAll(CAttributes others) {
    isPacked |= others.isPacked;
    packedAt = packedAt.or(() -> others.packedAt);
    alignment = Math.max(alignment, others.alignment);
    lastAlignment = others.lastAlignment == 0 ? lastAlignment : others.lastAlignment;
    mode = mode.or(() -> others.mode);
    vector = Math.max(vector, others.vector);
    unknown = unknown.or(() -> others.unknown);
  }

  /** Throws an error if an attribute could change a layout. */
  void requireKnown() throws CSyntaxException {
    if (unknown.isPresent()) {
      throw new CSyntaxException(
          unknown.get(),
          "unknown attribute \"" + unknown.get().text() + "\"",
          "it could change the layout; packed and aligned are supported");
    }
  }
}
