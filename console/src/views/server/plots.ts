import { quantile, rate, type Sample, type Scrape } from '../../api/metrics.js'

type Labels = Sample['labels']
/** What a line shows at a moment; undefined where there is nothing to show. */
type Value = (before: Scrape, now: Scrape) => number | undefined

export interface PlotDescription {
  readonly title: string
  readonly lines: readonly (readonly [string, Value])[]
  format(value: number): string
}

const number = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : value >= 10 ? value.toFixed(1) : String(+value.toFixed(2))
export const bytes = (value: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let [scaled, unit] = [value, 0]
  while (scaled >= 1000 && unit < units.length - 1) [scaled, unit] = [scaled / 1000, unit + 1]
  return `${number(scaled)} ${units[unit]}`
}
const milliseconds = (seconds: number): string => `${number(seconds * 1000)} ms`

const isWatch = ({ verb }: Labels) => verb === 'WATCH' || verb === 'CONNECT'
const isRead = ({ verb }: Labels) => verb === 'GET' || verb === 'LIST'
const isWrite = (labels: Labels) => !isRead(labels) && !isWatch(labels)
const perSecond =
  (name: string, fits?: (labels: Labels) => boolean): Value =>
  (before, now) =>
    rate(before, now, name, fits)
const value =
  (name: string, fits?: (labels: Labels) => boolean): Value =>
  (_, now) =>
    now.sum(name, fits)
const slowest =
  (share: number, fits: (labels: Labels) => boolean): Value =>
  (before, now) =>
    quantile(share, before, now, 'apiserver_request_duration_seconds', fits)
const requests = (fits: (labels: Labels) => boolean) => perSecond('apiserver_request_total', fits)
const status = (first: string) => (labels: Labels) => labels.code?.startsWith(first) ?? false

/** What the page of the server draws. Lines of metrics that a server does not have stay empty. */
export const plots: readonly PlotDescription[] = [
  {
    title: 'Requests a second',
    lines: [
      ['get', requests(({ verb }) => verb === 'GET')],
      ['list', requests(({ verb }) => verb === 'LIST')],
      ['write', requests(isWrite)],
      ['new watches', requests(isWatch)]
    ],
    format: number
  },
  {
    title: 'Refused a second',
    lines: [
      ['4xx', requests(status('4'))],
      ['5xx', requests(status('5'))]
    ],
    format: number
  },
  {
    title: 'Latency, 99 of 100 below',
    lines: [
      ['reads', slowest(0.99, isRead)],
      ['writes', slowest(0.99, isWrite)]
    ],
    format: milliseconds
  },
  {
    title: 'Watches',
    lines: [['open', value('apiserver_longrunning_requests', ({ verb }) => verb === 'WATCH')]],
    format: number
  },
  { title: 'Events to watchers a second', lines: [['events', perSecond('apiserver_watch_events_total')]], format: number },
  {
    title: 'Priority and fairness',
    lines: [
      ['executing', value('apiserver_flowcontrol_current_executing_requests')],
      ['queued', value('apiserver_flowcontrol_current_inqueue_requests')]
    ],
    format: number
  },
  {
    title: 'Memory',
    lines: [
      ['process', value('process_resident_memory_bytes')],
      ['heap', (_, now) => now.sum('nodejs_heap_size_used_bytes') ?? now.sum('go_memstats_heap_alloc_bytes')]
    ],
    format: bytes
  },
  { title: 'Processor', lines: [['cores', perSecond('process_cpu_seconds_total')]], format: number },
  {
    title: 'Event-loop delay, 99 of 100 below',
    lines: [['delay', value('nodejs_eventloop_lag_p99_seconds')]],
    format: milliseconds
  },
  { title: 'Storage', lines: [['size', value('apiserver_storage_size_bytes')]], format: bytes }
]
