/** The feature gates of a server (https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/). */
import { aggregateText } from '../../util/go-format.js'
import type { Logger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { type EffectiveVersion, ownVersion } from './effective-version.js'
import { type HonouredGate, honouredGates } from './honoured-gates.js'
import { type GateSpec, knownGates } from './known-gates.js'

/** Gates that set all others of a stage. */
const groups: Readonly<Record<string, GateSpec['stage']>> = { AllAlpha: 'ALPHA', AllBeta: 'BETA' }

const honoured: ReadonlySet<string> = new Set(honouredGates)

export class FeatureGates {
  /** The gates that were set, each by itself or with its stage. */
  readonly #set: ReadonlyMap<string, boolean>
  readonly #known: ReadonlyMap<string, GateSpec>
  readonly version: EffectiveVersion

  /** Throws a UserError for gates that do not exist, that are locked, or that need others. */
  constructor(settings: Readonly<Record<string, boolean>> = {}, version: EffectiveVersion = ownVersion) {
    this.version = version
    const known = knownGates(version.emulated)
    this.#known = known
    const given = Object.entries(settings)
    const unknown = given.find(([name]) => !known.has(name))
    if (unknown) throw refuse([`unrecognized feature gate: ${unknown[0]}`])
    const refused = given.flatMap(([name, on]) => {
      const { stage, locked, default: standard } = known.get(name)!
      const what = `cannot set feature gate ${name} to ${on}, feature is`
      if (locked && standard !== on) return [`${what} locked to ${!on}`]
      const { emulated, minCompatibility } = version
      if (stage === 'PRE-ALPHA')
        return [`${what} PreAlpha at emulated version 1.${emulated}, min compatibility version 1.${minCompatibility}`]
      return []
    })
    if (refused.length > 0) throw refuse(refused)
    const all = given.filter(([name]) => Object.hasOwn(groups, name)).flatMap(([name, on]) => gatesOf(known, groups[name]!, on))
    this.#set = new Map([...all, ...given])
    // a server without settings need not read the table
    if (given.length > 0) this.#checkNeeds()
  }

  enabled(name: HonouredGate): boolean {
    return this.#isOn(name)
  }

  /** What is in effect: gates that this server does not honour have their default. */
  all(): { readonly name: string; readonly stage: GateSpec['stage']; readonly on: boolean }[] {
    return [...this.#known].map(([name, { stage, default: standard }]) => ({
      name,
      stage,
      on: honoured.has(name) ? this.#isOn(name) : standard
    }))
  }

  #isOn(name: string): boolean {
    return this.#set.get(name) ?? this.#known.get(name)!.default
  }

  #checkNeeds(): void {
    const problems: string[] = []
    for (const [name, { needs = [] }] of this.#known) {
      const off = needs.filter(need => !this.#isOn(need))
      if (off.length > 0 && this.#isOn(name))
        problems.push(`${name} is enabled, but depends on features that are disabled: [${off.join(' ')}]`)
    }
    if (problems.length > 0) throw refuse(problems)
  }

  /** Names the gates whose setting changes nothing here, and those that Kubernetes will remove. */
  report(settings: Readonly<Record<string, boolean>>, log: Logger): void {
    const idle = [...this.#set].filter(
      ([name, on]) => !Object.hasOwn(groups, name) && this.#known.get(name)!.default !== on && !honoured.has(name)
    )
    if (idle.length > 0) log.warn(`--feature-gates: without effect here: ${idle.map(([name, on]) => `${name}=${on}`).join(', ')}`)
    for (const [name, on] of Object.entries(settings)) {
      const { stage } = this.#known.get(name)!
      const kind = stage === '' ? 'GA' : 'deprecated'
      if (stage === '' || stage === 'DEPRECATED')
        log.warn(`--feature-gates: ${name}=${on} sets a ${kind} feature gate, which will be removed in a future release`)
    }
  }
}

const gatesOf = (known: ReadonlyMap<string, GateSpec>, stage: GateSpec['stage'], on: boolean): [string, boolean][] =>
  [...known].filter(([name, gate]) => gate.stage === stage && !Object.hasOwn(groups, name)).map(([name]) => [name, on])

const refuse = (problems: readonly string[]) => new UserError(`--feature-gates: ${aggregateText(problems)}`)
