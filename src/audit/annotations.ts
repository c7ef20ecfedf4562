/** The annotations of an event. */
import type { AuthorizationDecision, RequestRecord } from '../request/record.js'
import { sortedKeys } from '../util/go-format.js'
import type { AuditedRequest } from './audited-request.js'
import type { Stage } from './policy.js'
import { quoted } from './text.js'

/** Requests that take longer tell where their time went. */
const slowMs = 500

/** The field annotations; "" when there are none. `extra`: one more. */
export function annotationsJson(
  { context }: AuditedRequest,
  stage: Stage,
  time: number,
  extra: readonly [string, string] | undefined
): string {
  const { record, info } = context
  const { authorization } = record
  const isComplete = stage === 'ResponseComplete'
  const isSlow = isComplete && info.verb !== 'watch' && time - record.receivedAt > slowMs
  const isDeprecated = isComplete && record.removedRelease !== undefined
  if (record.annotations.size === 0 && !isSlow && !isDeprecated && !extra)
    return authorization ? `,"annotations":{${decisionJson(authorization)}}` : ''
  const all: Record<string, string> = Object.create(null)
  for (const [key, value] of record.annotations) all[key] = value
  if (authorization) {
    all['authorization.k8s.io/decision'] = authorization.allowed ? 'allow' : 'forbid'
    all['authorization.k8s.io/reason'] = authorization.reason
  }
  if (isDeprecated) {
    all['k8s.io/deprecated'] = 'true'
    if (record.removedRelease) all['k8s.io/removed-release'] = record.removedRelease
  }
  if (isSlow) addLatencies(all, record, time - record.receivedAt)
  if (extra) all[extra[0]] = extra[1]
  const parts = sortedKeys(all).map(key => `${quoted(key)}:${quoted(all[key]!)}`)
  return parts.length === 0 ? '' : `,"annotations":{${parts.join(',')}}`
}

const decisionJson = ({ allowed, reason }: AuthorizationDecision) =>
  `"authorization.k8s.io/decision":"${allowed ? 'allow' : 'forbid'}","authorization.k8s.io/reason":${quoted(reason)}`

const latency = 'apiserver.latency.k8s.io/'

function addLatencies(all: Record<string, string>, { milliseconds }: RequestRecord, total: number): void {
  for (const [part, spent] of milliseconds) all[latency + part] = goDuration(spent)
  all[`${latency}total`] = goDuration(total)
}

/** Go's time.Duration: 1.5ms, 1m2.5s. */
export function goDuration(milliseconds: number): string {
  const nanos = Math.round(milliseconds * 1e6)
  if (nanos === 0) return '0s'
  if (nanos < 1e3) return `${nanos}ns`
  if (nanos < 1e6) return `${nanos / 1e3}µs`
  if (nanos < 1e9) return `${nanos / 1e6}ms`
  const minutes = Math.floor(nanos / 60e9)
  const seconds = `${(nanos - minutes * 60e9) / 1e9}s`
  if (minutes === 0) return seconds
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`
}
