/** Decides which of the candidates for a Lease leads (KEP-4355). All times are in milliseconds. */
import type { Lease } from '../../apimachinery/api/generated/coordination-v1.js'
import type { LeaseCandidate } from '../../apimachinery/api/generated/coordination-v1beta1.js'
import { compareVersions, type SemanticVersion, versionOf, zeroVersion } from '../../util/semver.js'

/** How long a candidate counts after it was last renewed. */
export const candidateValidMs = 30 * 60_000

/** Returns NaN for a time that is not set, which is neither before nor after another. */
export const time = (text: string | null | undefined): number => (text ? Date.parse(text) : Number.NaN)

/** Whether the candidate has not yet answered the controller's last request to renew itself. */
export const owesAnswer = ({ spec }: LeaseCandidate): boolean => time(spec.renewTime) < time(spec.pingTime)

export const isCandidateExpired = ({ spec }: LeaseCandidate, now: number): boolean =>
  !(time(spec.renewTime) + candidateValidMs >= now)

export function isLeaseExpired({ spec }: Lease, now: number): boolean {
  const { renewTime, leaseDurationSeconds: seconds } = spec
  return seconds === undefined || !(time(renewTime) + seconds * 1000 >= now)
}

/**
 * Returns the candidate with the oldest emulation version; among equals the one with the oldest binary version, then the one that
 * was created first. Returns undefined when no candidate has versions.
 */
export function bestCandidate(candidates: readonly LeaseCandidate[]): LeaseCandidate | undefined {
  let best: LeaseCandidate | undefined
  for (const candidate of candidates)
    if (versionOf(candidate.spec.emulationVersion ?? '') && versionOf(candidate.spec.binaryVersion))
      if (!best || comesBefore(candidate, best)) best = candidate
  return best
}

function comesBefore(a: LeaseCandidate, b: LeaseCandidate): boolean {
  const emulation = compareVersions(version(a.spec.emulationVersion), version(b.spec.emulationVersion))
  if (emulation !== 0n) return emulation < 0n
  const binary = compareVersions(version(a.spec.binaryVersion), version(b.spec.binaryVersion))
  if (binary !== 0n) return binary < 0n
  return time(a.metadata.creationTimestamp) < time(b.metadata.creationTimestamp)
}

const version = (text: string | undefined): SemanticVersion => versionOf(text ?? '') ?? zeroVersion

/** Returns the strategy of the candidate with the newest binary version. Throws when candidates of that version differ. */
export function electionStrategy(candidates: readonly LeaseCandidate[]): string {
  const [first, ...others] = candidates
  let newest = first!
  for (const candidate of others) {
    const order = compareVersions(version(newest.spec.binaryVersion), version(candidate.spec.binaryVersion))
    if (order < 0n) newest = candidate
    else if (order === 0n && candidate.spec.strategy !== newest.spec.strategy)
      throw new Error(
        `candidates "${newest.metadata.name}", "${candidate.metadata.name}" at same binary version but received differing strategies ${newest.spec.strategy}, ${candidate.spec.strategy}`
      )
  }
  return newest.spec.strategy ?? ''
}
