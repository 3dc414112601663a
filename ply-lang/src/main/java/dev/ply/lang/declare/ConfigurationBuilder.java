package dev.ply.lang.declare;

import dev.ply.diagnostic.DiagnosticCode;
import dev.ply.diagnostic.Diagnostics;
import dev.ply.diagnostic.Suggestions;
import dev.ply.ir.declaration.Configuration;
import dev.ply.ir.declaration.Setting;
import dev.ply.lang.grammar.PlyLexer;
import dev.ply.lang.grammar.PlyParser;
import dev.ply.lang.token.LiteralDecoder;
import dev.ply.lang.token.Positions;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.Token;

/** Builds the settings of a script from its {@code config} block. */
public final class ConfigurationBuilder {
  private final Positions positions;
  private final Diagnostics diagnostics;

  public ConfigurationBuilder(Positions positions, Diagnostics diagnostics) {
    this.positions = positions;
    this.diagnostics = diagnostics;
  }

  /** Returns the settings; reports those that are unknown, invalid or without effect. */
  public Configuration build(PlyParser.ConfigContext block) {
    Map<Setting, String> values = new EnumMap<>(Setting.class);
    for (PlyParser.SettingContext context : block.setting()) {
      if (context.value != null && context.exception == null) {
        add(context, values);
      }
    }
    return new Configuration(values);
  }

  private void add(PlyParser.SettingContext context, Map<Setting, String> values) {
    Token name = context.NAME(0).getSymbol();
    Optional<Setting> setting = Setting.named(name.getText());
    if (setting.isEmpty()) {
      diagnostics.error(
          DiagnosticCode.UNKNOWN_NAME,
          positions.of(name),
          "unknown setting \"" + name.getText() + "\"",
          Suggestions.hint(name.getText(), Setting.names()));
      return;
    }
    Setting.Kind kind = setting.get().kind();
    String value =
        context.value.getType() == PlyLexer.STRING
            ? LiteralDecoder.string(context.value.getText())
            : context.value.getText();
    boolean isWrong = kind == Setting.Kind.TEXT && context.value.getType() == PlyLexer.NUMBER;
    if (isWrong || !kind.accepts(value)) {
      diagnostics.error(
          DiagnosticCode.OUT_OF_RANGE,
          positions.of(context.value),
          setting.get() + " takes " + kind.description());
      return;
    }
    if (kind == Setting.Kind.WITHOUT_EFFECT || kind == Setting.Kind.LICENSE) {
      diagnostics.note(
          DiagnosticCode.NO_EFFECT, positions.of(name), setting.get() + " has no effect here");
    }
    values.put(setting.get(), value);
  }
}
