package dev.binnacle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ServerTest {
  private static final String MAPS = "/api/v1/namespaces/school/configmaps";

  @RegisterExtension
  static final BinnacleExtension BINNACLE = new BinnacleExtension()
      .setup(server -> server.request("POST", "/api/v1/namespaces", "{\"metadata\": {\"name\": \"school\"}}"));

  private static String make(Server server) {
    return server.request("POST", MAPS, "{\"metadata\": {\"name\": \"a\"}}").toString();
  }

  private static void read(Server server) {
    server.request("GET", MAPS + "/a", null);
  }

  @RepeatedTest(2)
  void beginsWithTheSetupAndSharesNothing(Server server) {
    make(server);
  }

  @Test
  void isReachedByAKubeconfig(Server server) throws Exception {
    make(server);
    server.request("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", """
        {"metadata": {"name": "a"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
         "subjects": [{"kind": "ServiceAccount", "name": "default", "namespace": "school"}]}""");
    var kubeconfig = server.kubeconfigForServiceAccount("school", "default");
    assertTrue(kubeconfig.contains(server.url()), kubeconfig);
    var request = HttpRequest.newBuilder(URI.create(server.url() + MAPS + "/a"))
        .header("authorization", "Bearer " + find("token: \"?([^\"\\s]+)", kubeconfig));
    try {
      var authority = Base64.getDecoder().decode(find("certificate-authority-data: (\\S+)", kubeconfig));
      var client = HttpClient.newBuilder().sslContext(trusting(authority)).build();
      assertEquals(200, client.send(request.build(), BodyHandlers.ofString()).statusCode());
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    assertNotEquals(server.kubeconfig(), server.kubeconfigFor("alice", "devs"));
  }

  @Test
  void goesBackToASnapshot(Server server) {
    server.takeSnapshot("before");
    make(server);
    server.restore("before");
    var failure = assertThrows(RequestFailedException.class, () -> read(server));
    assertEquals(404, failure.code());
    assertTrue(failure.getMessage().contains("configmaps \"a\" not found"), failure.getMessage());
  }

  @Test
  void goesByAClockOfItsOwn(Server server) {
    server.freeze(Instant.parse("2026-12-24T18:00:00Z"));
    server.advance(Duration.ofMinutes(90));
    assertEquals(Instant.parse("2026-12-24T19:30:00Z"), server.now());
    assertTrue(make(server).contains("\"creationTimestamp\":\"2026-12-24T19:30:00Z\""));
    server.release();
    assertNotEquals(Instant.parse("2026-12-24T19:30:00Z"), server.now());
  }

  @Test
  void makesRequestsFail(Server server) {
    var fault = server.addFault(Map.of("verb", "create", "resource", "configmaps", "times", 1, "status", 503));
    assertEquals(503, assertThrows(RequestFailedException.class, () -> make(server)).code());
    make(server);
    assertEquals(1, fault.count());
    fault.remove();
    server.addFault(Map.of("verb", "get", "reset", true));
    var failure = assertThrows(BinnacleException.class, () -> read(server));
    assertTrue(failure.getMessage().contains("the connection was reset"), failure.getMessage());
    server.clearFaults();
    read(server);
    assertTrue(server.requests().contains("create configmaps school → 503"), server.requests());
  }

  @Test
  void simulatesAClusterAndRepeatsUids(Server server) {
    var uids = new HashSet<String>();
    for (var i = 0; i < 2; i++)
      try (var cluster = server.start(Map.of("seed", "golden", "simulate", Map.of("nodes", 2)))) {
        var nodes = cluster.request("GET", "/api/v1/nodes", null).getAsJsonObject().getAsJsonArray("items");
        assertEquals(2, nodes.size());
        uids.add(nodes.get(0).getAsJsonObject().getAsJsonObject("metadata").get("uid").getAsString());
      }
    assertEquals(1, uids.size());
  }

  private static String find(String pattern, String text) {
    var found = Pattern.compile(pattern).matcher(text);
    assertTrue(found.find(), text);
    return found.group(1);
  }

  private static SSLContext trusting(byte[] pem) throws Exception {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    var certificate = CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
    store.setCertificateEntry("binnacle", certificate);
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
