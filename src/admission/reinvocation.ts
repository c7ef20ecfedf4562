/**
 * Reinvocation: when a plugin changes the object, plugins that ran earlier may want to change it again, so all mutating plugins
 * run a second time (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#reinvocation-policy).
 */
export class Reinvocation {
  /** Whether the plugins run for the second time. */
  isReinvoke = false
  /** Whether a plugin has changed the object after others ran. */
  shouldReinvoke = false
  readonly #rounds = new Map<string, Rounds>()

  /** Returns what the plugin remembers from its first run to its second. */
  roundsOf(plugin: string): Rounds {
    let rounds = this.#rounds.get(plugin)
    if (!rounds) this.#rounds.set(plugin, (rounds = new Rounds()))
    return rounds
  }
}

/** The webhooks or policies that one plugin has called, and those that it must call again. */
class Rounds {
  /** The keys of those that want to be called again after a change and were called since the last one. */
  readonly asked = new Set<string>()
  readonly toAskAgain = new Set<string>()
  /** The object as the plugin left it. */
  output: unknown

  changed(): void {
    for (const key of this.asked) this.toAskAgain.add(key)
    this.asked.clear()
  }
}
