package dev.ply.kernel;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;

/**
 * A program that calls a native function about 20 methods down, in many ways, and prints what the
 * runtime knows of its stacks: "way NUMBER NAME CALLS", and "java NUMBER METHOD...", the methods of
 * this class, innermost first. It waits for a line. Arguments: a library, and the calls of each
 * way.
 */
final class DeepJava {
  private static final int DEPTH = 12;
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final MethodHandle HANDLE = handle();
  private static final Method METHOD = method();

  private static volatile boolean telling;
  private static volatile long way;
  private static volatile byte[][] kept = {};

  private DeepJava() {}

  private interface Shape {
    long down(int n) throws Exception;
  }

  private static final class Square implements Shape {
    @Override
    public long down(int n) throws Exception {
      return n > 0 ? shape(n).down(n - 1) + n : last();
    }
  }

  private static final class Circle implements Shape {
    @Override
    public long down(int n) throws Exception {
      return n > 0 ? shape(n).down(n - 1) - n : last();
    }
  }

  private static Shape shape(int n) {
    return n % 3 == 0 ? new Square() : new Circle();
  }

  static native long leaf(long number);

  static native long back(int n);

  private static MethodHandle handle() {
    try {
      return MethodHandles.lookup()
          .findStatic(DeepJava.class, "handled", MethodType.methodType(long.class, int.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Method method() {
    try {
      return DeepJava.class.getDeclaredMethod("reflected", int.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long last() {
    if (telling) {
      tell();
    }
    return leaf(way);
  }

  private static void tell() {
    telling = false;
    String methods =
        WALKER.walk(
            frames ->
                frames
                    .skip(1)
                    .filter(frame -> frame.getClassName().startsWith("dev.ply.kernel.DeepJava"))
                    .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                    .collect(Collectors.joining(" ")));
    System.out.println("java " + way + " " + methods);
  }

  static long down(int n) {
    return n > 0 ? down(n - 1) + n : last();
  }

  private static long handled(int n) throws Throwable {
    return n > 0 ? (long) HANDLE.invokeExact(n - 1) + n : last();
  }

  private static long reflected(int n) throws ReflectiveOperationException {
    return n > 0 ? (Long) METHOD.invoke(null, n - 1) + n : last();
  }

  private static long lambda(int n) {
    IntToLongFunction function = m -> m > 0 ? lambda(m - 1) + n : last();
    return function.applyAsLong(n);
  }

  private static long thrown(int n) {
    try {
      return thrower(n);
    } catch (IllegalStateException e) {
      return down(n);
    }
  }

  private static long thrower(int n) {
    if (n > 0) {
      return thrower(n - 1) + n;
    }
    throw new IllegalStateException();
  }

  private static synchronized long locked(int n) {
    return n > 0 ? locked(n - 1) + n : last();
  }

  private static long wide(int n, long a, double b, int c, long d, double e, float f, long g) {
    return n > 0
        ? wide(n - 1, a + n, b + n, c, d + a, e, f, g) + (long) (a * b + c * d + e * f + g)
        : last();
  }

  private static long called(int n) {
    return n > 0 ? called(n - 1) + n : back(3);
  }

  /** The compiled method is given up each time, as what it is called with is another class. */
  private static long given(Object other, int n) {
    long sum = n > 0 ? given(n % 4 == 0 ? (Object) ("" + n) : (Object) n, n - 1) : last();
    return other instanceof String text ? sum + text.length() : sum + other.hashCode();
  }

  private static long sorted(int n) {
    Integer[] numbers = {3, 2, 1};
    Arrays.sort(numbers, (a, b) -> down(n) == 0 ? 0 : a.compareTo(b));
    return numbers[0];
  }

  private static long streamed(int n) {
    return List.of(1, 2, 3).stream().mapToLong(number -> number + down(n)).sum();
  }

  private static long collected(int n) {
    byte[][] garbage = new byte[100][];
    for (int i = 0; i < garbage.length; i++) {
      garbage[i] = new byte[1000];
    }
    kept = garbage;
    return n > 0 ? collected(n - 1) + n : last();
  }

  private static long looped(int n) {
    long sum = 0;
    for (int i = 0; i < 100; i++) {
      for (int j = 0; j < 100; j++) {
        sum += (long) i * j ^ sum;
      }
    }
    return sum + down(n);
  }

  private static long threaded(int n) throws Exception {
    return joined(new Thread(() -> down(n)), true);
  }

  private static long virtual(int n) throws Exception {
    return joined(virtualThread(() -> down(n)), false);
  }

  private static long pinned(int n) throws Exception {
    return joined(virtualThread(() -> called(n)), false);
  }

  private static long parked(int n) throws Exception {
    return joined(
        virtualThread(
            () -> {
              LockSupport.parkNanos(1);
              down(n);
            }),
        false);
  }

  private static long joined(Thread thread, boolean isNew) throws InterruptedException {
    if (isNew) {
      thread.start();
    }
    thread.join();
    return 1;
  }

  private static Thread virtualThread(Runnable action) throws ReflectiveOperationException {
    return (Thread)
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, action);
  }

  private static Map<String, Shape> ways() {
    Map<String, Shape> ways = new TreeMap<>();
    ways.put("plain", DeepJava::down);
    ways.put("shape", n -> shape(n).down(n));
    ways.put("lambda", DeepJava::lambda);
    ways.put(
        "handle",
        n -> {
          try {
            return handled(n);
          } catch (Throwable e) {
            throw new IllegalStateException(e);
          }
        });
    // In Java 17, a call is ten frames.
    ways.put("reflection", n -> reflected(n / 2));
    ways.put("exception", DeepJava::thrown);
    ways.put("lock", DeepJava::locked);
    ways.put("wide", n -> wide(n, 1, 2, 3, 4, 5, 6, 7));
    ways.put("jni-callback", DeepJava::called);
    ways.put("deoptimised", n -> given(n, n));
    ways.put("sort", DeepJava::sorted);
    ways.put("stream", DeepJava::streamed);
    ways.put("garbage", DeepJava::collected);
    ways.put("loop", DeepJava::looped);
    ways.put("thread", DeepJava::threaded);
    if (Runtime.version().feature() >= 21) {
      ways.put("virtual", DeepJava::virtual);
      ways.put("virtual-pinned", DeepJava::pinned);
      ways.put("virtual-parked", DeepJava::parked);
    }
    return ways;
  }

  private static long run(Shape each) throws Exception {
    return each.down(DEPTH);
  }

  /** Runs. */
  public static void main(String... arguments) throws Exception {
    System.load(arguments[0]);
    int calls = Integer.parseInt(arguments[1]);
    System.out.println("ready");
    waitForLine();
    long sum = 0;
    long number = 0;
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, Shape> each : ways().entrySet()) {
      way = ++number;
      for (int i = 0; i < calls; i++) {
        telling = i == 0;
        sum += run(each.getValue());
      }
      lines.add("way " + number + " " + each.getKey() + " " + calls);
    }
    lines.forEach(System.out::println);
    System.out.println("done " + sum);
    waitForLine();
  }

  private static void waitForLine() throws IOException {
    for (int read = System.in.read(); read >= 0 && read != '\n'; read = System.in.read()) {}
  }
}
