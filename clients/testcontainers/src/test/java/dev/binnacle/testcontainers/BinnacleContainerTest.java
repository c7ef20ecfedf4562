package dev.binnacle.testcontainers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Needs Docker and the image: {@code BINNACLE_IMAGE}, or {@code binnacle}. The repository's own tests have a stand-in for both (stand-in.mjs). */
class BinnacleContainerTest {
  private static final String IMAGE = System.getenv().getOrDefault("BINNACLE_IMAGE", "binnacle");

  private static KubernetesClient clientOf(BinnacleContainer container) {
    return new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(container.kubeconfig())).build();
  }

  @Test
  void servesAnAdministratorWhoseClientChecksTheCertificate() {
    try (var container = new BinnacleContainer(IMAGE)) {
      container.start();
      try (var client = clientOf(container)) {
        assertEquals(container.url() + "/", client.getMasterUrl().toString());
        var map = new ConfigMapBuilder().withNewMetadata().withName("settings").endMetadata().addToData("colour", "blue").build();
        client.configMaps().inNamespace("default").resource(map).create();
        assertEquals("blue", client.configMaps().inNamespace("default").withName("settings").get().getData().get("colour"));
      }
    }
  }

  @Test
  void hasAStoreOfItsOwnAndTheFlagsOfTheTest() {
    try (var plain = new BinnacleContainer(IMAGE); var simulated = new BinnacleContainer(IMAGE).withFlags("--simulate", "--nodes=1")) {
      plain.start();
      simulated.start();
      assertTrue(!plain.url().equals(simulated.url()));
      try (var client = clientOf(plain); var cluster = clientOf(simulated)) {
        assertNotNull(cluster.nodes().withName("node-0").waitUntilReady(30, TimeUnit.SECONDS));
        assertNull(client.nodes().withName("node-0").get());
      }
    }
  }
}
