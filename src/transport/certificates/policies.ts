/**
 * Certificate policies (RFC 5280, 6.1, as RFC 9618 simplifies it): an authority may demand that a chain of policies leads from it to the
 * certificate. A client needs no certain policy, so only whether such a chain exists matters, and of the graph only its lowest row.
 */
import { type Extensions, extensionValue } from './certificate-extensions.js'
import { TAG } from './der.js'
import { DerCursor, DerError, int64Of } from './der-cursor.js'
import { OID } from './object-identifiers.js'

/** The DER of 2.5.29.32.0. Policies are compared as they are encoded, because their identifiers may have numbers of any length. */
const anyPolicy = '551d2000'

/** What a certificate demands of the policies in a chain. */
export interface PolicyFields {
  readonly policies: ReadonlySet<string>
  /** Policies of this certificate, each with one that stands for it in the certificates below. */
  readonly mappings: readonly (readonly [string, string])[]
  /**
   * How many further authorities may follow before a policy is required, before mappings stop counting, and before "any" stops
   * counting.
   */
  readonly requireExplicit: number
  readonly inhibitMapping: number
  readonly inhibitAny: number
  /** Whether the issuer has the same name as the certificate itself. */
  readonly isSelfIssued: boolean
}

export function readPolicyFields(extensions: Extensions, isSelfIssued: boolean): PolicyFields {
  const constraints = sequenceOf(extensions, OID.policyConstraints)
  const [explicit, mapping] = [0x80, 0x81].map(tag => constraints?.optional(tag))
  const inhibitAny = extensionValue(extensions, OID.inhibitAnyPolicy)
  return {
    policies: readPolicies(sequenceOf(extensions, OID.certificatePolicies)),
    mappings: readMappings(sequenceOf(extensions, OID.policyMappings)),
    requireExplicit: countOf(explicit),
    inhibitMapping: countOf(mapping),
    inhibitAny: countOf(inhibitAny && new DerCursor(inhibitAny).integer()),
    isSelfIssued
  }
}

function sequenceOf(extensions: Extensions, type: string): DerCursor | undefined {
  const value = extensionValue(extensions, type)
  return value && new DerCursor(value).in(TAG.sequence)
}

function readPolicies(list: DerCursor | undefined): Set<string> {
  const policies = new Set<string>()
  while (list && !list.isEmpty) {
    const content = list.in(TAG.sequence).take(TAG.oid)
    const policy = content.toString('hex')
    if (content.length === 0 || content.at(-1)! >= 0x80 || policies.has(policy)) throw new DerError('malformed policies')
    policies.add(policy)
  }
  return policies
}

function readMappings(list: DerCursor | undefined): [string, string][] {
  const mappings: [string, string][] = []
  while (list && !list.isEmpty) {
    const mapping = list.in(TAG.sequence)
    mappings.push([mapping.take(TAG.oid).toString('hex'), mapping.take(TAG.oid).toString('hex')])
  }
  return mappings
}

/** Reads a number. As in Go, one below 0 demands nothing. */
function countOf(integer: Buffer | undefined): number {
  const count = integer === undefined ? Infinity : Number(int64Of(integer))
  return count < 0 ? Infinity : count
}

/**
 * Whether the policies along a path, from the client's certificate to the trusted authority, satisfy what its certificates
 * demand.
 */
export function policiesAgree(path: readonly PolicyFields[]): boolean {
  const below = path.slice(0, -1).reverse()
  // countdowns that certificates begin; at 0 the rule applies
  let [explicit, mapping, any] = [Infinity, Infinity, Infinity]
  /** The policies that a chain allows so far, with those that may follow; undefined after a certificate without policies. */
  let reached: Policies | undefined = new Map([[anyPolicy, new Set([anyPolicy])]])
  for (const [i, fields] of below.entries()) {
    const isLeaf = i === below.length - 1
    reached =
      fields.policies.size === 0 ? undefined : reached && follow(reached, fields, any > 0 || (!isLeaf && fields.isSelfIssued))
    if (explicit === 0 && !reached) return false
    if (isLeaf) continue
    const { mappings } = fields
    if (reached && mapping > 0 && mappings.some(pair => pair.includes(anyPolicy))) return false
    if (reached && mapping > 0) mapAll(reached, mappings)
    else for (const [above] of mappings) reached?.delete(above)
    const step = fields.isSelfIssued ? 0 : 1
    explicit = Math.min(Math.max(explicit - step, 0), fields.requireExplicit)
    mapping = Math.min(Math.max(mapping - step, 0), fields.inhibitMapping)
    any = Math.min(Math.max(any - step, 0), fields.inhibitAny)
  }
  const demanded = explicit <= 1 || below.at(-1)?.requireExplicit === 0
  return below.length === 0 || !demanded || (reached?.size ?? 0) > 0
}

type Policies = Map<string, ReadonlySet<string>>

/** Continues from one certificate's policies to the next one's. */
function follow(row: Policies, { policies }: PolicyFields, anyCounts: boolean): Policies {
  const expected = new Set([...row.values()].flatMap(following => [...following]))
  const next: Policies = new Map()
  for (const policy of policies)
    if (policy !== anyPolicy && (expected.has(policy) || row.has(anyPolicy))) next.set(policy, new Set([policy]))
  if (anyCounts && policies.has(anyPolicy))
    for (const policy of expected) if (!next.has(policy)) next.set(policy, new Set([policy]))
  return next
}

/** Lets other policies stand for some of a row, as the mappings say. */
function mapAll(row: Policies, mappings: PolicyFields['mappings']): void {
  const byAbove = new Map<string, Set<string>>()
  for (const [above, below] of mappings) byAbove.set(above, (byAbove.get(above) ?? new Set()).add(below))
  const hasAny = row.has(anyPolicy)
  for (const [above, below] of byAbove) if (row.has(above) || hasAny) row.set(above, below)
}
