package dev.ply.kernel.user;

import dev.ply.kernel.mapping.FileMapping;
import dev.ply.kernel.mapping.ProcessImage;
import dev.ply.target.KernelSymbols.Symbol;
import dev.ply.target.UserSymbols.Frame;
import java.util.Optional;

/** The recorded mappings of a process between two calls of execve(2). */
record RecordedImage(int process, ProcessImage image, RecordedCode code) implements ProcessMemory {
  @Override
  public boolean has(long address) {
    return image.at(address).isPresent();
  }

  @Override
  public Frame frame(long address, long instruction) {
    Optional<FileMapping> mapping = image.at(instruction);
    return new Frame(
        address,
        mapping.flatMap(of -> symbol(of, instruction, address - instruction)),
        mapping.filter(FileMapping::isNamed).map(FileMapping::fileName));
  }

  private Optional<Symbol> symbol(FileMapping mapping, long instruction, long after) {
    return code.code(process, mapping)
        .flatMap(file -> file.at(instruction - mapping.start() + mapping.offset(), after));
  }
}
