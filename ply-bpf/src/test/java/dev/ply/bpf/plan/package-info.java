@NullMarked
package dev.ply.bpf.plan;

import org.jspecify.annotations.NullMarked;
