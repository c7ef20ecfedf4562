/** Writes the annotations of an event. */
import type { AuthorizationDecision, RequestRecord } from '../../apimachinery/request/record.js'
import { formatDuration } from '../../util/go-duration.js'
import { sortedKeys } from '../../util/go-format.js'
import type { AuditedRequest } from './audited-request.js'
import type { Stage } from './policy.js'
import { quoted } from './text.js'

/** Requests that take longer than this many milliseconds say where their time went. */
const slowMs = 500

/** Returns the field `annotations`; "" when there are none. `extra` is one more annotation. */
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
  for (const [part, spent] of milliseconds) all[latency + part] = formatDuration(spent)
  all[`${latency}total`] = formatDuration(total)
}
