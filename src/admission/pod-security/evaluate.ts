import { baselineChecks } from './baseline-checks.js'
import type { Check, CheckPod, PodLike, Violation } from './check.js'
import type { Standard } from './policy.js'
import { restrictedChecks } from './restricted-checks.js'

/** The last minor version that changed a check: later versions run the same checks. */
const newest = Math.max(...[...baselineChecks, ...restrictedChecks].map(({ versions }) => versions.at(-1)!.since))

const known = new Map<string, readonly CheckPod[]>()

/** Returns a Pod's violations of a standard, those of the baseline first. */
export function violations(standard: Standard, pod: PodLike): Violation[] {
  if (standard.level === 'privileged') return []
  const minor = standard.minor === 'latest' ? newest : Math.min(standard.minor, newest)
  const key = `${standard.level} ${minor}`
  let checks = known.get(key)
  if (!checks) known.set(key, (checks = checksOf(standard.level, minor)))
  return checks.map(check => check(pod)).filter(violation => violation !== undefined)
}

function checksOf(level: 'baseline' | 'restricted', minor: number): CheckPod[] {
  const inForce = ({ id, versions }: Check) => {
    const version = versions.findLast(({ since }) => since <= minor)
    return version ? [{ id, ...version }] : []
  }
  const baseline = baselineChecks.flatMap(inForce)
  if (level === 'baseline') return baseline.map(({ check }) => check)
  const restricted = restrictedChecks.flatMap(inForce)
  const replaced = new Set(restricted.flatMap(({ replaces = [] }) => replaces))
  return [...baseline.filter(({ id }) => !replaced.has(id)), ...restricted].map(({ check }) => check)
}
