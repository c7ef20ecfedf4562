import type { CustomResourceDefinitionNames } from '../apimachinery/api/generated/apiextensions-v1.js'
import { equalJson } from '../util/json.js'

export interface AcceptedNames {
  readonly names: CustomResourceDefinitionNames
  /** The name that is taken; the last conflict counts. */
  readonly conflict: { readonly reason: string; readonly message: string } | undefined
}

type Requested = CustomResourceDefinitionNames

/**
 * Decides the names of a definition: it keeps its own names, and gets those requested names that no definition of its group has.
 * `taken` are the names of all definitions of the group, its own included.
 */
export function acceptNames(requested: Requested, own: Requested, taken: readonly Requested[]): AcceptedNames {
  const resources = new Set(taken.flatMap(n => [n.plural, n.singular ?? '', ...(n.shortNames ?? [])]))
  const kinds = new Set(taken.flatMap(n => [n.kind, n.listKind ?? '']))
  const names = { ...own }
  let conflict: AcceptedNames['conflict']
  const inUse = (names: readonly string[]) => {
    const texts = [...new Set(names.map(name => `${JSON.stringify(name)} is already in use`))]
    return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`
  }
  const accept = <Field extends 'plural' | 'singular' | 'kind' | 'listKind'>(
    field: Field,
    used: ReadonlySet<string>,
    reason: string
  ) => {
    const name = requested[field] ?? ''
    if (name !== (own[field] ?? '') && used.has(name)) conflict = { reason, message: inUse([name]) }
    else names[field] = requested[field]!
  }
  accept('plural', resources, 'PluralConflict')
  accept('singular', resources, 'SingularConflict')
  if (!equalJson(requested.shortNames ?? null, own.shortNames ?? null)) {
    const clashes = (requested.shortNames ?? []).filter(name => !own.shortNames?.includes(name) && resources.has(name))
    if (clashes.length > 0) conflict = { reason: 'ShortNamesConflict', message: inUse(clashes) }
    else names.shortNames = requested.shortNames
  }
  accept('kind', kinds, 'KindConflict')
  accept('listKind', kinds, 'ListKindConflict')
  names.categories = requested.categories
  return { names, conflict }
}
