/** Name constraints (RFC 5280, 4.2.1.10): which names may stand in certificates below an authority. */
import { TAG } from './der.js'
import { DerCursor, type DerElement, DerError, isAscii } from './der-cursor.js'
import { type GeneralName, generalNameTag } from './general-names.js'
import { emailParts, isDomain, uriDomain } from './names.js'

/** What an authority demands of the names in certificates below it. */
export interface NameConstraints {
  readonly permitted: Subtrees
  readonly excluded: Subtrees
  /** Whether there are constraints for kinds of names that are not read, which matters when the extension is critical. */
  readonly hasOthers: boolean
}

/** The constraints by the tag of the kind of name. */
type Subtrees = ReadonlyMap<number, Domains | Addresses>

/** Reads the value of the extension. Throws when it is malformed, or constrains nothing. */
export function readNameConstraints(value: Buffer): NameConstraints {
  const whole = new DerCursor(value)
  const lists = whole.in(TAG.sequence)
  const [permitted, excluded] = [0xa0, 0xa1].map(tag => basesOf(lists.optional(tag))) as [DerElement[], DerElement[]]
  const bases = [...permitted, ...excluded]
  if (!whole.isEmpty || !lists.isEmpty || bases.length === 0) throw malformed()
  return {
    permitted: readSubtrees(permitted, true),
    excluded: readSubtrees(excluded, false),
    hasOthers: bases.some(({ tag }) => !Object.values<number>(generalNameTag).includes(tag))
  }
}

function basesOf(subtrees: Buffer = Buffer.alloc(0)): DerElement[] {
  const bases: DerElement[] = []
  for (const list = new DerCursor(subtrees); !list.isEmpty; ) bases.push(list.in(TAG.sequence).any())
  return bases
}

/** Whether all names of a certificate obey the constraints of one above it. */
export function obeys(names: readonly GeneralName[], { permitted, excluded }: NameConstraints): boolean {
  let work = 0
  return names.every(({ tag, content }) => {
    const text = textOf(tag, content)
    if (text === undefined) return false
    const [yes, no] = [permitted.get(tag), excluded.get(tag)]
    work += (yes?.cost ?? 0) + (no?.cost ?? 0)
    return work <= maxWork && (!yes || yes.contains(text)) && !no?.contains(text)
  })
}

/** How many comparisons of addresses with constraints are made. */
const maxWork = 250_000

/**
 * Returns what is compared: a domain name or an address; of an e-mail address both parts, of a URI its host. Undefined when the
 * name cannot be compared.
 */
function textOf(tag: number, content: Buffer): string | undefined {
  if (tag === generalNameTag.ip) return content.toString('latin1')
  const text = content.toString('latin1')
  if (text.length > maxName) return undefined
  if (tag === generalNameTag.uri) return uriDomain(text)
  if (tag === generalNameTag.dns) return isDomain(text) ? text.toLowerCase() : undefined
  const parts = emailParts(text)
  return parts && `${parts.local}@${parts.domain.toLowerCase()}`
}

/** Longer names are refused: nobody uses them, and comparing them label by label would take long. */
const maxName = 1024

function readSubtrees(bases: readonly DerElement[], permits: boolean): Subtrees {
  const subtrees = new Map<number, Domains | Addresses>()
  for (const base of bases) {
    const { tag, content } = base
    if (tag === generalNameTag.ip) {
      const addresses = (subtrees.get(tag) as Addresses | undefined) ?? new Addresses()
      addresses.add(content)
      subtrees.set(tag, addresses)
    } else if (tag === generalNameTag.dns || tag === generalNameTag.email || tag === generalNameTag.uri) {
      const domains = (subtrees.get(tag) as Domains | undefined) ?? new Domains(tag === generalNameTag.email, permits)
      domains.add(checkedDomain(base))
      subtrees.set(tag, domains)
    }
  }
  return subtrees
}

function checkedDomain({ tag, content }: DerElement): string {
  const text = content.toString('latin1')
  const isMailbox = tag === generalNameTag.email && text.includes('@')
  const good = isMailbox ? emailParts(text) !== undefined : isDomain(text.replace(/^\.(?=.)/, ''))
  const isAddress = tag === generalNameTag.uri && (/^[\d.]+$/.test(text) ? /^\d+\.\d+\.\d+\.\d+$/.test(text) : text.includes(':'))
  if (!isAscii(content) || !good || isAddress) throw malformed()
  return text
}

const malformed = () => new DerError('malformed name constraints')

/** Domains: each with all domains below it, those below `.domain` without `domain` itself, and whole e-mail addresses. */
class Domains {
  readonly cost = 1
  readonly #domains = new Set<string>()
  readonly #mailboxes = new Set<string>()
  /** The domains above the excluded ones: a wildcard right below them may stand for an excluded name. */
  readonly #above = new Set<string>()
  readonly #areOfEmail: boolean
  readonly #permits: boolean

  constructor(areOfEmail: boolean, permits: boolean) {
    this.#areOfEmail = areOfEmail
    this.#permits = permits
  }

  add(constraint: string): void {
    const parts = this.#areOfEmail ? emailParts(constraint) : undefined
    if (parts) {
      this.#mailboxes.add(`${parts.local}@${parts.domain.toLowerCase()}`)
      return
    }
    const domain = constraint.toLowerCase()
    this.#domains.add(domain)
    const dot = domain.indexOf('.')
    if (dot >= 0) this.#above.add(domain.slice(dot))
  }

  contains(name: string): boolean {
    if (this.#domains.has('') || this.#mailboxes.has(name)) return true
    // in other kinds of names, "@" has no meaning
    const domain = this.#areOfEmail ? name.slice(name.lastIndexOf('@') + 1) : name
    if (this.#domains.has(domain)) return true
    for (const { index } of domain.matchAll(/\./g))
      if (this.#domains.has(domain.slice(index)) || this.#domains.has(domain.slice(index + 1))) return true
    return !this.#permits && domain[0] === '*' && this.#above.has(domain.replace(/^[^.]*/, ''))
  }
}

/** Ranges of addresses: an address and a mask of the same length each. */
class Addresses {
  readonly #ranges: { readonly address: Buffer; readonly mask: Buffer }[] = []

  get cost(): number {
    return this.#ranges.length
  }

  add(content: Buffer): void {
    const half = content.length / 2
    if (half !== 4 && half !== 16) throw malformed()
    const [address, mask] = [content.subarray(0, half), content.subarray(half)]
    const bits = [...mask].map(byte => byte.toString(2).padStart(8, '0')).join('')
    if (bits.includes('01')) throw malformed()
    this.#ranges.push({ address, mask })
  }

  contains(text: string): boolean {
    const wanted = Buffer.from(text, 'latin1')
    return this.#ranges.some(
      ({ address, mask }) =>
        address.length === wanted.length && mask.every((bits, i) => (address[i]! & bits) === (wanted[i]! & bits))
    )
  }
}
