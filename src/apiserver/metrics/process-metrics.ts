/** Metrics of the process and its build. */
import { readFileSync } from 'node:fs'
import type { Metrics } from '../../util/instruments/metrics.js'
import type { LazyMetrics } from './lazy-metrics.js'

export interface BuildInfo {
  readonly major: string
  readonly minor: string
  readonly minCompatibilityMinor: string
  readonly emulationMinor: string
  readonly gitVersion: string
  readonly gitCommit: string
  readonly gitTreeState: string
  readonly buildDate: string
  readonly goVersion: string
  readonly compiler: string
  readonly platform: string
}

export function addBuildMetrics(metrics: Metrics, info: BuildInfo): void {
  const labels = {
    major: info.major,
    minor: info.minor,
    git_version: info.gitVersion,
    git_commit: info.gitCommit,
    git_tree_state: info.gitTreeState,
    build_date: info.buildDate,
    go_version: info.goVersion,
    compiler: info.compiler,
    platform: info.platform
  }
  metrics
    .gauge({
      name: 'kubernetes_build_info',
      help: 'The version of the server: always 1.',
      stage: 'BETA',
      labels: Object.keys(labels)
    })
    .of(...Object.values(labels))
    .set(1)
  const releases = {
    component: 'kube',
    binary: info.minor,
    emulation: info.emulationMinor,
    min_compat: info.minCompatibilityMinor
  }
  metrics
    .gauge({
      name: 'version_info',
      help: 'The releases that the server is, behaves like, and is compatible with: always 1.',
      stage: 'ALPHA',
      labels: Object.keys(releases)
    })
    .of(...Object.values(releases).map(value => (value === 'kube' ? value : `${info.major}.${value}`)))
    .set(1)
}

/**
 * Adds metrics of the process, which several servers may share. Most come from prom-client, under the names that they have in every
 * Node program; these are the ones that Go programs have besides.
 */
export function addProcessMetrics(metrics: Metrics, library: LazyMetrics): void {
  library.add(({ collectDefaultMetrics }, register) => collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 20 }))
  if (process.platform !== 'linux') return
  const traffic = (name: string, help: string, field: string) => {
    const counter = metrics.counter({ name, help, collect: () => counter.of().set(octets(field)) })
  }
  traffic('process_network_receive_bytes_total', 'Bytes that the process has received over the network.', 'InOctets')
  traffic('process_network_transmit_bytes_total', 'Bytes that the process has sent over the network.', 'OutOctets')
  metrics
    .gauge({ name: 'process_virtual_memory_max_bytes', help: 'The most virtual memory that the process may have.' })
    .of()
    .set(addressSpace())
}

const readOr = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Reads a field of the IpExt lines: the first line has the names, the second the numbers. */
function octets(field: string): number {
  const [names, values] = readOr('/proc/self/net/netstat')
    .split('\n')
    .filter(line => line.startsWith('IpExt:'))
    .map(line => line.split(' '))
  const at = names?.indexOf(field) ?? -1
  return at < 0 ? 0 : Number(values![at])
}

/** Returns the limit of the address space; without one, the largest number, as Go's library does. */
function addressSpace(): number {
  const limit = /^Max address space\s+(\S+)/m.exec(readOr('/proc/self/limits'))?.[1]
  return limit === undefined || limit === 'unlimited' ? 2 ** 64 : Number(limit)
}
