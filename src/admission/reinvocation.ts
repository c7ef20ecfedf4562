/**
 * What changes an object may make others that were asked before want to change it again: then the mutating plugins are
 * asked once more (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#reinvocation-policy).
 */
export class Reinvocation {
  /** The plugins are asked for the second time. */
  isReinvoke = false
  /** A plugin has changed the object since others were asked. */
  shouldReinvoke = false
  readonly #rounds = new Map<string, Rounds>()

  /** What a plugin remembers from its first call to its second. */
  roundsOf(plugin: string): Rounds {
    let rounds = this.#rounds.get(plugin)
    if (!rounds) this.#rounds.set(plugin, (rounds = new Rounds()))
    return rounds
  }
}

/** Whom one plugin has asked, and who is to be asked again. */
export class Rounds {
  /** Those that want to be asked again if something changes, and were asked since the last change. */
  readonly asked = new Set<string>()
  readonly toAskAgain = new Set<string>()
  /** The object as the plugin left it. */
  output: unknown

  changed(): void {
    for (const key of this.asked) this.toAskAgain.add(key)
    this.asked.clear()
  }
}
