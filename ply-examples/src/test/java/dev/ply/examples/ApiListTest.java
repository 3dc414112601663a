package dev.ply.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.reflect.ClassPath;
import dev.ply.Probe;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list of the API in ARCHITECTURE.md has types that exist, and all of the main package. */
class ApiListTest {
  private static final Pattern ROW =
      Pattern.compile("^\\| `(dev\\.ply[a-z.]*)` \\| (`[A-Z].*) \\|$", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`([A-Za-z]+)`");

  private static List<String> listed() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "ARCHITECTURE.md"));
    List<String> names = new ArrayList<>();
    for (MatchResult row : ROW.matcher(page).results().toList()) {
      NAME.matcher(row.group(2))
          .results()
          .forEach(name -> names.add(row.group(1) + "." + name.group(1)));
    }
    return names;
  }

  @Test
  void listedTypesArePublic() throws Exception {
    List<String> names = listed();
    assertThat(names).hasSizeBetween(40, 120);
    for (String name : names) {
      assertThat(isPublic(name)).as(name).isTrue();
    }
  }

  private static boolean isPublic(String name) throws Exception {
    try {
      return Modifier.isPublic(Class.forName(name).getModifiers());
    } catch (NoClassDefFoundError e) {
      // It is for a library that a program may have or not: these are in ply-core.
      Path source =
          Path.of("..", "ply-core", "src", "main", "java", name.replace('.', '/') + ".java");
      String type = name.substring(name.lastIndexOf('.') + 1);
      return Files.readString(source).contains("\npublic final class " + type + " ");
    }
  }

  @Test
  void allPublicTypesOfTheMainPackageAreListed() throws Exception {
    ClassPath classes = ClassPath.from(Probe.class.getClassLoader());
    List<String> found =
        classes.getTopLevelClasses(Probe.class.getPackageName()).stream()
            .map(ClassPath.ClassInfo::load)
            .filter(type -> Modifier.isPublic(type.getModifiers()))
            .map(Class::getName)
            .toList();
    assertThat(found).contains(Probe.class.getName());
    assertThat(listed()).containsAll(found);
  }
}
