/**
 * Scripts as tokens: {@link dev.ply.lang.token.Tokenizer} splits them, and each token gets the type
 * that its neighbours decide.
 */
@NullMarked
package dev.ply.lang.token;

import org.jspecify.annotations.NullMarked;
