package dev.ply.bpf.vm.interpret;

/** A program that the interpreter executes. */
public record InterpretedProgram(Interpreter interpreter, LinkedProgram program)
    implements Executable {
  @Override
  public long run(long... arguments) {
    return interpreter.run(program, arguments);
  }
}
