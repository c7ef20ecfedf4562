/** Metrics of a configuration file that is read again when it changes, under kube-apiserver's names. */
import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '../../util/clock.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import { serverId } from '../../util/server-id.js'

type Status = 'success' | 'failure'

export class ConfigReloadMetrics {
  readonly #clock: Clock
  readonly #reloads = new Map<Status, { count: number; lastSeconds: number }>()
  #text: string | undefined

  /** `subject` is the middle of the metrics' names, such as `authorization`. The metrics appear when the file is used. */
  constructor(metrics: Metrics, clock: Clock, subject: string) {
    this.#clock = clock
    this.#add(metrics, `apiserver_${subject}_config_controller`, subject)
  }

  /** The configuration with this text has been in use since the start. */
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

  #add(metrics: Metrics, prefix: string, subject: string): void {
    const apiserver_id_hash = hashOf(identity())
    const labels = ['status', 'apiserver_id_hash']
    const reloads = metrics.counter({
      name: `${prefix}_automatic_reloads_total`,
      help: `Reloads of the ${subject} configuration by what came of them.`,
      stage: 'ALPHA',
      labels,
      collect: () => {
        for (const [status, { count }] of this.#reloads) reloads.of(status, apiserver_id_hash).set(count)
      }
    })
    const last = metrics.gauge({
      name: `${prefix}_automatic_reload_last_timestamp_seconds`,
      help: `When the ${subject} configuration was reloaded last, by what came of it.`,
      stage: 'ALPHA',
      labels,
      collect: () => {
        for (const [status, { lastSeconds }] of this.#reloads) last.of(status, apiserver_id_hash).set(lastSeconds)
      }
    })
    const used = metrics.gauge({
      name: `${prefix}_last_config_info`,
      help: `The hash of the ${subject} configuration that is in use.`,
      stage: 'ALPHA',
      labels: ['apiserver_id_hash', 'hash'],
      collect: () => {
        used.clear()
        const text = this.#text
        if (text !== undefined) used.of(apiserver_id_hash, text === '' ? '' : hashOf(text)).set(1)
      }
    })
  }
}

export const hashOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

/** The name that kube-apiserver gives itself on this machine. */
export const identity = (): string => serverId(hostname())
