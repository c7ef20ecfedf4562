/**
 * What changes an object may make others that were asked before want to change it again: then the mutating plugins are
 * asked once more (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#reinvocation-policy).
 */
export class Reinvocation {
  /** The plugins are asked for the second time. */
  isReinvoke = false
  /** A plugin has changed the object since others were asked. */
  shouldReinvoke = false
  readonly #values = new Map<string, unknown>()

  /** What a plugin remembers from its first call to its second. */
  remembered<T>(plugin: string, make: () => T): T {
    let value = this.#values.get(plugin) as T | undefined
    if (value === undefined) this.#values.set(plugin, (value = make()))
    return value
  }
}
