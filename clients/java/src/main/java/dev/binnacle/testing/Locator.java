package dev.binnacle.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds Node.js and the npm package {@code binnacle}. */
final class Locator {
  static final Path MAIN = Path.of("dist", "cli", "main.js");
  private static final boolean IS_WINDOWS = File.pathSeparatorChar == ';';

  private final Map<String, String> environment;
  private final Path here;

  Locator(Map<String, String> environment, Path here) {
    this.environment = environment;
    this.here = here.toAbsolutePath();
  }

  /** The program Node.js: {@code BINNACLE_NODE}, or {@code node} in PATH. */
  String node() {
    var named = environment.getOrDefault("BINNACLE_NODE", "");
    return program(named.isEmpty() ? "node" : named).orElseThrow(() -> new BinnacleException(named.isEmpty()
        ? "there is no node in PATH: install Node.js 20.19 or newer, or set BINNACLE_NODE to the program"
        : "BINNACLE_NODE is " + named + ", which is not a program"));
  }

  /**
   * The module to run: of {@code BINNACLE_PATH}, of node_modules here or in a folder above, or of npm's global packages.
   */
  Path main() {
    var named = environment.getOrDefault("BINNACLE_PATH", "");
    if (!named.isEmpty()) {
      var main = Path.of(named).resolve(MAIN);
      if (Files.isRegularFile(main)) return main.toAbsolutePath();
      throw new BinnacleException(
          "BINNACLE_PATH is " + named + ", where there is no " + MAIN + ": it must be the folder of the package binnacle");
    }
    var places = new ArrayList<Path>();
    for (var folder = here; folder != null; folder = folder.getParent()) places.add(folder.resolve("node_modules"));
    return installedIn(places).or(() -> globalModules().flatMap(place -> installedIn(List.of(place))))
        .orElseThrow(() -> new BinnacleException("binnacle is not installed in node_modules of " + here
            + " or of a folder above it, nor globally: run 'npm install binnacle', or set BINNACLE_PATH to the folder of the package"));
  }

  private static Optional<Path> installedIn(List<Path> places) {
    return places.stream().map(place -> place.resolve("binnacle").resolve(MAIN)).filter(Files::isRegularFile).findFirst();
  }

  private Optional<Path> globalModules() {
    return program("npm").flatMap(npm -> {
      try {
        var process = new ProcessBuilder(npm, "root", "--global").redirectError(ProcessBuilder.Redirect.DISCARD).start();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return printed.isEmpty() ? Optional.empty() : Optional.of(Path.of(printed));
      } catch (IOException error) {
        return Optional.empty();
      }
    });
  }

  private Optional<String> program(String name) {
    if (Path.of(name).isAbsolute()) return Files.isExecutable(Path.of(name)) ? Optional.of(name) : Optional.empty();
    for (var folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      if (folder.isEmpty()) continue;
      for (var ending : IS_WINDOWS ? List.of(".exe", ".cmd", "") : List.of("")) {
        var file = Path.of(folder, name + ending);
        if (Files.isRegularFile(file) && Files.isExecutable(file)) return Optional.of(file.toString());
      }
    }
    return Optional.empty();
  }
}
