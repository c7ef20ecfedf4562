/**
 * The objects that every server begins with, as the build has made them (scripts/generate/prepared-objects.mjs): to make them one by one
 * took half of a server's first start. The parts that maintain them find them as those of an earlier run, and write what differs.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Store, Write } from '../storage/contract.js'
import type { Pki } from '../transport/certificates/pki.js'
import { timestamp } from '../util/time.js'
import { prioritizes } from './flow-control.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

/**
 * Characters that stand in the file for values which differ between servers: uids, the time and date of the start, the
 * authorities (PEM).
 */
export const marks = {
  uid: '\u0001',
  time: '\u0002',
  date: '\u0003',
  authority: '\u0004',
  frontProxyAuthority: '\u0005'
} as const

/** Splits a text at the marks. */
const anyMark = new RegExp(`([${Object.values(marks).join('')}])`)

/**
 * Lines of the file: a key without the store's root, and the value, by turns. Before the key stands `+` for what a server with all
 * controllers begins with, `-` for what others begin with, and `=` for what all do.
 */
const file = new URL('./generated/prepared-objects.txt', import.meta.url)

interface Prepared {
  readonly sign: string
  readonly path: string
  /** Texts and marks in turn. */
  readonly parts: readonly string[]
}

let prepared: readonly Prepared[] | undefined

interface Needs extends Pick<Foundation, 'clock' | 'random' | 'pki'> {
  readonly store: Store
}

/** Writes the prepared objects in one commit, if the store is empty and belongs to this server alone. Returns whether it has. */
export async function writePreparedObjects(options: ServerOptions, { store, clock, random, pki }: Needs): Promise<boolean> {
  if (store.shared || !areUsual(options)) return false
  const { count } = await store.list(`${store.root}/`, { limit: 1 })
  if (count > 0) return false
  prepared ??= readPrepared()
  if (prepared.length === 0) return false
  const other = options.controllers === undefined ? '-' : '+'
  const values = valuesOf(clock.now(), pki)
  const writes = prepared.flatMap(({ sign, path, parts }): Write[] => {
    if (sign === other || !parts.every((part, i) => i % 2 === 0 || values.has(part))) return []
    values.set(marks.uid, random.uuid())
    const text = parts.map((part, i) => (i % 2 === 0 ? part : values.get(part))).join('')
    return [{ key: store.root + path, value: Buffer.from(text), expected: 0 }]
  })
  return (await store.commit(writes)).ok
}

/** Returns what each mark stands for. A server whose front proxies were configured from outside has no authority for them. */
function valuesOf(now: number, { ca, frontProxy }: Pki): Map<string, string> {
  const time = timestamp(now)
  const values = new Map<string, string>([
    [marks.uid, ''],
    [marks.time, time],
    [marks.date, time.slice(0, 10)],
    [marks.authority, inJson(ca.certificate)]
  ])
  if (frontProxy) values.set(marks.frontProxyAuthority, inJson(frontProxy.authority))
  return values
}

/** Returns a text as it stands within the quotes of a JSON string. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

function readPrepared(): readonly Prepared[] {
  // the file does not exist while the build makes it
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return Array.from({ length: lines.length / 2 }, (_, i) => {
    const key = lines[2 * i]!
    return { sign: key[0]!, path: key.slice(1), parts: lines[2 * i + 1]!.split(anyMark) }
  })
}

/** Whether the server has the resources, versions and admission rules for which the objects were prepared. */
const areUsual = (options: ServerOptions): boolean =>
  options.runtimeConfig === undefined &&
  options.apiGroups === undefined &&
  options.featureGates === undefined &&
  options.emulatedVersion === undefined &&
  options.minCompatibilityVersion === undefined &&
  options.admissionControlConfigFile === undefined &&
  options.serviceClusterIPRange === undefined &&
  prioritizes(options)
