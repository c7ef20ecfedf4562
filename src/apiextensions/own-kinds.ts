import type { Registry } from '../registry/registry.js'
import type { Part } from '../util/part.js'
import { UserError } from '../util/user-error.js'
import { type OwnKind, type OwnKindParts, ownResources } from './own-kind.js'

export interface OwnKindsOptions extends OwnKindParts {
  readonly registry: Registry
  readonly builtinGroups: ReadonlySet<string>
}

/** Serves the own kinds: those that the program which embeds the server has declared. */
export class OwnKinds implements Part {
  readonly name = 'own kinds'
  readonly #kinds: readonly OwnKind[]
  readonly #options: OwnKindsOptions

  constructor(kinds: readonly OwnKind[], options: OwnKindsOptions) {
    this.#kinds = kinds
    this.#options = options
  }

  /** Throws a UserError for a wrong declaration. */
  start(): void {
    const { registry, builtinGroups, ...parts } = this.#options
    const resources = new Set<string>()
    for (const kind of this.#kinds) {
      const resource = `${kind.resource}.${kind.group}`
      if (resources.has(resource)) throw new UserError(`the option kinds has two kinds for the resource ${resource}`)
      resources.add(resource)
      const [first, ...others] = ownResources(kind, builtinGroups, parts)
      if (first) registry.add(first, ...others)
    }
  }
}
