package dev.binnacle.testing;

/** The server cannot be started, has ended, or gave no answer. */
public class BinnacleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BinnacleException(String message) {
    super(message);
  }

  BinnacleException(String message, Throwable cause) {
    super(message, cause);
  }
}
