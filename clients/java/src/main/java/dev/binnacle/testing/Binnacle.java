package dev.binnacle.testing;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process with a server, in which other servers may be started. It ends with {@link #close}, and with the Java process, even if that is
 * killed.
 */
public final class Binnacle implements AutoCloseable {
  /** Node's flags keep the process small; the others make a server in memory, on a free port, with the test API. */
  private static final List<String> NODE_FLAGS = List.of("--v8-pool-size=1", "--max-semi-space-size=8");
  private static final List<String> FLAGS = List.of("serve", "--stdio", "--test-api", "--storage-backend=memory", "--secure-port=0");
  private static final int START_SECONDS = 60;
  private static final int ANSWER_SECONDS = 120;
  private static final int STOP_SECONDS = 10;
  private static final int SHOWN = 2000;
  private static final Gson GSON = new Gson();

  private final Process process;
  private final Path log;
  private final Writer stdin;
  private final Thread reader;
  private final AtomicInteger lastId = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();
  private final Server server;
  private final String version;
  private final String kubernetesVersion;
  private volatile boolean isClosed;
  /** Why there are no more answers; null while there are. */
  private volatile BinnacleException end;

  /** Starts a process with flags of {@code binnacle serve}, as {@code --simulate} or {@code --snapshot=FILE}. */
  public static Binnacle start(String... flags) {
    return start(new Locator(System.getenv(), Path.of("")), flags);
  }

  static Binnacle start(Locator locator, String... flags) {
    var command = new ArrayList<>(List.of(locator.node()));
    command.addAll(NODE_FLAGS);
    command.add(locator.main().toString());
    command.addAll(FLAGS);
    command.addAll(List.of(flags));
    try {
      var log = Files.createTempFile("binnacle-", ".log");
      return new Binnacle(new ProcessBuilder(command).redirectError(log.toFile()).start(), log);
    } catch (IOException error) {
      throw new BinnacleException("Binnacle cannot be started: " + error.getMessage(), error);
    }
  }

  private Binnacle(Process process, Path log) {
    this.process = process;
    this.log = log;
    stdin = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    var ready = new CompletableFuture<JsonObject>();
    waiting.put(0, ready);
    reader = new Thread(this::read, "binnacle");
    reader.setDaemon(true);
    reader.start();
    JsonObject hello;
    try {
      hello = result(ready, START_SECONDS, "it serves");
    } catch (BinnacleException error) {
      close();
      throw error;
    }
    server = new Server(this, "", hello);
    version = hello.get("binnacle").getAsString();
    kubernetesVersion = hello.get("kubernetes").getAsString();
  }

  /** The server that has all others in it. */
  public Server server() {
    return server;
  }

  /** The version of Binnacle. */
  public String version() {
    return version;
  }

  /** The version of the Kubernetes API, as v1.37.2. */
  public String kubernetesVersion() {
    return kubernetesVersion;
  }

  ProcessHandle process() {
    return process.toHandle();
  }

  /** Ends the process, with all servers in it. */
  @Override
  public void close() {
    if (isClosed) return;
    isClosed = true;
    try {
      stdin.close();
    } catch (IOException alreadyEnded) {
      // which is what is wanted
    }
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
      reader.join();
      Files.deleteIfExists(log);
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IOException error) {
      throw new BinnacleException(log + " cannot be deleted", error);
    }
  }

  /** Sends a request with the administrator's permissions, and returns the content of the answer. */
  JsonElement ask(String method, String path, Map<String, String> headers, JsonElement body) {
    var request = new JsonObject();
    var id = lastId.incrementAndGet();
    request.addProperty("id", id);
    request.addProperty("method", method);
    request.addProperty("path", path);
    if (body != null) request.add("body", body);
    if (!headers.isEmpty()) request.add("headers", GSON.toJsonTree(headers));
    var found = new CompletableFuture<JsonObject>();
    waiting.put(id, found);
    try {
      synchronized (stdin) {
        stdin.write(GSON.toJson(request) + "\n");
        stdin.flush();
      }
    } catch (IOException ended) {
      // the reader says why
    }
    // it may have ended before the request was put there
    if (end != null) found.completeExceptionally(end);
    var answer = result(found, ANSWER_SECONDS, "it answers " + method + " " + path);
    if (answer.has("error")) throw new BinnacleException(method + " " + path + ": " + answer.get("error").getAsString());
    var code = answer.get("status").getAsInt();
    if (code >= 400) throw new RequestFailedException(method, path, code, answer.get("body"));
    return answer.get("body");
  }

  /** Brings each line to the thread that waits for it, until the server ends. */
  private void read() {
    try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) {
        var answer = JsonParser.parseString(line).getAsJsonObject();
        var found = waiting.remove(answer.has("id") ? answer.get("id").getAsInt() : 0);
        if (found != null) found.complete(answer);
      }
    } catch (IOException error) {
      // the same as the end
    }
    end = new BinnacleException(howItEnded());
    waiting.values().forEach(found -> found.completeExceptionally(end));
  }

  private String howItEnded() {
    if (isClosed) return "Binnacle has been closed";
    try {
      var code = process.waitFor();
      var text = Files.readString(log).strip();
      return "Binnacle ended with " + code + ": " + text.substring(Math.max(0, text.length() - SHOWN));
    } catch (InterruptedException | IOException error) {
      return "Binnacle ended, and why is unknown: " + error;
    }
  }

  private static JsonObject result(CompletableFuture<JsonObject> future, int seconds, String what) {
    try {
      return future.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException error) {
      throw new BinnacleException("Binnacle takes longer than " + seconds + " seconds until " + what);
    } catch (ExecutionException error) {
      throw new BinnacleException(error.getCause().getMessage(), error.getCause());
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new BinnacleException("interrupted before " + what);
    }
  }
}
