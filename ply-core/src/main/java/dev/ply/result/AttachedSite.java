package dev.ply.result;

import dev.ply.target.Mechanism;

/**
 * An attached probe site.
 *
 * @param point the probe site as scripts write it
 * @param mechanism how it is attached
 * @param reason why this mechanism was chosen, a sentence without full stop
 */
public record AttachedSite(String point, Mechanism mechanism, String reason) {}
