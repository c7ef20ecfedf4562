import { request } from './request.js'

/** The test API of a server (docs/testing.md, `--test-api`). */
const root = '/testing/v1'

export interface Clock {
  readonly now: string
  readonly frozen: boolean
}
export interface FaultRule {
  readonly id: string
  readonly rule: Readonly<Record<string, unknown>>
  /** How often it has happened. */
  readonly count: number
}
export interface Snapshot {
  readonly name: string
  readonly created: string
}

const list = async <T>(path: string, signal: AbortSignal): Promise<T[]> =>
  (await request<{ items: T[] }>(`${root}/${path}`, { signal })).items

export const readClock = (signal: AbortSignal) => request<Clock>(`${root}/clock`, { signal })
export const freeze = () => request<Clock>(`${root}/clock/freeze`, { method: 'POST', body: {} })
export const release = () => request<Clock>(`${root}/clock/release`, { method: 'POST', body: {} })
/** Moves a frozen clock on by a duration such as `1h30m`. What falls due happens before the answer. */
export const advance = (by: string) => request<Clock>(`${root}/clock/advance`, { method: 'POST', body: { by } })

export const readFaults = (signal: AbortSignal) => list<FaultRule>('faults', signal)
export const addFault = (rule: object) => request<FaultRule>(`${root}/faults`, { method: 'POST', body: rule })
export const removeFault = (id: string) => request(`${root}/faults/${encodeURIComponent(id)}`, { method: 'DELETE' })

export const readSnapshots = (signal: AbortSignal) => list<Snapshot>('snapshots', signal)
export const takeSnapshot = (name: string) =>
  request<Snapshot>(`${root}/snapshots/${encodeURIComponent(name)}`, { method: 'PUT' })
export const restoreSnapshot = (name: string) =>
  request(`${root}/snapshots/${encodeURIComponent(name)}/restore`, { method: 'POST' })
export const forgetSnapshot = (name: string) => request(`${root}/snapshots/${encodeURIComponent(name)}`, { method: 'DELETE' })
