/**
 * From definitions of events and filters to scripts: {@link
 * dev.ply.lang.events.translate.EventTranslator}.
 */
@NullMarked
package dev.ply.lang.events.translate;

import org.jspecify.annotations.NullMarked;
