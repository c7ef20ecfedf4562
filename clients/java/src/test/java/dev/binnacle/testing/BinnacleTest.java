package dev.binnacle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinnacleTest {
  private static void fails(String message, org.junit.jupiter.api.function.Executable what) {
    var failure = assertThrows(BinnacleException.class, what);
    assertTrue(failure.getMessage().contains(message), failure.getMessage());
  }

  @Test
  void endsAndSaysSo() {
    var binnacle = Binnacle.start();
    assertTrue(binnacle.kubernetesVersion().startsWith("v1."));
    binnacle.close();
    assertFalse(binnacle.process().isAlive());
    fails("has been closed", () -> binnacle.server().now());
  }

  @Test
  void saysWhatAWrongFlagIs() {
    fails("unknown flag --nodess; did you mean --nodes", () -> Binnacle.start("--nodess=3"));
  }

  @Test
  void saysWhyItHasEnded() throws Exception {
    try (var binnacle = Binnacle.start()) {
      binnacle.process().destroyForcibly();
      binnacle.process().onExit().get(20, TimeUnit.SECONDS);
      fails("Serving securely", () -> binnacle.server().now());
    }
  }

  /** Another Java process, which is killed. */
  @Test
  void endsWithATestThatIsKilled() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var killed = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Killed.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var server = ProcessHandle.of(Long.parseLong(killed.inputReader().readLine())).orElseThrow();
    killed.destroyForcibly();
    server.onExit().get(20, TimeUnit.SECONDS);
  }

  static final class Killed {
    public static void main(String[] args) throws Exception {
      System.out.println(Binnacle.start().process().pid());
      Thread.currentThread().join();
    }
  }

  @Test
  void findsThePackage(@TempDir Path folder) throws Exception {
    var below = Files.createDirectories(folder.resolve("src/deep"));
    fails("run 'npm install binnacle'", () -> new Locator(Map.of(), below).main());
    var main = folder.resolve("node_modules/binnacle").resolve(Locator.MAIN);
    Files.createDirectories(main.getParent());
    Files.createFile(main);
    assertEquals(main, new Locator(Map.of(), below).main());
    var wrong = Map.of("BINNACLE_PATH", below.toString());
    fails("must be the folder of the package binnacle", () -> new Locator(wrong, below).main());
    var right = Map.of("BINNACLE_PATH", folder.resolve("node_modules/binnacle").toString());
    assertEquals(main, new Locator(right, Path.of("/")).main());
  }

  @Test
  void findsNode(@TempDir Path folder) {
    fails("install Node.js", () -> new Locator(Map.of("PATH", folder.toString()), folder).node());
    fails("BINNACLE_NODE is nosuch", () -> new Locator(Map.of("BINNACLE_NODE", "nosuch"), folder).node());
  }
}
