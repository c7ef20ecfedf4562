package dev.binnacle.testing;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** The server answered with an error. */
public final class RequestFailedException extends BinnacleException {
  private static final long serialVersionUID = 1;
  private final int code;

  RequestFailedException(String method, String path, int code, JsonElement body) {
    super(method + " " + path + ": " + code + ": " + messageOf(body));
    this.code = code;
  }

  /** The code of the answer, as 404. */
  public int code() {
    return code;
  }

  private static String messageOf(JsonElement body) {
    return body instanceof JsonObject status && status.has("message") ? status.get("message").getAsString() : String.valueOf(body);
  }
}
