package dev.ply.build;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which classes of libraries a program can reach: all that are named in any constant of a class
 * that it can reach, be it a reference, a descriptor, a signature or a text. That is more than is
 * ever loaded, but misses nothing that reflection finds by a constant name.
 */
final class UsedClasses {
  private static final int MAGIC_AND_VERSION = 8;
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([^;<]+)[;<]");

  private UsedClasses() {}

  /**
   * Returns the internal names of the roots and of all classes that they can reach, sorted.
   *
   * @param classes the classes there are, by internal name
   * @param roots names of those that are used anyway
   */
  static Set<String> of(Map<String, byte[]> classes, Collection<String> roots) throws IOException {
    Set<String> used = new TreeSet<>();
    Deque<String> named = new ArrayDeque<>(roots);
    while (!named.isEmpty()) {
      String name = named.remove();
      byte[] file = classes.get(name);
      if (file != null && used.add(name)) {
        named.addAll(namesIn(file));
      }
    }
    return used;
  }

  private static Set<String> namesIn(byte[] file) throws IOException {
    Set<String> names = new LinkedHashSet<>();
    for (String text : texts(file)) {
      names.add(text.replace('.', '/'));
      Matcher matcher = IN_DESCRIPTOR.matcher(text);
      while (matcher.find()) {
        names.add(matcher.group(1));
      }
    }
    return names;
  }

  /** The texts of the constant pool (JVMS 4.4). */
  private static Set<String> texts(byte[] file) throws IOException {
    Set<String> texts = new LinkedHashSet<>();
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
    in.skipNBytes(MAGIC_AND_VERSION);
    int count = in.readUnsignedShort();
    for (int index = 1; index < count; index++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts.add(in.readUTF());
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          index++; // these take two places
        }
        case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
        case 15 -> in.skipNBytes(3);
        default -> throw new IOException("constant of unknown kind " + tag);
      }
    }
    return texts;
  }
}
