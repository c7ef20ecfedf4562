import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.*;
import java.util.regex.*;
import javax.net.ssl.*;

/**
 * Tests with Binnacle's test API: one server for all tests, of which each gets a copy.
 *
 * <pre>BINNACLE="npx binnacle" java examples/test-api-java/Courses.java</pre>
 */
public class Courses {
  static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  static HttpClient client;

  /** A server by its URL: /api and /apis are Kubernetes, /testing/v1 is the test kit. */
  record Server(String url) {
    HttpResponse<String> ask(String method, String path, String body) throws Exception {
      var request = HttpRequest.newBuilder(URI.create(url + path))
          .header("Authorization", "Bearer admin")
          .header("Content-Type", "application/json")
          .method(method, HttpRequest.BodyPublishers.ofString(body))
          .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    String must(String method, String path, String body) throws Exception {
      var answer = ask(method, path, body);
      check(answer.statusCode() < 400, method + " " + path + ": " + answer.body());
      return answer.body();
    }
  }

  interface Test {
    void run(Server server) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    var tests = new LinkedHashMap<String, Test>();
    tests.put("begins-with-the-snapshot", server ->
        check(server.must("GET", CONFIG_MAPS + "/course", "").contains("library"), "the course has no room"));
    tests.put("may-change-everything", server -> {
      server.must("DELETE", CONFIG_MAPS + "/course", "");
      check(server.ask("GET", CONFIG_MAPS + "/course", "").statusCode() == 404, "the course is still there");
    });
    tests.put("goes-by-a-clock-of-its-own", server -> {
      server.must("POST", "/testing/v1/clock/freeze", "{\"at\": \"2026-12-24T18:00:00Z\"}");
      server.must("POST", "/testing/v1/clock/advance", "{\"by\": \"1h30m\"}");
      var made = server.must("POST", CONFIG_MAPS, "{\"metadata\": {\"name\": \"late\"}}");
      check(made.contains("\"creationTimestamp\":\"2026-12-24T19:30:00Z\""), made);
    });

    var folder = Files.createTempDirectory("binnacle-");
    var tokens = Files.writeString(folder.resolve("tokens.csv"), "admin,admin,1,\"system:masters\"\n");
    var kubeconfig = folder.resolve("kubeconfig");
    var program = Optional.ofNullable(System.getenv("BINNACLE")).orElse("npx binnacle");
    var process = new ProcessBuilder("sh", "-c", "exec " + program + " \"$@\"", "binnacle",
        "serve", "--test-api", "--storage-backend=memory", "--secure-port=0",
        "--token-auth-file=" + tokens, "--kubeconfig-out=" + kubeconfig)
        .redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      var binnacle = new Server(find("https://\\S+", process.inputReader()));
      client = HttpClient.newBuilder().sslContext(trusting(Files.readString(kubeconfig))).build();
      // what all tests begin with
      binnacle.must("POST", CONFIG_MAPS, "{\"metadata\": {\"name\": \"course\"}, \"data\": {\"room\": \"library\"}}");
      binnacle.must("PUT", "/testing/v1/snapshots/seeded", "");
      for (var test : tests.entrySet()) {
        var path = "/testing/v1/servers/" + test.getKey();
        binnacle.must("PUT", path, "{\"snapshot\": \"seeded\"}");
        test.getValue().run(new Server(binnacle.url() + "/servers/" + test.getKey()));
        binnacle.must("DELETE", path, "");
        System.out.println("ok " + test.getKey());
      }
    } finally {
      process.destroy();
      process.waitFor();
      for (var file : List.of(tokens, kubeconfig, folder)) Files.deleteIfExists(file);
    }
  }

  static void check(boolean holds, String otherwise) {
    if (!holds) throw new AssertionError(otherwise);
  }

  static String find(String pattern, BufferedReader lines) throws IOException {
    for (String line; (line = lines.readLine()) != null; ) {
      var found = Pattern.compile(pattern).matcher(line);
      if (found.find()) return found.group();
    }
    throw new IOException("the server ended before it was ready");
  }

  /** Trusts the server's authority, which its kubeconfig names. */
  static SSLContext trusting(String kubeconfig) throws Exception {
    var found = Pattern.compile("certificate-authority-data: (\\S+)").matcher(kubeconfig);
    check(found.find(), "the kubeconfig names no authority");
    var pem = new ByteArrayInputStream(Base64.getDecoder().decode(found.group(1)));
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("binnacle", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
