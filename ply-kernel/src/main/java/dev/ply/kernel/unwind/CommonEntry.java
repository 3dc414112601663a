package dev.ply.kernel.unwind;

import dev.ply.kernel.dwarf.BadDwarfException;
import dev.ply.kernel.dwarf.DwarfCursor;
import java.io.IOException;

/**
 * What functions of a compilation share: a common information entry (CIE).
 *
 * @param codeFactor the unit of advances, in bytes
 * @param dataFactor the unit of offsets, in bytes
 * @param pointers how addresses of functions are encoded
 * @param hasAugmentation whether entries of functions have augmentation data
 * @param isSignalFrame whether the functions are what signal handlers return to
 * @param initial the rules at a function's entry
 */
record CommonEntry(
    long codeFactor,
    long dataFactor,
    PointerEncoding pointers,
    boolean hasAugmentation,
    boolean isSignalFrame,
    FrameRules initial) {
  private static final int MOST_AUGMENTATIONS = 16;

  /**
   * Reads an entry.
   *
   * @param entry the content after the entry's identifier
   */
  static CommonEntry read(DwarfCursor entry, FrameMachine machine) throws IOException {
    int version = entry.unsignedByte();
    if (version != 1 && version != 3 && version != 4) {
      throw new BadDwarfException("call frame information of version " + version);
    }
    String augmentation = augmentation(entry);
    if (version == 4 && entry.unsigned(2) != UnwindSections.ADDRESS_SIZE) {
      throw new BadDwarfException("call frame information with segments or short addresses");
    }
    long codeFactor = entry.uleb();
    long dataFactor = entry.sleb();
    long returnRegister = version == 1 ? entry.unsignedByte() : entry.uleb();
    if (returnRegister != machine.returnAddress()) {
      throw new BadDwarfException("return addresses in register " + returnRegister);
    }
    PointerEncoding pointers = PointerEncoding.ABSOLUTE;
    boolean isSignalFrame = false;
    if (!augmentation.isEmpty()) {
      if (augmentation.charAt(0) != 'z') {
        throw new BadDwarfException("call frame information of augmentation " + augmentation);
      }
      DwarfCursor data = entry.part(entry.uleb());
      for (char kind : augmentation.substring(1).toCharArray()) {
        switch (kind) {
          case 'L' -> data.skip(1);
          case 'R' -> pointers = new PointerEncoding(data.unsignedByte());
          case 'P' -> new PointerEncoding(data.unsignedByte()).skip(data);
          case 'S' -> isSignalFrame = true;
          // Keys of pointer authentication, and tagged stacks: nothing to read.
          case 'B', 'G' -> {}
          default ->
              throw new BadDwarfException("call frame information of augmentation " + augmentation);
        }
      }
    }
    CommonEntry before =
        new CommonEntry(
            codeFactor,
            dataFactor,
            pointers,
            !augmentation.isEmpty(),
            isSignalFrame,
            FrameRules.NONE);
    FrameProgram program = new FrameProgram(before, machine, 0);
    program.run(entry, (offset, rules) -> {});
    return before.with(program.rules());
  }

  private static String augmentation(DwarfCursor entry) throws BadDwarfException {
    StringBuilder text = new StringBuilder();
    for (int next = entry.unsignedByte(); next != 0; next = entry.unsignedByte()) {
      if (text.length() == MOST_AUGMENTATIONS) {
        throw new BadDwarfException("call frame information of a long augmentation");
      }
      text.append((char) next);
    }
    return text.toString();
  }

  private CommonEntry with(FrameRules rules) {
    return new CommonEntry(codeFactor, dataFactor, pointers, hasAugmentation, isSignalFrame, rules);
  }
}
