/**
 * Attaches programs by their specs ({@link dev.ply.bpf.object.AttachSpec}), or by alternatives
 * where the kernel refuses, and reports the outcome. Attachments are opened first and enabled
 * together; closing one undoes everything in any state. Scripts and attach points are unknown here.
 */
@NullMarked
package dev.ply.kernel.attach;

import org.jspecify.annotations.NullMarked;
