package dev.ply.kernel.symbolize;

import dev.ply.kernel.mapping.FileMapping;
import dev.ply.kernel.mapping.ProcessImage;
import dev.ply.kernel.symbolize.CodeFiles.Code;
import dev.ply.target.UserSymbols.Frame;
import dev.ply.target.UserSymbols.Location;
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
    if (mapping.isEmpty()) {
      return new Frame(address);
    }
    Optional<Code> file = code.code(process, mapping.get());
    long offset = instruction - mapping.get().start() + mapping.get().offset();
    return new Frame(
        address,
        file.flatMap(known -> known.at(offset, address - instruction, code.budget())),
        mapping.filter(FileMapping::isNamed).map(FileMapping::fileName),
        file.map(known -> known.location(offset, address - instruction)).orElse(Location.UNKNOWN),
        mapping.filter(FileMapping::isNamed).map(FileMapping::name));
  }

  @Override
  public Object version() {
    return image;
  }
}
