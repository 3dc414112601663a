package dev.ply.cli.live.draw;

import java.util.Map;
import org.jline.utils.AttributedStyle;

/**
 * The colours and characters that a terminal can show. Immutable.
 *
 * @param depth how many colours
 * @param isUnicode whether other characters than ASCII
 */
public record Look(Depth depth, boolean isUnicode) {
  private static final int PALETTE = 256;
  private static final int FEW = 8;
  private static final int COLD_TO_HOT = 11;

  /**
   * From blue by green to yellow, in the palette of 256 colours, each lighter: the darkest is seen
   * on black.
   */
  private static final int[] RAMP = {24, 25, 31, 37, 42, 77, 113, 149, 185, 191, 226};

  private static final int[] FEW_COLOURS = {
    AttributedStyle.BLUE,
    AttributedStyle.CYAN,
    AttributedStyle.GREEN,
    AttributedStyle.YELLOW,
    AttributedStyle.RED
  };

  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final String ASCII_BARS = "_.-=+*%#";
  private static final String SHADES = "·░▒▓█";
  private static final String ASCII_SHADES = ".:-=+*%@#";

  /** How many colours a terminal has. */
  public enum Depth {
    /** None, or none are wanted. */
    NONE,
    /** The eight or sixteen that users choose themselves. */
    FEW,
    /** 256. */
    PALETTE,
    /** All. */
    TRUE
  }

  /**
   * {@return the look for a terminal}
   *
   * @param environment of the caller: {@code NO_COLOR}, {@code COLORTERM} and the locale
   * @param colours those of its description
   */
  public static Look of(Map<String, String> environment, int colours) {
    return new Look(depth(environment, colours), isUnicode(environment));
  }

  private static Depth depth(Map<String, String> environment, int colours) {
    if (!environment.getOrDefault("NO_COLOR", "").isEmpty() || colours < FEW) {
      return Depth.NONE;
    }
    String claim = environment.getOrDefault("COLORTERM", "");
    if (claim.equals("truecolor") || claim.equals("24bit") || colours > PALETTE) {
      return Depth.TRUE;
    }
    return colours == PALETTE ? Depth.PALETTE : Depth.FEW;
  }

  private static boolean isUnicode(Map<String, String> environment) {
    for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      String locale = environment.getOrDefault(name, "");
      if (!locale.isEmpty()) {
        return locale.matches("(?i).*utf-?8.*");
      }
    }
    return false;
  }

  /** {@return the characters of bars, the lowest first} */
  String bars() {
    return isUnicode ? BARS : ASCII_BARS;
  }

  /** {@return one of two characters, the first where only ASCII is shown} */
  String choose(String ascii, String unicode) {
    return isUnicode ? unicode : ascii;
  }

  /** {@return the character of a share of the largest, above 0 and at most 1} */
  char shade(double share) {
    if (isUnicode && (depth == Depth.PALETTE || depth == Depth.TRUE)) {
      return '█';
    }
    String shades = isUnicode ? SHADES : ASCII_SHADES;
    return shades.charAt(Math.min(shades.length() - 1, (int) (share * shades.length())));
  }

  /** {@return the colour of a share of the largest, from 0 to 1} */
  AttributedStyle heat(double share) {
    double at = Math.max(0, Math.min(1, share));
    return switch (depth) {
      case NONE -> plain();
      case FEW ->
          plain()
              .foreground(
                  FEW_COLOURS[(int) Math.min(at * FEW_COLOURS.length, FEW_COLOURS.length - 1)]);
      case PALETTE -> plain().foreground(RAMP[(int) Math.min(at * COLD_TO_HOT, COLD_TO_HOT - 1)]);
      case TRUE -> {
        double between = at * (COLD_TO_HOT - 1);
        int low = (int) Math.min(between, COLD_TO_HOT - 2);
        double part = between - low;
        yield plain()
            .foreground(
                mixed(RAMP[low], RAMP[low + 1], part, 16),
                mixed(RAMP[low], RAMP[low + 1], part, 8),
                mixed(RAMP[low], RAMP[low + 1], part, 0));
      }
    };
  }

  /** Returns a component of a colour between two of the palette's cube. */
  private static int mixed(int from, int to, double part, int shift) {
    return (int) Math.round(component(from, shift) * (1 - part) + component(to, shift) * part);
  }

  private static int component(int colour, int shift) {
    int inCube = colour - 16;
    int step = shift == 16 ? inCube / 36 : shift == 8 ? inCube / 6 % 6 : inCube % 6;
    return step == 0 ? 0 : 55 + 40 * step;
  }

  AttributedStyle plain() {
    return AttributedStyle.DEFAULT;
  }

  AttributedStyle strong() {
    return plain().bold();
  }

  AttributedStyle faint() {
    return plain().faint();
  }

  AttributedStyle heading(boolean isSorted) {
    AttributedStyle style = plain().underline();
    return isSorted ? style.bold() : style;
  }

  AttributedStyle name() {
    return coloured(AttributedStyle.CYAN).bold();
  }

  AttributedStyle rate() {
    return coloured(AttributedStyle.CYAN);
  }

  AttributedStyle bars(boolean isRecent) {
    return isRecent ? coloured(AttributedStyle.GREEN) : coloured(AttributedStyle.BLUE);
  }

  AttributedStyle fresh() {
    return coloured(AttributedStyle.GREEN).bold();
  }

  AttributedStyle alarm() {
    return coloured(AttributedStyle.RED).bold();
  }

  AttributedStyle notice() {
    return coloured(AttributedStyle.YELLOW).bold();
  }

  private AttributedStyle coloured(int colour) {
    return depth == Depth.NONE ? plain() : plain().foreground(colour);
  }
}
