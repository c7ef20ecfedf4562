import { useSignal } from '@preact/signals'
import type { Scrape } from '../../api/metrics.js'
import { scrape } from '../../api/scrape.js'
import { Plot } from '../../ui/plot.js'
import { usePoll } from '../../ui/poll.js'
import { Problem } from '../../ui/problem.js'
import { TableHead } from '../../ui/table-head.js'
import { bytes, plots } from './plots.js'

const period = 2000
/** Five minutes. */
const most = 150

interface Drawn {
  readonly times: readonly number[]
  /** By plot, then by line. */
  readonly values: readonly (readonly (readonly (number | undefined)[])[])[]
  readonly last: Scrape | undefined
}

const nothing: Drawn = { times: [], values: plots.map(({ lines }) => lines.map(() => [])), last: undefined }

/** What the server is doing, by its metrics. */
export function ServerView() {
  const drawn = useSignal(nothing)
  const error = useSignal<unknown>(undefined)
  usePoll(
    async signal => {
      drawn.value = grown(drawn.value, await scrape(signal))
      error.value = undefined
    },
    period,
    reason => {
      error.value = reason
    }
  )
  const { times, values, last } = drawn.value
  return (
    <div class="page">
      <div class="page-head">
        <h1>The server now</h1>
        <span class="quiet">by its metrics, every 2 s</span>
      </div>
      {error.value !== undefined && <Problem error={error.value} />}
      <div class="plots">
        {plots.map(({ title, lines, format }, i) => (
          <Plot
            key={title}
            title={title}
            times={times}
            format={format}
            lines={lines.map(([title], k) => ({ title, values: values[i]![k]! }))}
          />
        ))}
      </div>
      {last && <Levels scrape={last} />}
      {last && <Objects scrape={last} />}
    </div>
  )
}

function grown({ times, values, last }: Drawn, now: Scrape): Drawn {
  // a rate needs two moments
  if (!last) return { times, values, last: now }
  const next = <T,>(list: readonly T[], item: T) => [...list.slice(1 - most), item]
  return {
    times: next(times, now.time / 1000),
    values: plots.map(({ lines }, i) => lines.map(([, value], k) => next(values[i]![k]!, value(last, now)))),
    last: now
  }
}

const level = 'apiserver_flowcontrol'

/** The priority levels: who waits, and for what share of the server. */
function Levels({ scrape }: { scrape: Scrape }) {
  const names = scrape
    .all(`${level}_nominal_limit_seats`)
    .map(({ labels, value }) => ({ name: labels.priority_level ?? '', value }))
  if (names.length === 0) return null
  const of = (metric: string, name: string) => scrape.sum(`${level}_${metric}`, labels => labels.priority_level === name) ?? 0
  return (
    <>
      <h2>Priority levels</h2>
      <table class="simple-table">
        <TableHead titles={['Level', 'Seats', 'Now', 'Queued', 'Dispatched', 'Rejected']} />
        <tbody>
          {names.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td>{of('current_executing_seats', name)}</td>
              <td>{of('current_inqueue_requests', name)}</td>
              <td>{of('dispatched_requests_total', name)}</td>
              <td class={of('rejected_requests_total', name) > 0 ? 'bad' : ''}>{of('rejected_requests_total', name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** How many objects there are of each kind. */
function Objects({ scrape }: { scrape: Scrape }) {
  const counts = scrape
    .all('apiserver_resource_objects')
    .map(({ labels, value }) => ({
      name: labels.group ? `${labels.resource}.${labels.group}` : (labels.resource ?? ''),
      value,
      size: scrape.sum(
        'apiserver_resource_size_estimate_bytes',
        other => other.resource === labels.resource && other.group === labels.group
      )
    }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, 20)
  if (counts.length === 0) return null
  return (
    <>
      <h2>Objects</h2>
      <table class="simple-table">
        <TableHead titles={['Kind', 'How many', 'About']} />
        <tbody>
          {counts.map(({ name, value, size }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td>{size === undefined || size < 0 ? '–' : bytes(size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
