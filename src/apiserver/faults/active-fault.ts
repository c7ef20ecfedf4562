/** A rule in effect: which requests it concerns, how often it was used, and what it did. */

import { resourceText, type Subject } from '../../apimachinery/request/fault-subject.js'
import type { Clock } from '../../util/clock.js'
import type { Fault, FaultHit, FaultRule } from './rule.js'

/** How many hits of one rule are kept. */
const maxHits = 1000

type Matches = (subject: Subject) => boolean

export class ActiveFault implements Fault {
  readonly rule: FaultRule
  readonly hits: FaultHit[] = []
  count = 0
  readonly done: Promise<void>
  readonly #matches: Matches
  readonly #clock: Clock
  readonly #random: () => number
  readonly #removed: (fault: ActiveFault) => void
  #resolve = () => {}
  #passed = 0
  #taken = 0

  /** `removed` is called when the rule has been removed or used up. */
  constructor(rule: FaultRule, clock: Clock, removed: (fault: ActiveFault) => void) {
    this.rule = rule
    this.#clock = clock
    this.#matches = matcherOf(rule)
    this.#random = rule.random ?? sequence(rule.seed ?? 1)
    this.#removed = removed
    this.done = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  /** Whether the rule concerns a request, which then counts for `after` and `times`. */
  takes(subject: Subject): boolean {
    if (!this.matches(subject)) return false
    const { after = 0, times, probability = 1 } = this.rule
    if (this.#passed < after) {
      this.#passed++
      return false
    }
    if (times !== undefined && this.#taken >= times) return false
    if (probability < 1 && this.#random() >= probability) return false
    this.#taken++
    return true
  }

  matches(subject: Subject): boolean {
    return this.#matches(subject)
  }

  /** Takes back a use of the rule, because nothing was done to the request. */
  release(): void {
    this.#taken--
  }

  /** Records what was done to a request. */
  hit(subject: Subject, action: string): void {
    const { user, verb, namespace, name, steps } = subject
    steps?.struck(action)
    this.count++
    this.hits.push({ time: this.#clock.now(), user, verb, resource: resourceText(subject), namespace, name, action })
    if (this.hits.length > maxHits) this.hits.shift()
    if (this.count !== this.rule.times) return
    this.remove()
    this.#resolve()
  }

  remove(): void {
    this.#removed(this)
  }
}

function matcherOf(rule: FaultRule): Matches {
  const checks: Matches[] = []
  const { path, name, namespace, user, userAgent } = rule
  const verbs = new Set([rule.verb ?? '*'].flat())
  if (!verbs.has('*')) checks.push(subject => verbs.has(subject.verb))
  // a webhook may be called without any request
  if (path !== undefined) checks.push(pathMatcher(path))
  else if (rule.resource !== undefined || rule.webhook === undefined) {
    const resources = [rule.resource ?? '*'].flat().map(resourceMatcher)
    checks.push(subject => subject.resource !== '' && resources.some(matches => matches(subject)))
  }
  if (name !== undefined) checks.push(subject => subject.name === name)
  if (namespace !== undefined) checks.push(subject => subject.namespace === namespace)
  if (userAgent !== undefined) checks.push(subject => subject.userAgent.includes(userAgent))
  checks.push(user === undefined ? subject => !subject.isOwn : subject => subject.user === user)
  return subject => checks.every(check => check(subject))
}

const pathMatcher = (path: string): Matches => {
  const start = path.endsWith('*') ? path.slice(0, -1) : undefined
  return subject => subject.resource === '' && (start === undefined ? subject.path === path : subject.path.startsWith(start))
}

function resourceMatcher(text: string): Matches {
  if (text === '*') return () => true
  const [qualified = '', wanted = ''] = text.split('/')
  const dot = qualified.indexOf('.')
  const resource = dot < 0 ? qualified : qualified.slice(0, dot)
  const group = dot < 0 ? undefined : qualified.slice(dot + 1)
  return subject =>
    (resource === '*' || subject.resource === resource) &&
    (group === undefined || subject.group === group) &&
    (wanted === '*' ? subject.subresource !== '' : subject.subresource === wanted)
}

/** Numbers from 0 to below 1 that are the same in every run (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
