/**
 * Programs attached as their specifications say ({@link dev.ply.bpf.object.AttachSpec}), or as they
 * say instead where the kernel refuses, and what there is to report about it. An attachment is
 * opened first and enabled later, so that many can be made ready and then start together; closing
 * it undoes everything in any state. Scripts and their attach points are unknown here.
 */
@NullMarked
package dev.ply.kernel.attach;

import org.jspecify.annotations.NullMarked;
