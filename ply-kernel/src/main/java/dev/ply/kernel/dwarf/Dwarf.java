package dev.ply.kernel.dwarf;

/** The numbers of the tags, attributes and forms that are read: DWARF 5, section 7.5. */
final class Dwarf {
  static final int TAG_ARRAY = 0x01;
  static final int TAG_CLASS = 0x02;
  static final int TAG_ENUMERATION = 0x04;
  static final int TAG_PARAMETER = 0x05;
  static final int TAG_MEMBER = 0x0d;
  static final int TAG_POINTER = 0x0f;
  static final int TAG_REFERENCE = 0x10;
  static final int TAG_STRUCTURE = 0x13;
  static final int TAG_FUNCTION_TYPE = 0x15;
  static final int TAG_TYPEDEF = 0x16;
  static final int TAG_UNION = 0x17;
  static final int TAG_INHERITANCE = 0x1c;
  static final int TAG_SUBRANGE = 0x21;
  static final int TAG_BASE = 0x24;
  static final int TAG_CONST = 0x26;
  static final int TAG_FUNCTION = 0x2e;
  static final int TAG_VOLATILE = 0x35;
  static final int TAG_RESTRICT = 0x37;
  static final int TAG_RVALUE_REFERENCE = 0x42;
  static final int TAG_ATOMIC = 0x47;

  static final int LOCATION = 0x02;
  static final int NAME = 0x03;
  static final int BYTE_SIZE = 0x0b;
  static final int BIT_OFFSET = 0x0c;
  static final int BIT_SIZE = 0x0d;
  static final int LOW_PC = 0x11;
  static final int HIGH_PC = 0x12;
  static final int LANGUAGE = 0x13;
  static final int CONST_VALUE = 0x1c;
  static final int PRODUCER = 0x25;
  static final int UPPER_BOUND = 0x2f;
  static final int ABSTRACT_ORIGIN = 0x31;
  static final int COUNT = 0x37;
  static final int MEMBER_LOCATION = 0x38;
  static final int DECLARATION = 0x3c;
  static final int ENCODING = 0x3e;
  static final int FRAME_BASE = 0x40;
  static final int SPECIFICATION = 0x47;
  static final int TYPE = 0x49;
  static final int CALLING_CONVENTION = 0x36;
  static final int VARIABLE_PARAMETER = 0x4b;
  static final int TYPE_SIGNATURE = 0x69;
  static final int DATA_BIT_OFFSET = 0x6b;
  static final int LINKAGE_NAME = 0x6e;
  static final int STRING_OFFSETS_BASE = 0x72;
  static final int ADDRESSES_BASE = 0x73;
  static final int LOCATION_LISTS_BASE = 0x8c;

  static final int FORM_ADDRESS = 0x01;
  static final int FORM_BLOCK2 = 0x03;
  static final int FORM_BLOCK4 = 0x04;
  static final int FORM_DATA2 = 0x05;
  static final int FORM_DATA4 = 0x06;
  static final int FORM_DATA8 = 0x07;
  static final int FORM_STRING = 0x08;
  static final int FORM_BLOCK = 0x09;
  static final int FORM_BLOCK1 = 0x0a;
  static final int FORM_DATA1 = 0x0b;
  static final int FORM_FLAG = 0x0c;
  static final int FORM_SIGNED = 0x0d;
  static final int FORM_STRING_OFFSET = 0x0e;
  static final int FORM_UNSIGNED = 0x0f;
  static final int FORM_REFERENCE_IN_FILE = 0x10;
  static final int FORM_REFERENCE1 = 0x11;
  static final int FORM_REFERENCE2 = 0x12;
  static final int FORM_REFERENCE4 = 0x13;
  static final int FORM_REFERENCE8 = 0x14;
  static final int FORM_REFERENCE = 0x15;
  static final int FORM_INDIRECT = 0x16;
  static final int FORM_OFFSET = 0x17;
  static final int FORM_EXPRESSION = 0x18;
  static final int FORM_PRESENT = 0x19;
  static final int FORM_STRING_INDEX = 0x1a;
  static final int FORM_ADDRESS_INDEX = 0x1b;
  static final int FORM_OTHER_REFERENCE4 = 0x1c;
  static final int FORM_OTHER_STRING = 0x1d;
  static final int FORM_DATA16 = 0x1e;
  static final int FORM_LINE_STRING = 0x1f;
  static final int FORM_SIGNATURE = 0x20;
  static final int FORM_IMPLICIT = 0x21;
  static final int FORM_LOCATIONS_INDEX = 0x22;
  static final int FORM_RANGES_INDEX = 0x23;
  static final int FORM_OTHER_REFERENCE8 = 0x24;
  static final int FORM_STRING_INDEX1 = 0x25;
  static final int FORM_STRING_INDEX4 = 0x28;
  static final int FORM_ADDRESS_INDEX1 = 0x29;
  static final int FORM_ADDRESS_INDEX4 = 0x2c;

  /** GNU's references to the file that dwz shares between debug files. */
  static final int FORM_SHARED_REFERENCE = 0x1f20;

  static final int FORM_SHARED_STRING = 0x1f21;

  static final int ENCODING_BOOLEAN = 0x02;
  static final int ENCODING_COMPLEX = 0x03;
  static final int ENCODING_FLOAT = 0x04;
  static final int ENCODING_SIGNED = 0x05;
  static final int ENCODING_SIGNED_CHAR = 0x06;
  static final int ENCODING_UNSIGNED_CHAR = 0x08;

  /** How a type is passed that is returned by way of a hidden first argument. */
  static final int PASSED_BY_REFERENCE = 0x04;

  /** The operation of an expression that adds a number to the address of a structure. */
  static final int PLUS_CONSTANT = 0x23;

  static final int LANGUAGE_D = 0x13;
  static final int LANGUAGE_GO = 0x16;
  static final int LANGUAGE_HASKELL = 0x18;
  static final int LANGUAGE_OCAML = 0x1b;

  /** Calls of a function are those of the platform: normal, and a program's first. */
  static final int CALLED_NORMALLY = 0x01;

  static final int CALLED_AS_PROGRAM = 0x02;

  private Dwarf() {}
}
