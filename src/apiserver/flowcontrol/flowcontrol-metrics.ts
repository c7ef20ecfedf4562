/**
 * Metrics of flow control, under kube-apiserver's names. Everything is counted where it happens, and written here when it is
 * asked for.
 */
import { distributionLines } from '../../util/instruments/family.js'
import type { Distribution } from '../../util/instruments/series.js'
import type { Configuration } from './configuration.js'
import type { FlowStats } from './flow-stats.js'
import type { PriorityLevel } from './priority-level.js'
import type { LatestDispatch } from './queue-set.js'
import type { ShareOverTime } from './share-over-time.js'
import type { UnderWay } from './under-way.js'

type Labels = Readonly<Record<string, string>>
type Series<T> = readonly (readonly [Labels, T])[]
/** The stability; kube-apiserver shows none for what is measured over time. */
type Stage = 'ALPHA' | 'BETA' | 'STABLE' | undefined

const flow = 'apiserver_flowcontrol_'

export class FlowControlMetrics {
  readonly #underWay: UnderWay
  readonly #configuration: Configuration | undefined
  readonly #now: () => number

  /** `configuration` is undefined without priority and fairness. `now` returns milliseconds, as everything is timed. */
  constructor(underWay: UnderWay, configuration: Configuration | undefined, now: () => number) {
    this.#underWay = underWay
    this.#configuration = configuration
    this.#now = now
  }

  /** Returns the metrics in Prometheus' text format, without those that --disabled-metrics names. `withNative`: see `distributionLines`. */
  text(disabled: ReadonlySet<string>, withNative = false): string {
    const { executing, waiting } = this.#underWay
    const now = this.#now()
    const kinds = ({ reads, writes }: UnderWay['executing'], label: Labels = {}) =>
      [
        [{ ...label, request_kind: 'mutating' }, writes],
        [{ ...label, request_kind: 'readOnly' }, reads]
      ] as const
    const marks = (crowds: UnderWay['executing']) =>
      kinds(crowds).map(([labels, crowd]) => [labels, crowd.highWatermark(now)] as const)
    const crowds = [...kinds(executing, { phase: 'executing' }), ...kinds(waiting, { phase: 'waiting' })]
    return [
      gauge('apiserver_current_inflight_requests', 'STABLE', 'The most requests under way in the last second.', marks(executing)),
      gauge('apiserver_current_inqueue_requests', 'ALPHA', 'The most requests in queues in the last second.', marks(waiting)),
      overTime(
        `${flow}read_vs_write_current_requests`,
        'Over time, requests that wait or are answered, as a share of their limit.',
        crowds.map(([labels, { share }]) => [labels, share]),
        now
      ),
      ...(this.#configuration ? ofLevels(this.#configuration, now, withNative) : [])
    ]
      .filter(family => !disabled.has(nameOf(family)))
      .join('')
  }
}

function ofLevels(configuration: Configuration, now: number, withNative: boolean): string[] {
  const levels = [...configuration.levels.values()]
  const flows = [...configuration.flowStats.all()]
  return [...ofSeats(configuration, levels), ...ofQueuing(levels), ...ofTime(levels, now), ...ofFlows(flows, withNative)]
}

function ofSeats({ fairShare }: Configuration, levels: readonly PriorityLevel[]): string[] {
  const each = (value: (level: PriorityLevel) => number): Series<number> =>
    levels.map(l => [{ priority_level: l.name }, value(l)])
  const seats = (name: string, stage: Stage, help: string, value: (level: PriorityLevel) => number) =>
    gauge(`${flow}${name}`, stage, help, each(value))
  return [
    seats('nominal_limit_seats', 'BETA', 'Seats of a priority level by its configuration.', l => l.nominal),
    seats('lower_limit_seats', 'ALPHA', 'Seats that a priority level keeps when it lends.', l => l.least),
    seats('upper_limit_seats', 'ALPHA', 'Seats that a priority level has at most when it borrows.', l => l.most),
    seats('current_limit_seats', 'ALPHA', 'Seats that a priority level has at present.', l => l.current),
    seats('target_seats', 'ALPHA', 'Seats that a priority level should have by its demand.', l => l.target),
    seats('demand_seats_high_watermark', 'ALPHA', 'The most seats wanted in the last period.', l => l.demand.highWatermark),
    seats('demand_seats_average', 'ALPHA', 'Seats wanted in the last period, on average over time.', l => l.demand.average),
    seats('demand_seats_stdev', 'ALPHA', 'Standard deviation of the seats wanted in the last period.', l => l.demand.deviation),
    seats('demand_seats_smoothed', 'ALPHA', 'Seats wanted, smoothed.', l => l.demand.smoothed),
    gauge(`${flow}seat_fair_frac`, 'ALPHA', 'The part of its target that each priority level can have.', [[{}, fairShare]])
  ]
}

function ofQueuing(levels: readonly PriorityLevel[]): string[] {
  const latest = levels.flatMap(({ name, queues }) => (queues.latest ? [[{ priority_level: name }, queues.latest] as const] : []))
  const of = (value: (dispatch: LatestDispatch) => number): Series<number> =>
    latest.map(([labels, dispatch]) => [labels, value(dispatch)])
  const bounds = (min: 'min' | 'discountedMin', max: 'max' | 'discountedMax'): Series<number> =>
    latest.flatMap(([labels, dispatch]) => [
      [{ bound: 'max', ...labels }, dispatch[max]] as const,
      [{ bound: 'min', ...labels }, dispatch[min]] as const
    ])
  const progress: Series<number> = levels.map(({ name, queues }) => [{ priority_level: name }, queues.currentR])
  return [
    gauge(`${flow}current_r`, 'ALPHA', 'Progress of fair queuing, in seat-seconds.', progress),
    gauge(
      `${flow}dispatch_r`,
      'ALPHA',
      'Progress of fair queuing at the latest dispatch.',
      of(d => d.r)
    ),
    gauge(
      `${flow}latest_s`,
      'ALPHA',
      'Where fair queuing would have begun the latest request.',
      of(d => d.s)
    ),
    gauge(`${flow}next_s_bounds`, 'ALPHA', 'Bounds of where queues would begin their next requests.', bounds('min', 'max')),
    gauge(
      `${flow}next_discounted_s_bounds`,
      'ALPHA',
      'The same without the work in progress.',
      bounds('discountedMin', 'discountedMax')
    )
  ]
}

function ofTime(levels: readonly PriorityLevel[], now: number): string[] {
  const each = (phase: string | undefined, of: (level: PriorityLevel) => ShareOverTime) =>
    levels.map(l => [{ ...(phase && { phase }), priority_level: l.name }, of(l)] as const)
  return [
    overTime(
      `${flow}demand_seats`,
      'Over time, seats that a priority level could use, as a share of those that it has.',
      each(undefined, l => l.stats.demand),
      now
    ),
    overTime(
      `${flow}priority_level_request_utilization`,
      'Over time, requests that wait or are answered, as a share of the limit.',
      [...each('executing', l => l.stats.executing), ...each('waiting', l => l.stats.waiting)],
      now
    ),
    overTime(
      `${flow}priority_level_seat_utilization`,
      'Over time, seats that are taken, as a share of the limit.',
      each('executing', l => l.stats.seats),
      now
    )
  ]
}

function ofFlows(flows: readonly FlowStats[], withNative: boolean): string[] {
  const labelled = flows.map(stats => [{ flow_schema: stats.schema, priority_level: stats.level }, stats] as const)
  const numbers = (value: (stats: FlowStats) => number): Series<number> => labelled.map(([l, stats]) => [l, value(stats)])
  const used = labelled.filter(([, stats]) => stats.dispatched > 0 || stats.rejected.size > 0)
  const observed = (of: (stats: FlowStats) => Distribution, more: Labels = {}): Series<Distribution> =>
    used.map(([l, stats]) => [{ ...l, ...more }, of(stats)] as const).filter(([, { count }]) => count > 0)
  const rejected = labelled.flatMap(([l, stats]) => [...stats.rejected].map(([reason, n]) => [{ ...l, reason }, n] as const))
  const dispatched = used.map(([l, stats]) => [l, stats.dispatched] as const).filter(([, n]) => n > 0)
  const blocked = numbers(s => s.noAccommodation).filter(([, n]) => n > 0)
  const now = (name: string, stage: Stage, help: string, value: (stats: FlowStats) => number) =>
    gauge(
      `${flow}${name}`,
      stage,
      help,
      used.map(([l, stats]) => [l, value(stats)])
    )
  const observations = (name: string, stage: Stage, help: string, series: Series<Distribution>) =>
    histogram(name, stage, help, series, withNative)
  return [
    counter(`${flow}dispatched_requests_total`, 'BETA', 'Requests that have begun.', dispatched),
    counter(`${flow}rejected_requests_total`, 'BETA', 'Requests that were refused, by reason.', rejected),
    counter(`${flow}request_dispatch_no_accommodation_total`, 'ALPHA', 'Times that the next request needed more seats.', blocked),
    now(
      'current_executing_requests',
      'BETA',
      'Requests under way; watches only until their beginning is sent.',
      s => s.executing
    ),
    now('current_executing_seats', 'BETA', 'Seats that requests have.', s => s.executingSeats),
    now('current_inqueue_requests', 'BETA', 'Requests in queues.', s => s.waiting),
    now('current_inqueue_seats', 'ALPHA', 'Seats that requests in queues want.', s => s.waitingSeats),
    observations(`${flow}request_wait_duration_seconds`, 'BETA', 'How long requests waited in their queues.', [
      ...observed(s => s.waitedInVain, { execute: 'false' }),
      ...observed(s => s.waited, { execute: 'true' })
    ]),
    observations(`${flow}request_execution_seconds`, 'ALPHA', 'How long requests took; watches until their beginning was sent.', [
      ...observed(s => s.executed, { type: 'regular' }),
      ...observed(s => s.watchesInitialized, { type: 'watch' })
    ]),
    observations(
      `${flow}request_queue_length_after_enqueue`,
      'ALPHA',
      'Lengths of queues that requests have come to.',
      observed(s => s.queueLengths)
    ),
    observations(
      `${flow}watch_count_samples`,
      'ALPHA',
      'Watches that a write may concern.',
      observed(s => s.watchCounts)
    ),
    observations(
      `${flow}work_estimated_seats`,
      'ALPHA',
      'Seats that requests were expected to take.',
      observed(s => s.estimatedSeats)
    )
  ]
}

const nameOf = (family: string): string => /^# HELP (\S+)/.exec(family)?.[1] ?? ''

const heading = (name: string, type: string, stage: Stage, help: string) =>
  `# HELP ${name} ${stage ? `[${stage}] ` : ''}${help}\n# TYPE ${name} ${type}\n`

// names of objects have no character that must be escaped
const listed = (labels: Labels): string =>
  Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')

const inBraces = (labels: Labels): string => {
  const text = listed(labels)
  return text === '' ? '' : `{${text}}`
}

function simple(type: string) {
  return (name: string, stage: Stage, help: string, series: Series<number>): string =>
    series.length === 0
      ? ''
      : heading(name, type, stage, help) + series.map(([labels, value]) => `${name}${inBraces(labels)} ${value}\n`).join('')
}
const gauge = simple('gauge')
const counter = simple('counter')

function histogram(name: string, stage: Stage, help: string, series: Series<Distribution>, withNative: boolean): string {
  if (series.length === 0) return ''
  const lines = series.map(([labels, distribution]) => distributionLines(name, listed(labels), distribution, withNative))
  return heading(name, 'histogram', stage, help) + lines.join('')
}

/** Without native histograms, which kube-apiserver has none of for what it measures over time either. */
function overTime(name: string, help: string, series: Series<ShareOverTime>, now: number): string {
  for (const [, share] of series) share.settle(now)
  const distributions = series.map(([labels, { observed }]) => [labels, observed] as const)
  return histogram(name, undefined, help, distributions, false)
}
