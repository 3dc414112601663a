package dev.ply.cli.yaml;

import dev.ply.cli.io.UsageException;
import dev.ply.diagnostic.Source;
import dev.ply.diagnostic.SourceSpan;
import dev.ply.type.Escapes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.JsonSchema;

/**
 * A configuration file, as its mapping at the top. Values are plain data: no tag makes an object.
 */
public final class YamlFile {
  /** Files are larger by mistake. */
  private static final int LONGEST = 1 << 20;

  /** Of nested lists and mappings; deeper ones are refused before they fill the stack. */
  private static final int ALIASES = 50;

  private YamlFile() {}

  /**
   * Returns a file as a source, for messages.
   *
   * @throws UsageException if it cannot be read, or is no text of up to 1 MiB
   */
  public static Source read(Path file) throws UsageException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new UsageException(file + " is no file");
    }
    try (InputStream content = Files.newInputStream(file)) {
      byte[] bytes = content.readNBytes(LONGEST + 1);
      if (bytes.length > LONGEST) {
        throw new UsageException(file + " is no configuration: it is larger than 1 MiB");
      }
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new Source(file.toString(), text);
    } catch (CharacterCodingException e) {
      throw new UsageException(file + " is no configuration: it is not UTF-8");
    } catch (NoSuchFileException e) {
      throw new UsageException("no such file: " + file);
    } catch (IOException e) {
      throw new UsageException(file + " cannot be read: " + reason(e));
    }
  }

  private static String reason(IOException e) {
    return e instanceof AccessDeniedException
        ? "permission denied"
        : String.valueOf(e.getMessage());
  }

  /** Returns the mapping of a source; an empty one after an error. */
  public static YamlMap parse(Source source, YamlErrors errors) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(source.name())
            .setSchema(new JsonSchema())
            .setCodePointLimit(LONGEST)
            .setMaxAliasesForCollections(ALIASES)
            .build();
    try {
      // As Compose does, whose package the library's module keeps to itself.
      StreamReader text = new StreamReader(settings, source.text());
      Optional<Node> root = new Composer(settings, new ParserImpl(settings, text)).getSingleNode();
      if (root.isPresent() && root.get() instanceof MappingNode mapping) {
        return YamlMap.of(mapping, errors);
      }
      if (root.isPresent()) {
        errors.add(
            errors.span(root.get()), "the file is no mapping", "it has lines such as key: value");
      }
    } catch (MarkedYamlEngineException e) {
      errors.add(span(source, e.getProblemMark()), problem(e), hint(source, e));
    } catch (YamlEngineException | StackOverflowError e) {
      errors.add(
          SourceSpan.NONE, "this is no YAML: " + Escapes.escape(String.valueOf(e.getMessage())));
    }
    return YamlMap.empty(source, errors);
  }

  private static String problem(MarkedYamlEngineException e) {
    return "this is no YAML: "
        + Optional.ofNullable(e.getContext()).map(context -> context + ", ").orElse("")
        + e.getProblem();
  }

  private static String[] hint(Source source, MarkedYamlEngineException e) {
    boolean isTab =
        e.getProblemMark()
            .flatMap(mark -> source.line(mark.getLine() + 1))
            .filter(line -> line.startsWith("\t"))
            .isPresent();
    return isTab ? new String[] {"lines are indented by spaces, not by tabs"} : new String[0];
  }

  private static SourceSpan span(Source source, Optional<Mark> mark) {
    return mark.map(
            one ->
                new SourceSpan(
                    source.name(),
                    one.getLine() + 1,
                    one.getColumn() + 1,
                    one.getLine() + 1,
                    one.getColumn() + 1))
        .orElse(SourceSpan.NONE);
  }
}
