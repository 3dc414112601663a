package dev.ply.kernel.process;

import dev.ply.kernel.error.KernelException;
import dev.ply.kernel.sys.DatagramCalls;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The service manager that has started this process, systemd, which learns of its state by the
 * protocol of sd_notify(3). What it does not take is lost: the service runs on.
 */
public final class ServiceManager {
  private final Optional<String> socket;

  private ServiceManager(Optional<String> socket) {
    this.socket = socket;
  }

  /**
   * {@return the service manager; one that learns nothing if there is none}
   *
   * @param environment with {@code NOTIFY_SOCKET}: a path, or {@code @} and an abstract name
   */
  public static ServiceManager of(Map<String, String> environment) {
    return new ServiceManager(
        Optional.ofNullable(environment.get("NOTIFY_SOCKET"))
            .filter(name -> name.startsWith("/") || name.startsWith("@")));
  }

  /**
   * All that was asked for at the start, or when it was reloaded, is done.
   *
   * @param status in a few words
   */
  public void ready(String status) {
    send("READY=1\nSTATUS=" + status.replaceAll("[\\p{Cntrl}]", " "));
  }

  /** Reads its configuration again, until it is ready again. */
  public void reloading() {
    // CLOCK_MONOTONIC, on Linux.
    send("RELOADING=1\nMONOTONIC_USEC=" + System.nanoTime() / 1_000);
  }

  /** Is about to end. */
  public void stopping() {
    send("STOPPING=1");
  }

  private void send(String message) {
    if (socket.isPresent()) {
      try {
        DatagramCalls.send(socket.get(), message.getBytes(StandardCharsets.UTF_8));
      } catch (KernelException e) {
        // systemd itself says what it has not learned.
        return;
      }
    }
  }
}
