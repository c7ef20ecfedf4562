/** In which releases kinds were introduced and removed, where that lies within those that can be emulated: a generated table. */
import { readFileSync } from 'node:fs'

interface Lifecycle {
  /** Minor versions of Kubernetes. */
  readonly introduced?: number
  readonly removed?: number
}

let table: ReadonlyMap<string, Lifecycle> | undefined

/** `groupVersion` is `apps/v1`, or `v1` for the core group. */
export function lifecycleOf(groupVersion: string, kind: string): Lifecycle {
  table ??= new Map(Object.entries(JSON.parse(readFileSync(new URL('./generated/api-lifecycle.json', import.meta.url), 'utf8'))))
  return table.get(`${groupVersion} ${kind}`) ?? always
}

const always: Lifecycle = {}
