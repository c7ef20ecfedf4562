/** The feature gates of the release that Binnacle serves as: a generated table. */
import { readFileSync } from 'node:fs'

export interface GateSpec {
  /** '' for a stable gate, PRE-ALPHA for one that a later release has. */
  readonly stage: 'ALPHA' | 'BETA' | '' | 'DEPRECATED' | 'PRE-ALPHA'
  readonly default: boolean
  /** It cannot be set to anything but its default. */
  readonly locked?: true
  /** The gates that must be on where this one is. */
  readonly needs?: readonly string[]
}

interface GateEntry extends GateSpec {
  /** What the gate was in former releases, where that differs; null before it was there. By minor version. */
  readonly before?: Readonly<Record<string, Omit<GateSpec, 'needs'> | null>>
}

let table: ReadonlyMap<string, GateEntry> | undefined
const ofRelease = new Map<number, ReadonlyMap<string, GateSpec>>()

/** The gates as they are in a release, by name and in the order of names. `minor` is 35 for Kubernetes 1.35. */
export function knownGates(minor: number): ReadonlyMap<string, GateSpec> {
  table ??= new Map(Object.entries(JSON.parse(readFileSync(new URL('./generated/feature-gates.json', import.meta.url), 'utf8'))))
  let gates = ofRelease.get(minor)
  if (!gates) ofRelease.set(minor, (gates = new Map([...table].map(([name, gate]) => [name, gateAt(gate, minor)]))))
  return gates
}

function gateAt(gate: GateEntry, minor: number): GateSpec {
  const then = gate.before?.[minor]
  if (then === undefined) return gate
  return { ...(then ?? notYet), ...(gate.needs ? { needs: gate.needs } : {}) }
}

const notYet = { stage: 'PRE-ALPHA', default: false } as const
