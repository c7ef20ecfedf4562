/**
 * Joins what several processes of one server say at /metrics. Counters, histograms, summaries, and gauges that count what a process
 * has, are added up. Of other gauges, such as times, the largest number is taken.
 */
import { fromGoNumber, goNumber } from '../../util/instruments/go-number.js'
import { nextTurn, startSlice } from '../../util/turns.js'

/** Gauges whose values are added up, because each process has its own. */
const addedGauges = [
  /^apiserver_longrunning_requests$/,
  /^apiserver_current_in(?:flight|queue)_requests$/,
  /^apiserver_flowcontrol_(?:current_executing|current_inqueue|request_concurrency|lower_limit|upper_limit|nominal_limit|current_limit|demand|target)/,
  /^process_(?:resident_memory|virtual_memory|heap)_bytes$/,
  /^process_open_fds$/,
  /^nodejs_(?:active|heap|external|eventloop_active)/,
  /_active_fetch_count$/,
  /^workqueue_/
]
/** Counters with the same value in every process: they are about the build and the machine. */
const commonCounters = /^(?:registered_metrics_total|disabled_metrics_total|hidden_metrics_total|process_network_.*_bytes_total)$/
/** Gauges of which the value of the speaking process counts. */
const firstCounts = new Set(['process_start_time_seconds'])

type Join = (a: number, b: number) => number
const add: Join = (a, b) => a + b
const first: Join = a => a
const largest: Join = (a, b) => (Number.isNaN(a) ? b : Math.max(a, Number.isNaN(b) ? a : b))

function joinOf(name: string, type: string): Join {
  if (firstCounts.has(name)) return first
  if (type === 'gauge') return addedGauges.some(pattern => pattern.test(name)) ? add : largest
  return commonCounters.test(name) ? largest : add
}

interface Family {
  /** The lines before the series. */
  readonly head: string[]
  join: Join
  readonly series: Map<string, number>
}

/** `texts` are the metrics of the processes in Prometheus' text format; those of the speaking process come first. */
export async function mergedMetrics(texts: readonly string[]): Promise<string> {
  const families = new Map<string, Family>()
  let sliceIsOver = startSlice()
  const pause = async () => {
    if (!sliceIsOver()) return
    await nextTurn()
    sliceIsOver = startSlice()
  }
  for (const text of texts) {
    let family: Family | undefined
    for (const line of text.split('\n')) {
      if (line.startsWith('# ')) family = familyOf(families, line)
      else if (line !== '' && family) addSeries(family, line)
      await pause()
    }
  }
  const pieces: string[] = []
  for (const { head, series } of families.values()) {
    pieces.push(...head)
    for (const [name, value] of series) pieces.push(`${name} ${goNumber(value)}`)
    await pause()
  }
  return pieces.length > 0 ? `${pieces.join('\n')}\n` : ''
}

function familyOf(families: Map<string, Family>, line: string): Family {
  const [, what, name = '', type = ''] = line.split(' ', 4)
  let family = families.get(name)
  if (!family) families.set(name, (family = { head: [], join: add, series: new Map() }))
  if (family.head.length < 2 && !family.head.includes(line)) family.head.push(line)
  if (what === 'TYPE') family.join = joinOf(name, type)
  return family
}

function addSeries({ join, series }: Family, line: string): void {
  const end = line.lastIndexOf(' ')
  const name = line.slice(0, end)
  const value = fromGoNumber(line.slice(end + 1))
  const before = series.get(name)
  // quantiles of several processes cannot be added up
  const how = name.includes('quantile="') ? largest : join
  series.set(name, before === undefined ? value : how(before, value))
}
