/** TLS, passwords and headers of a server, as Prometheus' web configuration files say. */
@NullMarked
package dev.ply.cli.webconfig;

import org.jspecify.annotations.NullMarked;
