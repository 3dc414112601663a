package dev.ply.lang.events;

/**
 * An error in a definition, in the terms of the kernel's {@code error_log}.
 *
 * <p>Names and messages are those that kernel/trace/trace_probe.h of Linux 6.18 reports.
 */
public enum ProbeError {
  /** The file of a user-space event does not exist. */
  FILE_NOT_FOUND("Failed to find the given file"),
  /** The file of a user-space event is a directory or a device. */
  NO_REGULAR_FILE("Not a regular file"),
  /** A reference counter that is not a number. */
  BAD_REFCNT("Invalid reference counter offset"),
  /** A reference counter without its closing parenthesis. */
  REFCNT_OPEN_BRACE("Reference counter brace is not closed"),
  /** Characters after a reference counter. */
  BAD_REFCNT_SUFFIX("Reference counter has wrong suffix"),
  /** A file offset that is not a number. */
  BAD_UPROBE_OFFS("Invalid uprobe offset"),
  /** A maxactive for an entry event. */
  BAD_MAXACT_TYPE("Maxactive is only for function exit"),
  /** A maxactive that is not a positive number. */
  BAD_MAXACT("Invalid maxactive number"),
  /** A maxactive above 4096. */
  MAXACT_TOO_BIG("Maxactive is too big"),
  /** A location that is neither a symbol with an offset nor an address. */
  BAD_PROBE_ADDR("Invalid probed address or symbol"),
  /** A symbol that several functions have. */
  NON_UNIQ_SYMBOL("The symbol is not unique"),
  /** A return event inside of a function. */
  BAD_RETPROBE("Retprobe address must be an function entry"),
  /** A tracepoint that does not exist. */
  NO_TRACEPOINT("Tracepoint is not found"),
  /** A tracepoint's name with other characters than those of identifiers. */
  BAD_TP_NAME("Invalid character in tracepoint name"),
  /** Another suffix than {@code %return}. */
  BAD_ADDR_SUFFIX("Invalid probed address suffix"),
  /** A slash without a group before it. */
  NO_GROUP_NAME("Group name is not specified"),
  /** A group name of 64 characters or more. */
  GROUP_TOO_LONG("Group name is too long"),
  /** A group name that is not an identifier. */
  BAD_GROUP_NAME("Group name must follow the same rules as C identifiers"),
  /** A colon without a name after it. */
  NO_EVENT_NAME("Event name is not specified"),
  /** An event name of 64 characters or more. */
  EVENT_TOO_LONG("Event name is too long"),
  /** An event name that is not an identifier. */
  BAD_EVENT_NAME("Event name must follow the same rules as C identifiers"),
  /** {@code $retval} in an entry event. */
  RETVAL_ON_PROBE("$retval is not available on probe"),
  /** {@code $retval} of a function without a result. */
  NO_RETVAL("This function returns 'void' type"),
  /** A stack entry beyond the stack. */
  BAD_STACK_NUM("Invalid stack number"),
  /** An argument number that is 0 or too large. */
  BAD_ARG_NUM("Invalid argument number"),
  /** An unknown variable. */
  BAD_VAR("Invalid $-variable specified"),
  /** An unknown register. */
  BAD_REG_NAME("Invalid register name"),
  /** An address that is not a number. */
  BAD_MEM_ADDR("Invalid memory address"),
  /** An immediate that is not a number. */
  BAD_IMM("Invalid immediate value"),
  /** An immediate string without its closing quote. */
  IMMSTR_NO_CLOSE("String is not closed with '\"'"),
  /** {@code @+OFFSET} in the kernel. */
  FILE_ON_KPROBE("File offset is not available with kprobe"),
  /** {@code @+OFFSET} whose offset is not a number. */
  BAD_FILE_OFFS("Invalid file offset value"),
  /** {@code @SYMBOL} in user space. */
  SYM_ON_UPROBE("Symbol is not available with uprobe"),
  /** More nested dereferences than the kernel has room for. */
  TOO_MANY_OPS("Dereference is too much nested"),
  /** A dereference without its opening parenthesis. */
  DEREF_NEED_BRACE("Dereference needs a brace"),
  /** A dereference whose offset is not a number. */
  BAD_DEREF_OFFS("Invalid dereference offset"),
  /** A dereference without its closing parenthesis. */
  DEREF_OPEN_BRACE("Dereference brace is not closed"),
  /** A dereference of a string. */
  COMM_CANT_DEREF("$comm can not be dereferenced"),
  /** A fetch argument of no known form. */
  BAD_FETCH_ARG("Invalid fetch argument"),
  /** An array without its closing bracket. */
  ARRAY_NO_CLOSE("Array is not closed"),
  /** Characters after an array. */
  BAD_ARRAY_SUFFIX("Array has wrong suffix"),
  /** An array whose size is not a positive number. */
  BAD_ARRAY_NUM("Invalid array size"),
  /** An array of more than 64 elements. */
  ARRAY_TOO_BIG("Array number is too big"),
  /** An unknown type. */
  BAD_TYPE("Unknown type is specified"),
  /** A string, or an array, of a value that is not in memory. */
  BAD_STRING("String accepts only memory argument"),
  /** A symbol string of a value that is not an address. */
  BAD_SYMSTRING("Symbol String doesn't accept data/userdata"),
  /** A bit-field without width or offset, or wider than its container. */
  BAD_BITFIELD("Invalid bitfield"),
  /** An argument name of more than 32 characters. */
  ARG_NAME_TOO_LONG("Argument name is too long"),
  /** An equals sign without a name before it. */
  NO_ARG_NAME("Argument name is not specified"),
  /** An argument name that is not an identifier. */
  BAD_ARG_NAME("Argument name must follow the same rules as C identifiers"),
  /** An argument name that is reserved or used twice. */
  USED_ARG_NAME("This argument name is already used"),
  /** A fetch argument of more than 63 characters. */
  ARG_TOO_LONG("Argument expression is too long"),
  /** An equals sign without a fetch argument after it. */
  NO_ARG_BODY("No argument expression"),
  /** An event that is defined already, as another kind, or on a record. */
  EVENT_EXIST("Given group/event name is already used by another event"),
  /** A condition without an expression. */
  NO_EP_FILTER("No filter rule after 'if'"),
  /** An event that two definitions of different kinds define. */
  DIFF_PROBE_TYPE("Probe type is different from existing probe"),
  /** An event that two definitions with different arguments define. */
  DIFF_ARG_TYPE("Argument type or name is different from existing probe"),
  /** The same definition twice. */
  SAME_PROBE("There is already the exact same probe event"),
  /** A parameter by name where there are no types. */
  NOSUP_BTFARG("BTF is not available or not supported"),
  /** A parameter that the function does not have. */
  NO_BTFARG("This variable is not found at this probe point"),
  /** A function whose types are unknown. */
  NO_BTF_ENTRY("No BTF entry for this probe point"),
  /** An argument of the function elsewhere than at its entry or exit. */
  NOFENTRY_ARGS("$arg* can be used only on function entry or exit"),
  /** {@code $arg*} twice. */
  DOUBLE_ARGS("$arg* can be used only once in the parameters"),
  /** A member of what is not a pointer to a structure. */
  NO_PTR_STRCT("This is not a pointer to union/structure."),
  /** A member, by a dot, of a parameter. */
  NOSUP_DAT_ARG("Non pointer structure/union argument is not supported."),
  /** A hyphen that does not begin an arrow. */
  BAD_HYPHEN("Failed to parse single hyphen. Forgot '>'?"),
  /** A member, by a dot, of what is not a structure. */
  BAD_BTF_TID("Failed to get BTF type info."),
  /** A member that the structure does not have. */
  NO_BTF_FIELD("This field is not found."),
  /** A string of a parameter that is not a string. */
  BAD_TYPE4STR("This type does not fit for string."),
  /** Another type than {@code string} for {@code $comm} or an immediate string. */
  NEED_STRING_TYPE("$comm and immediate-string only accepts string type"),
  /** An event probe without category and event. */
  NO_EVENT_INFO("This requires both group and event name to attach"),
  /** An event probe on an event that does not exist. */
  BAD_ATTACH_EVENT("Attached event does not exist"),
  /** More than 128 arguments. */
  TOO_MANY_ARGS("Too many arguments are specified");

  private final String message;

  ProbeError(String message) {
    this.message = message;
  }

  /** Returns the message of the kernel's {@code error_log}. */
  public String message() {
    return message;
  }
}
