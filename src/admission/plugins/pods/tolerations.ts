/** Compares tolerations: finds those that others make superfluous. Linear in their number, which the author of a Pod chooses. */
import type { Toleration } from '../../../apimachinery/api/generated/core-v1.js'

/** Whether each toleration is covered by one of the whitelist. */
export function areListed(tolerations: readonly Toleration[], whitelist: readonly Toleration[]): boolean {
  const listed = new Coverage(whitelist)
  return tolerations.every(toleration => listed.has(toleration) || listed.covers(toleration))
}

/** Returns the tolerations of both lists without those that a kept one before them or another one after them covers. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second]
  const later = new Coverage()
  const left = all.reduceRight<Toleration[]>((kept, toleration) => {
    if (!later.covers(toleration)) kept.push(toleration)
    later.add(toleration)
    return kept
  }, [])
  const merged = new Coverage()
  return left.reverse().filter(toleration => {
    if (merged.has(toleration) || merged.covers(toleration)) return false
    merged.add(toleration)
    return true
  })
}

const identityOf = ({ key = '', operator = '', value = '', effect = '', tolerationSeconds }: Toleration): string =>
  JSON.stringify([key, operator, value, effect, String(tolerationSeconds)])

/** How long the toleration lasts; seconds count for the effect NoExecute only. */
const reachOf = ({ effect, tolerationSeconds }: Toleration): number =>
  effect === 'NoExecute' ? Number(tolerationSeconds ?? Infinity) : Infinity

const place = (key: string, effect: string, value?: string): string => JSON.stringify([key, effect, value])

/** The taints that it covers, as a key; undefined for an operator that covers nothing. */
function placeOf({ key = '', operator = '', value = '', effect = '' }: Toleration): string | undefined {
  if (operator === 'Exists') return place(key, effect)
  return operator === '' || operator === 'Equal' ? place(key, effect, value) : undefined
}

interface Candidate {
  readonly identity: string
  readonly reach: number
}

/** Knows which tolerations are covered by those that it was given. */
class Coverage {
  readonly #identities = new Set<string>()
  /** For each place, the two different tolerations that last longest: one of them may be the toleration in question itself. */
  readonly #places = new Map<string, readonly Candidate[]>()

  constructor(tolerations: readonly Toleration[] = []) {
    for (const toleration of tolerations) this.add(toleration)
  }

  add(toleration: Toleration): void {
    const identity = identityOf(toleration)
    if (this.#identities.has(identity)) return
    this.#identities.add(identity)
    const at = placeOf(toleration)
    if (at === undefined) return
    const candidates = [...(this.#places.get(at) ?? []), { identity, reach: reachOf(toleration) }]
    this.#places.set(at, candidates.sort((a, b) => (a.reach === b.reach ? 0 : b.reach - a.reach)).slice(0, 2))
  }

  has(toleration: Toleration): boolean {
    return this.#identities.has(identityOf(toleration))
  }

  /** Whether a different toleration covers this one. */
  covers(toleration: Toleration): boolean {
    const { key = '', operator, value = '', effect = '', tolerationSeconds } = toleration
    const identity = identityOf(toleration)
    const seconds = Number(tolerationSeconds ?? Infinity)
    const isIn = (at: string) =>
      this.#places.get(at)?.some(other => other.identity !== identity && seconds <= other.reach) ?? false
    return [effect, ''].some(
      effect => isIn(place(key, effect)) || isIn(place('', effect)) || (operator === 'Equal' && isIn(place(key, effect, value)))
    )
  }
}
