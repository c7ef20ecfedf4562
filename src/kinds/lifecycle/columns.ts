/** The cells of Evictions and EvictionRequests. */
import type {
  Eviction,
  EvictionRequestStatus,
  EvictionStatus,
  ResponderStatus,
  TargetResponder
} from '../../apimachinery/api/generated/lifecycle-v1alpha1.js'
import type { ColumnContext } from '../../apimachinery/formats/column.js'
import { humanDuration } from '../../util/duration.js'

export function evictionStatus({ conditions = [], observedGeneration = 0 }: EvictionRequestStatus): string {
  for (const type of ['TargetEvicted', 'Failed']) {
    const found = conditions.find(condition => condition.type === type)
    if (found?.status === 'True') return `${type} (${found.reason})`
  }
  return observedGeneration > 0 ? 'Progressing' : 'Pending'
}

export function requesters({ requesters: all = [] }: EvictionStatus): string {
  if (all.length === 0) return '<none>'
  const names = all.filter(({ intent }) => intent !== 'Withdrawn').map(({ name }) => name)
  if (names.length === 0) return '<withdrawn>'
  names.sort()
  return names.length > 1 ? `${names[0]} + ${names.length - 1} more...` : names[0]!
}

const isProcessed = ({ state }: TargetResponder) => ['Canceled', 'Interrupted', 'Completed'].includes(state)

/** The responder whose turn it is, or else the last one whose turn it was. */
const shownResponder = ({ targetResponders = [] }: EvictionStatus): TargetResponder | undefined =>
  targetResponders.findLast(({ state }) => state === 'Active') ?? targetResponders.findLast(isProcessed)

/** What a responder has reported that is active or was the last one. */
function reported(status: EvictionStatus): { target: TargetResponder; report: ResponderStatus } | undefined {
  const target = shownResponder(status)
  const report = target && status.responders?.find(({ name }) => name === target.name)
  return report && { target, report }
}

function responderStatus({ status }: Eviction, { since }: Pick<ColumnContext, 'since'>): string {
  const found = reported(status)
  if (!found) return '<unset>'
  const { target, report } = found
  if (target.state === 'Active' && report.startTime) return `Started (${since(report.startTime)} ago)`
  if (target.state === 'Completed' && report.completionTime) return `Completed (${since(report.completionTime)} ago)`
  return target.state
}

function expectedFinish({ status }: Eviction, context: ColumnContext): string {
  const found = reported(status)
  if (!found) return '<unknown>'
  const { target, report } = found
  if (target.state !== 'Active') return isProcessed(target) ? '-' : '<unknown>'
  const { startTime, expectedCompletionTime } = report
  if (!startTime || !expectedCompletionTime) return '<unknown>'
  const left = Date.parse(expectedCompletionTime) - context.now
  return left > 0 ? `in ${humanDuration(left)}` : `${context.since(expectedCompletionTime)} ago`
}

export const responderCells: Readonly<Record<string, (o: Eviction, context: ColumnContext) => string>> = {
  'Active Responder'({ status }) {
    const { targetResponders = [] } = status
    const begun = targetResponders.filter(responder => responder.state === 'Active' || isProcessed(responder)).length
    return `${shownResponder(status)?.name ?? '<unset>'} (${begun}/${targetResponders.length})`
  },
  'Responder Status': (o, context) => responderStatus(o, { since: time => context.since(time) }),
  'Responder Expected Finish': expectedFinish,
  'Responder Heartbeat'({ status }, context) {
    const time = reported(status)?.report.heartbeatTime
    return time ? `${context.since(time)} ago` : '<unset>'
  },
  'Responder Status Message': ({ status }) => reported(status)?.report.message?.trim() || '<unset>'
}
