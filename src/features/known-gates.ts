/** The feature gates of the release that Binnacle serves as: a generated table. */
import { readFileSync } from 'node:fs'

export interface GateSpec {
  /** '' for a stable gate. */
  readonly stage: 'ALPHA' | 'BETA' | '' | 'DEPRECATED'
  readonly default: boolean
  /** It cannot be set to anything but its default. */
  readonly locked?: true
  /** The gates that must be on where this one is. */
  readonly needs?: readonly string[]
}

let table: ReadonlyMap<string, GateSpec> | undefined

/** By name, in the order of names. */
export function knownGates(): ReadonlyMap<string, GateSpec> {
  table ??= new Map(Object.entries(JSON.parse(readFileSync(new URL('./generated/feature-gates.json', import.meta.url), 'utf8'))))
  return table
}
