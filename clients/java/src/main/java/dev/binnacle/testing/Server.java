package dev.binnacle.testing;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A Kubernetes API server, with what the test API can do with it (docs/testing.md of Binnacle). */
public final class Server implements AutoCloseable {
  private static final Gson GSON = new Gson();

  private final Binnacle process;
  private final String path;
  private final String url;
  private final String kubeconfig;

  Server(Binnacle process, String path, JsonObject made) {
    this.process = process;
    this.path = path;
    url = made.get("url").getAsString();
    kubeconfig = made.get("kubeconfig").getAsString();
  }

  /** Where clients reach the server. */
  public String url() {
    return url;
  }

  /** The text of the administrator's kubeconfig, as {@code Config.fromKubeconfig} takes it. */
  public String kubeconfig() {
    return kubeconfig;
  }

  /** Ends the server, and forgets what it holds; for the server of a process, the process. */
  @Override
  public void close() {
    if (path.isEmpty()) process.close();
    else {
      var at = path.lastIndexOf("/servers/");
      process.ask("DELETE", path.substring(0, at) + "/testing/v1" + path.substring(at), Map.of(), null);
    }
  }

  /**
   * Sends any request with the administrator's permissions, without a connection. A watch needs {@code timeoutSeconds}.
   *
   * @param body the object as JSON, or null
   * @return the content of the answer, or null where there is none
   * @throws RequestFailedException where the server answers with an error
   */
  public JsonElement request(String method, String path, String body) {
    return request(method, path, Map.of(), body == null ? null : JsonParser.parseString(body));
  }

  /** The same with headers, as the content-type of a patch. */
  public JsonElement request(String method, String path, Map<String, String> headers, JsonElement body) {
    return process.ask(method, this.path + path, headers, body);
  }

  private JsonElement test(String method, String path, Map<String, ?> body) {
    return request(method, "/testing/v1/" + path, Map.of(), body == null ? null : GSON.toJsonTree(body));
  }

  /** Starts an empty server in this one, in some milliseconds. */
  public Server start() {
    return start(Map.of());
  }

  /** The same with the state of a snapshot of this server. */
  public Server startFrom(String snapshot) {
    return start(Map.of("snapshot", snapshot));
  }

  /**
   * Starts a server in this one. {@code options}: {@code snapshot}; {@code seed}, with which uids and generated names are the same in each
   * run; {@code simulate}, true or {@code Map.of("nodes", 3)}, for Nodes that act as kubelets.
   */
  public Server start(Map<String, ?> options) {
    var name = "t-" + UUID.randomUUID();
    return new Server(process, path + "/servers/" + name, test("PUT", "servers/" + name, options).getAsJsonObject());
  }

  /** The kubeconfig of a user, who may do what roles allow. */
  public String kubeconfigFor(String user, String... groups) {
    return madeKubeconfig(Map.of("user", user, "groups", List.of(groups)));
  }

  /** The kubeconfig of a ServiceAccount that is there. */
  public String kubeconfigForServiceAccount(String namespace, String name) {
    return madeKubeconfig(Map.of("serviceAccount", namespace + "/" + name));
  }

  private String madeKubeconfig(Map<String, ?> of) {
    return test("POST", "kubeconfigs", of).getAsJsonObject().get("kubeconfig").getAsString();
  }

  /** Keeps the present state under a name. */
  public void takeSnapshot(String name) {
    test("PUT", "snapshots/" + name, null);
  }

  /** Goes back to a snapshot. Watches end, and informers list again. */
  public void restore(String name) {
    test("POST", "snapshots/" + name + "/restore", null);
  }

  /** The server's time. */
  public Instant now() {
    return Instant.parse(test("GET", "clock", null).getAsJsonObject().get("now").getAsString());
  }

  /** Makes the server's time stand still at a time. */
  public void freeze(Instant at) {
    test("POST", "clock/freeze", Map.of("at", at.toString()));
  }

  /** Moves a frozen clock on. What falls due has happened when this returns. */
  public void advance(Duration by) {
    test("POST", "clock/advance", Map.of("by", by.toMillis() + "ms"));
  }

  /** Follows the system's time again. */
  public void release() {
    test("POST", "clock/release", null);
  }

  /**
   * Makes requests fail, as {@code Map.of("verb", "create", "resource", "pods", "times", 1, "status", 503)}. docs/testing.md has all fields.
   */
  public Fault addFault(Map<String, ?> rule) {
    return new Fault("faults/" + test("POST", "faults", rule).getAsJsonObject().get("id").getAsString());
  }

  /** Removes all rules. */
  public void clearFaults() {
    test("DELETE", "faults", null);
  }

  /** What became of the last requests, and why, as a text. */
  public String requests() {
    return test("GET", "requests?format=text", null).getAsString();
  }

  /** A rule by which requests fail. */
  public final class Fault {
    private final String at;

    private Fault(String at) {
      this.at = at;
    }

    /** How many requests it has concerned. */
    public int count() {
      return test("GET", at, null).getAsJsonObject().get("count").getAsInt();
    }

    /** Ends the rule. */
    public void remove() {
      test("DELETE", at, null);
    }
  }
}
