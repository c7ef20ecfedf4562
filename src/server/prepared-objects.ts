/**
 * The objects that every server begins with, as the build has made them (scripts/generate-prepared-objects.mjs): to make them one by one
 * took half of a server's first start. The parts that maintain them find them as those of an earlier run, and write what differs.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { ServerOptions } from '../options.js'
import type { Store, Write } from '../storage/contract.js'
import type { Clock } from '../util/clock.js'
import type { Randomness } from '../util/randomness.js'
import { timestamp } from '../util/time.js'
import { prioritizes } from './flow-control.js'

/** What stands in the file for values of the single server. */
const uidMark = '\u0001'
const timeMark = '\u0002'

/**
 * Lines of the file: a key without the store's root, and the value, by turns. Before the key stands `+` for what a server with all
 * controllers begins with, `-` for what others begin with, and `=` for what all do.
 */
const file = new URL('./generated/prepared-objects.txt', import.meta.url)

interface Prepared {
  readonly sign: string
  readonly path: string
  /** What stands between the times. */
  readonly parts: readonly string[]
}

let prepared: readonly Prepared[] | undefined

/** Writes them, in one commit, into a store that is empty and belongs to this server alone. Returns whether it has. */
export async function writePreparedObjects(
  options: ServerOptions,
  store: Store,
  clock: Clock,
  random: Randomness
): Promise<boolean> {
  if (store.shared || !areUsual(options)) return false
  const { count } = await store.list(`${store.root}/`, { limit: 1 })
  if (count > 0) return false
  prepared ??= readPrepared()
  if (prepared.length === 0) return false
  const time = timestamp(clock.now())
  const other = options.controllers === undefined ? '-' : '+'
  const writes = prepared
    .filter(({ sign }) => sign !== other)
    .map(({ path, parts }): Write => {
      const text = parts.join(time).replace(uidMark, random.uuid())
      return { key: store.root + path, value: Buffer.from(text), expected: 0 }
    })
  return (await store.commit(writes)).ok
}

function readPrepared(): readonly Prepared[] {
  // while the build makes it
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return Array.from({ length: lines.length / 2 }, (_, i) => {
    const key = lines[2 * i]!
    return { sign: key[0]!, path: key.slice(1), parts: lines[2 * i + 1]!.split(timeMark) }
  })
}

/** Whether the server has the resources, versions and rules of admission for which the objects have been made. */
const areUsual = (options: ServerOptions): boolean =>
  options.runtimeConfig === undefined &&
  options.apiGroups === undefined &&
  options.featureGates === undefined &&
  options.emulatedVersion === undefined &&
  options.minCompatibilityVersion === undefined &&
  options.admissionControlConfigFile === undefined &&
  options.serviceClusterIPRange === undefined &&
  prioritizes(options)
