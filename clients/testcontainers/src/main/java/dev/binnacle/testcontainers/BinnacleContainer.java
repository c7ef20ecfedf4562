package dev.binnacle.testcontainers;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * The Kubernetes API server Binnacle in a container. It is started when it answers {@code /readyz}; each container has a store and certificates of its own.
 *
 * <pre>{@code
 * try (var binnacle = new BinnacleContainer("binnacle:1.0.0-rc.1")) {
 *   binnacle.start();
 *   var client = new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(binnacle.kubeconfig())).build();
 * }
 * }</pre>
 */
public class BinnacleContainer extends GenericContainer<BinnacleContainer> {
  private static final int PORT = 6443;
  private static final String KUBECONFIG = "/data/kubeconfig";
  private static final Pattern SERVER = Pattern.compile("(?m)^(\\s*(?:- )?server: ).*$");

  /** @param image the name of an image that deploy/Dockerfile makes */
  public BinnacleContainer(String image) {
    this(DockerImageName.parse(image));
  }

  public BinnacleContainer(DockerImageName image) {
    super(image);
    withExposedPorts(PORT);
    waitingFor(Wait.forHttps("/readyz").forPort(PORT).allowInsecure());
  }

  /** Adds flags of {@code binnacle serve}, such as {@code --simulate}. They replace those of an earlier call. */
  public BinnacleContainer withFlags(String... flags) {
    return withCommand(flags);
  }

  /** The address of the server, as this process reaches it. */
  public String url() {
    return "https://" + getHost() + ":" + getMappedPort(PORT);
  }

  /** The kubeconfig of an administrator, as YAML, with the address of {@link #url()}. */
  public String kubeconfig() {
    var written = copyFileFromContainer(KUBECONFIG, file -> new String(file.readAllBytes(), StandardCharsets.UTF_8));
    return SERVER.matcher(written).replaceAll("$1" + url());
  }
}
