package dev.ply.cli.live;

/**
 * A key that was pressed.
 *
 * @param name of a key that writes nothing; {@link Name#CHARACTER} for others
 * @param character what the key writes; 0 for others
 */
record Key(Name name, char character) {
  /** The keys that mean something. */
  enum Name {
    CHARACTER,
    ENTER,
    ESCAPE,
    BACKSPACE,
    TAB,
    BACK_TAB,
    UP,
    DOWN,
    LEFT,
    RIGHT,
    PAGE_UP,
    PAGE_DOWN,
    HOME,
    END,
    REDRAW,
    OTHER
  }

  static Key of(Name name) {
    return new Key(name, '\0');
  }

  static Key of(char character) {
    return new Key(Name.CHARACTER, character);
  }
}
