package dev.ply.bpf.vm;

/** A program that the interpreter executes. */
record InterpretedProgram(Interpreter interpreter, LinkedProgram program) implements Executable {
  @Override
  public long run(long... arguments) {
    return interpreter.run(program, arguments);
  }
}
