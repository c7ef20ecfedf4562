/** Metrics of a configuration file that is read again when it changes, under kube-apiserver's names. */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type * as Prometheus from 'prom-client'
import type { Clock } from '../util/clock.js'
import type { LazyMetrics } from './lazy-metrics.js'

type Status = 'success' | 'failure'

export class ConfigReloadMetrics {
  readonly #clock: Clock
  readonly #reloads = new Map<Status, { count: number; lastSeconds: number }>()
  #text: string | undefined

  /** `subject` is the middle of the metrics' names: `authorization`. They are shown when the file is in use. */
  constructor(all: LazyMetrics, clock: Clock, subject: string) {
    this.#clock = clock
    all.add((library, registry) => this.#add(library, registry, `apiserver_${subject}_config_controller`, subject))
  }

  /** `text` is in use since the start. */
  started(text: string): void {
    this.#text = text
  }

  succeeded(text: string): void {
    this.#text = text
    this.#count('success')
  }

  failed(): void {
    this.#count('failure')
  }

  #count(status: Status): void {
    const count = (this.#reloads.get(status)?.count ?? 0) + 1
    this.#reloads.set(status, { count, lastSeconds: this.#clock.now() / 1000 })
  }

  #add({ Counter, Gauge }: typeof Prometheus, registry: Prometheus.Registry, prefix: string, subject: string): void {
    const registers = [registry]
    const reloads = this.#reloads
    const text = () => this.#text
    const apiserver_id_hash = hashOf(identity())
    const labelNames = ['status', 'apiserver_id_hash']
    new Counter({
      name: `${prefix}_automatic_reloads_total`,
      help: `Reloads of the ${subject} configuration by what came of them.`,
      labelNames,
      registers,
      collect() {
        this.reset()
        for (const [status, { count }] of reloads) this.inc({ status, apiserver_id_hash }, count)
      }
    })
    new Gauge({
      name: `${prefix}_automatic_reload_last_timestamp_seconds`,
      help: `When the ${subject} configuration was reloaded last, by what came of it.`,
      labelNames,
      registers,
      collect() {
        for (const [status, { lastSeconds }] of reloads) this.set({ status, apiserver_id_hash }, lastSeconds)
      }
    })
    new Gauge({
      name: `${prefix}_last_config_info`,
      help: `The hash of the ${subject} configuration that is in use.`,
      labelNames: ['apiserver_id_hash', 'hash'],
      registers,
      collect() {
        this.reset()
        const used = text()
        if (used !== undefined) this.set({ apiserver_id_hash, hash: used === '' ? '' : hashOf(used) }, 1)
      }
    })
  }
}

export const hashOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** The name that kube-apiserver gives itself on this host. */
export function identity(): string {
  const parts = [hostname(), 'kube-apiserver'].flatMap(text => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(Buffer.byteLength(text))
    return [length, Buffer.from(text)]
  })
  const digest = createHash('sha256').update(Buffer.concat(parts)).digest().subarray(0, 16)
  const bits = [...digest].map(byte => byte.toString(2).padStart(8, '0')).join('')
  const letters = bits.match(/.{1,5}/g)!.map(five => base32[Number.parseInt(five.padEnd(5, '0'), 2)])
  return `apiserver-${letters.join('')}`
}
