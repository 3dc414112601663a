/**
 * The page of a trace, served while it runs. The trace only puts results into a bounded queue; one
 * thread makes blocks of them, and each viewer has a bounded queue of its own and a thread that
 * writes to it, so no viewer delays the trace or another viewer. Needs the module jdk.httpserver.
 */
@NullMarked
package dev.ply.cli.web;

import org.jspecify.annotations.NullMarked;
