/**
 * /debug/api_priority_and_fairness/…: what the levels, their queues and the requests in them are doing
 * (https://kubernetes.io/docs/reference/debug-cluster/flow-control/).
 */

import { formatDuration } from '../../util/go-duration.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondBytes } from '../endpoints/respond.js'
import type { FlowControl } from './flow-control.js'
import type { FlowRequest } from './flow-request.js'
import type { PriorityLevel } from './priority-level.js'

const base = '/debug/api_priority_and_fairness/'

/** `now` is in milliseconds with a fraction, by the clock that times the requests. */
export function dumpPaths({ configuration }: Pick<FlowControl, 'configuration'>, now: () => number): PathHandler[] {
  const levels = () => [...configuration.levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return [
    { path: `${base}dump_priority_levels`, handle: () => answer(table(levelColumns, levels().map(levelRow))) },
    { path: `${base}dump_queues`, handle: () => answer(table(queueColumns, levels().flatMap(queueRows))) },
    {
      path: `${base}dump_requests`,
      handle({ query }) {
        const withDetails = (query.get('includeRequestDetails') ?? '') !== ''
        const timeOf = wallClock(now)
        const rows = levels().flatMap(level => requestRows(level, withDetails, timeOf))
        return answer(table(withDetails ? [...requestColumns, ...detailColumns] : requestColumns, rows))
      }
    }
  ]
}

const answer = (text: string) => respondBytes(200, 'text/plain; charset=utf-8', Buffer.from(text))

const levelColumns = [
  'PriorityLevelName',
  'ActiveQueues',
  'IsIdle',
  'IsQuiescing',
  'WaitingRequests',
  'ExecutingRequests',
  'DispatchedRequests',
  'RejectedRequests',
  'TimedoutRequests',
  'CancelledRequests'
]

function levelRow({ name, quiescing, queues }: PriorityLevel): string[] {
  let active = 0
  for (let i = 0; i < queues.queues.length; i++) if ((queues.queues.at(i)?.waiting.size ?? 0) > 0) active++
  const { waiting, executing, dispatched, rejected, cancelled } = queues
  // kube-apiserver never counts anything as timed out either
  return [name, active, queues.isIdle, quiescing, waiting, executing.size, dispatched, rejected, 0, cancelled].map(String)
}

const queueColumns = [
  'PriorityLevelName',
  'Index',
  'PendingRequests',
  'ExecutingRequests',
  'SeatsInUse',
  'NextDispatchR',
  'InitialSeatsSum',
  'MaxSeatsSum',
  'TotalWorkSum'
]

const seatSeconds = (value: number) => `${Math.max(value, 0).toFixed(8)}ss`

function queueRows({ name, queues: { queues } }: PriorityLevel): string[][] {
  return Array.from({ length: queues.length }, (_, i) => {
    const queue = queues.at(i)
    const counts = [queue?.waiting.size ?? 0, queue?.executing ?? 0, queue?.seatsInUse ?? 0].map(String)
    const sums = [queue?.initialSeats ?? 0, queue?.maxSeats ?? 0].map(String)
    return [name, String(i), ...counts, seatSeconds(queue?.nextDispatchR ?? 0), ...sums, seatSeconds(queue?.work ?? 0)]
  })
}

const requestColumns = [
  'PriorityLevelName',
  'FlowSchemaName',
  'QueueIndex',
  'RequestIndexInQueue',
  // as kube-apiserver spells it
  'FlowDistingsher',
  'ArriveTime',
  'InitialSeats',
  'FinalSeats',
  'AdditionalLatency',
  'StartTime'
]
const detailColumns = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource']

type TimeOf = (milliseconds: number) => string

function requestRows({ name, queues }: PriorityLevel, withDetails: boolean, timeOf: TimeOf): string[][] {
  const rows: string[][] = []
  const add = (request: FlowRequest, index: number) =>
    rows.push([name, ...requestRow(request, index, timeOf), ...(withDetails ? details(request) : [])])
  for (let i = 0; i < queues.queues.length; i++) {
    let index = 0
    for (const request of queues.queues.at(i)?.waiting ?? []) add(request, index++)
  }
  for (const request of queues.executing) add(request, -1)
  return rows
}

function requestRow({ flow, queue, arrivedAt, startedAt, estimate }: FlowRequest, index: number, timeOf: TimeOf): string[] {
  return [
    flow.schema.name,
    String(queue?.index ?? -1),
    String(index),
    flow.distinguisher,
    timeOf(arrivedAt),
    String(estimate.initialSeats),
    String(estimate.finalSeats),
    formatDuration(estimate.additionalMs),
    startedAt === 0 ? neverGo : timeOf(startedAt)
  ]
}

function details({ context: { user, info } }: FlowRequest): string[] {
  const { verb, path, namespace, name, group, version, resource, subresource } = info
  return [user.name, verb, path, namespace, name, group === '' ? version : `${group}/${version}`, resource, subresource]
}

/** Go's zero time. */
const neverGo = '0001-01-01T00:00:00Z'

/** Returns a function that writes times of a clock of the process as dates, with nanoseconds and without zeros at the end. */
function wallClock(now: () => number): TimeOf {
  const difference = Date.now() - now()
  return milliseconds => {
    const at = milliseconds + difference
    const nanoseconds = Math.floor((at % 1000) * 1e6)
    const fraction = String(nanoseconds).padStart(9, '0').replace(/0+$/, '')
    return `${new Date(at).toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`
  }
}

/** Formats a table: columns are as wide as their widest cell, and have at least eight characters. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows]
  const widths = header.map((_, i) => lines.reduce((widest, line) => Math.max(widest, [...line[i]!].length + 2), 8))
  const text = (line: readonly string[]) =>
    line.map((cell, i) => (i === line.length - 1 ? cell : `${cell},`.padEnd(widths[i]!))).join('')
  return lines.map(line => `${text(line)}\n`).join('')
}
