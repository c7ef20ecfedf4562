package dev.binnacle.testing;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test that has a parameter of the type {@link Server} a server of its own.
 *
 * <pre>{@code
 * class CoursesTest {
 *   @RegisterExtension
 *   static final BinnacleExtension binnacle = new BinnacleExtension().setup(server -> server.request("POST", …));
 *
 *   @Test
 *   void startsEmpty(Server server) { … }
 * }
 * }</pre>
 *
 * <p>One process, which ends with the last test, has the servers of all classes that want the same flags. {@code @ExtendWith} does where
 * servers begin empty.
 */
public final class BinnacleExtension implements ParameterResolver, AfterTestExecutionCallback {
  private static final Namespace NAMESPACE = Namespace.create(BinnacleExtension.class);
  private static final String SETUP = "setup";

  private List<String> flags = List.of();
  private Consumer<Server> setup = server -> {};

  /** Sets flags of {@code binnacle serve}, as {@code --simulate}. */
  public BinnacleExtension flags(String... flags) {
    this.flags = List.of(flags);
    return this;
  }

  /** Makes what all tests begin with. It is called once. */
  public BinnacleExtension setup(Consumer<Server> setup) {
    this.setup = setup;
    return this;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Server.class;
  }

  @Override
  public Server resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return kept(context.getStore(NAMESPACE), Server.class, () -> base(context).startFrom(SETUP));
  }

  /** A test that fails shows what it has asked the server, and why that was answered as it was. */
  @Override
  public void afterTestExecution(ExtensionContext context) {
    var server = context.getStore(NAMESPACE).get(Server.class, Kept.class);
    if (server != null && context.getExecutionException().isPresent())
      System.err.println("requests to Binnacle:\n" + ((Server) server.value).requests());
  }

  /** The server from which those of the tests begin. */
  private Server base(ExtensionContext context) {
    var root = context.getRoot().getStore(NAMESPACE);
    var process = kept(root, flags, () -> Binnacle.start(flags.toArray(String[]::new)));
    return kept(root, this, () -> {
      var server = process.server().start();
      setup.accept(server);
      server.takeSnapshot(SETUP);
      return server;
    });
  }

  /** Returns what a store keeps under a key, and closes at its end. Old versions of JUnit close only what says so. */
  @SuppressWarnings("unchecked")
  private static <T extends AutoCloseable> T kept(Store store, Object key, Supplier<T> make) {
    return (T) store.getOrComputeIfAbsent(key, none -> new Kept(make.get()), Kept.class).value;
  }

  @SuppressWarnings("deprecation")
  private record Kept(AutoCloseable value) implements Store.CloseableResource, AutoCloseable {
    @Override
    public void close() throws Exception {
      value.close();
    }
  }
}
