package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.binnacle.testing.BinnacleExtension;
import dev.binnacle.testing.Server;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of what a school does with a Kubernetes API. */
class CoursesTest {
  /** What all tests begin with. */
  @RegisterExtension
  static final BinnacleExtension BINNACLE = new BinnacleExtension().setup(server -> server.request(
      "POST", "/api/v1/namespaces/default/configmaps", "{\"metadata\": {\"name\": \"chess\"}, \"data\": {\"room\": \"library\"}}"));

  private static KubernetesClient clientOf(Server server) {
    return new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(server.kubeconfig())).build();
  }

  private static Resource<ConfigMap> chess(KubernetesClient client) {
    return client.configMaps().inNamespace("default").withName("chess");
  }

  @Test
  void aCourseIsCancelled(Server server) {
    try (var client = clientOf(server)) {
      chess(client).delete();
      assertNull(chess(client).get());
    }
  }

  @Test
  void otherTestsDoNotSeeIt(Server server) {
    try (var client = clientOf(server)) {
      assertEquals("library", chess(client).get().getData().get("room"));
    }
  }

  @Test
  void aWriteFailsOnce(Server server) {
    server.addFault(Map.of("verb", "delete", "resource", "configmaps", "times", 1, "status", 403));
    try (var client = clientOf(server)) {
      assertEquals(403, assertThrows(KubernetesClientException.class, () -> chess(client).delete()).getCode());
      chess(client).delete();
      assertNull(chess(client).get());
    }
  }

  @Test
  void aCourseBeginsAtChristmas(Server server) {
    server.freeze(Instant.parse("2026-12-24T18:00:00Z"));
    try (var client = clientOf(server)) {
      var carols = new ConfigMapBuilder().withNewMetadata().withName("carols").withNamespace("default").endMetadata().build();
      assertEquals("2026-12-24T18:00:00Z", client.resource(carols).create().getMetadata().getCreationTimestamp());
    }
  }
}
