/** The feature gates of a server (https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/). */
import { aggregateText } from '../util/go-format.js'
import type { Logger } from '../util/logger.js'
import { UserError } from '../util/user-error.js'
import { type HonouredGate, honouredGates } from './honoured-gates.js'
import { type GateSpec, knownGates } from './known-gates.js'

/** Gates that set all others of a stage. */
const groups: Readonly<Record<string, GateSpec['stage']>> = { AllAlpha: 'ALPHA', AllBeta: 'BETA' }

const honoured: ReadonlySet<string> = new Set(honouredGates)

export class FeatureGates {
  /** The gates that were set, each by itself or with its stage. */
  readonly #set: ReadonlyMap<string, boolean>

  /** Throws a UserError for gates that do not exist, that are locked, or that need others. */
  constructor(settings: Readonly<Record<string, boolean>> = {}) {
    const given = Object.entries(settings)
    const unknown = given.find(([name]) => !knownGates().has(name))
    if (unknown) throw refuse([`unrecognized feature gate: ${unknown[0]}`])
    const locked = given.filter(([name, on]) => knownGates().get(name)!.locked && knownGates().get(name)!.default !== on)
    if (locked.length > 0)
      throw refuse(locked.map(([name, on]) => `cannot set feature gate ${name} to ${on}, feature is locked to ${!on}`))
    const all = given.filter(([name]) => Object.hasOwn(groups, name)).flatMap(([name, on]) => gatesOf(groups[name]!, on))
    this.#set = new Map([...all, ...given])
    // a server without settings need not read the table
    if (given.length > 0) this.#checkNeeds()
  }

  enabled(name: HonouredGate): boolean {
    return this.#isOn(name)
  }

  /** What is in effect: gates that this server does not honour have their default. */
  all(): { readonly name: string; readonly stage: GateSpec['stage']; readonly on: boolean }[] {
    return [...knownGates()].map(([name, { stage, default: standard }]) => ({
      name,
      stage,
      on: honoured.has(name) ? this.#isOn(name) : standard
    }))
  }

  #isOn(name: string): boolean {
    return this.#set.get(name) ?? knownGates().get(name)!.default
  }

  #checkNeeds(): void {
    const problems: string[] = []
    for (const [name, { needs = [] }] of knownGates()) {
      const off = needs.filter(need => !this.#isOn(need))
      if (off.length > 0 && this.#isOn(name))
        problems.push(`${name} is enabled, but depends on features that are disabled: [${off.join(' ')}]`)
    }
    if (problems.length > 0) throw refuse(problems)
  }

  /** Names the gates whose setting changes nothing here, and those that Kubernetes will remove. */
  report(settings: Readonly<Record<string, boolean>>, log: Logger): void {
    const idle = [...this.#set].filter(
      ([name, on]) => !Object.hasOwn(groups, name) && knownGates().get(name)!.default !== on && !honoured.has(name)
    )
    if (idle.length > 0) log.warn(`--feature-gates: without effect here: ${idle.map(([name, on]) => `${name}=${on}`).join(', ')}`)
    for (const [name, on] of Object.entries(settings)) {
      const { stage } = knownGates().get(name)!
      const kind = stage === '' ? 'GA' : 'deprecated'
      if (stage === '' || stage === 'DEPRECATED')
        log.warn(`--feature-gates: ${name}=${on} sets a ${kind} feature gate, which will be removed in a future release`)
    }
  }
}

const gatesOf = (stage: GateSpec['stage'], on: boolean): [string, boolean][] =>
  [...knownGates()].filter(([name, gate]) => gate.stage === stage && !Object.hasOwn(groups, name)).map(([name]) => [name, on])

const refuse = (problems: readonly string[]) => new UserError(`--feature-gates: ${aggregateText(problems)}`)
