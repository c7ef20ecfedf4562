/** Whose turn it is to evict a Pod: responders with a higher priority come first, each begins when the one before it is through. */
import type { ResponderStatus, TargetResponder } from '../../apimachinery/api/generated/lifecycle-v1alpha1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { goQuote } from '../../util/go-format.js'
import { allowedSkew } from './responder-reports.js'

/** A responder without a report for this long, in milliseconds, may be passed over. */
const heartbeatDeadline = 20 * 60_000
const reservedPriorities = 1000
/** The responders of Kubernetes itself. */
const ownPriorities: ReadonlyMap<string, number> = new Map([['imperative-eviction.k8s.io/evictor', 100]])

const processed = ['Canceled', 'Completed', 'Interrupted']

export interface Turn {
  readonly target: TargetResponder
  /** The states that the responder may have. */
  readonly states: readonly string[]
  readonly because: string
}

/** Returns what states the responders may have after those that they had, in the order of their turns. Their names are the same. */
export function turnsOf(targets: readonly TargetResponder[], old: readonly TargetResponder[], isFinal: boolean): Turn[] {
  const before = [...old].sort(byTurn)
  const after = [...targets].sort(byTurn)
  const active = before.findIndex(({ state }) => state === 'Active')
  const isPassedOn = active >= 0 && after[active]!.state !== 'Active'
  const isOver = isFinal || processed.includes(before.at(-1)?.state ?? '')
  return after.map((target, i): Turn => {
    const turn = (states: readonly string[], because: string) => ({ target, states, because })
    if (i < active || (before.length > 0 && active < 0 && isOver)) return turn([before[i]!.state], 'final state is immutable')
    if (active >= 0 && i === active) {
      if (isPassedOn) return turn(processed, 'this responder must reach a final state')
      return isFinal
        ? turn(processed, 'the eviction request has finished processing')
        : turn(['Active'], 'the eviction request stays active')
    }
    if ((i === 0 && before.length === 0) || (isPassedOn && i === active + 1))
      return isFinal
        ? turn(['Inactive'], 'the eviction request has finished processing')
        : turn(['Active'], 'this responder is next in line')
    return turn(['Inactive'], 'the previously active has not finished processing')
  })
}

export function validateTurn(
  { target, states, because }: Turn,
  report: ResponderStatus | undefined,
  at: Path,
  isFinal: boolean,
  now: number,
  errors: FieldErrors
): void {
  const { name, state } = target
  if (!report) {
    const shown = internalText('lifecycle.v1alpha1.TargetResponder', target)
    errors.invalid(at, shown, `${goQuote(name)} has to be tracked in status.responders first`)
    return
  }
  validatePriority(target, at.child('priority'), errors)
  const path = at.child('state')
  if (!states.includes(state)) {
    errors.invalid(path, namedText(state), `must be one of: ${states.join(', ')}, because ${because}`)
    return
  }
  const { startTime, heartbeatTime, completionTime } = report
  if (state !== 'Active' && startTime && !completionTime && !isFinal) {
    const last = Date.parse(heartbeatTime ?? startTime)
    if (now < last + heartbeatDeadline - allowedSkew)
      errors.forbidden(
        path,
        'must stay Active because the responder is in progress and it should report status.responders.heartbeatTime or status.responders.completionTime'
      )
  }
  if (state === 'Completed' && !completionTime) {
    const why = "cannot become Completed because the responder didn't report status.responders.completionTime"
    errors.invalid(path, namedText(state), why)
  }
}

function validatePriority({ name, priority }: TargetResponder, at: Path, errors: FieldErrors): void {
  if (typeof priority !== 'number' || priority < 0) return
  const own = ownPriorities.get(name)
  if (own !== undefined && priority !== own)
    errors.invalid(at, priority, `core k8s responder is expected to have priority: ${own}`)
  if (own === undefined && priority < reservedPriorities)
    errors.invalid(at, priority, 'priorities 0-999 are reserved for responders with *.k8s.io suffix')
}

/** Equal priorities are ordered by name: by the labels of its domain from the last one on, then by the rest. */
function byTurn(a: TargetResponder, b: TargetResponder): number {
  const difference = (b.priority ?? Number.NEGATIVE_INFINITY) - (a.priority ?? Number.NEGATIVE_INFINITY)
  if (difference !== 0 && !Number.isNaN(difference)) return difference
  const [one, other] = [nameParts(a.name), nameParts(b.name)]
  for (let i = 0; i < Math.max(one.labels.length, other.labels.length); i++) {
    const [label, otherLabel] = [one.labels[i], other.labels[i]]
    if (label !== otherLabel) return label === undefined || (otherLabel !== undefined && label < otherLabel) ? -1 : 1
  }
  return one.rest < other.rest ? -1 : one.rest > other.rest ? 1 : 0
}

function nameParts(name: string): { labels: string[]; rest: string } {
  const slash = name.indexOf('/')
  const [domain, rest] = slash < 0 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)]
  return { labels: domain.split('.').reverse(), rest }
}
