/** A watch that goes on in a new request when the server ends one. */

import type { KubeObject } from '../apimachinery/api/kube-object.js'
import type { StreamedAnswer } from '../apimachinery/request/injected.js'
import { StatusError } from '../apimachinery/status/status.js'
import type { WatchEvent } from './types.js'

export interface WatchParts {
  readonly resourceVersion: string | undefined
  /** Whether the watch ends with its first request. */
  readonly isOnce: boolean
  /** Called with the version up to which the events are known. */
  readonly seen?: ((resourceVersion: string) => void) | undefined
  readonly signal: AbortSignal | undefined
  open(resourceVersion: string | undefined): Promise<StreamedAnswer>
  /** Whether the server still runs. */
  isOpen(): boolean
}

/** A server that ends a watch sooner, without any event, is about to stop. */
const shortestMs = 1000

export async function* watchEvents<T extends KubeObject>(parts: WatchParts): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const { signal, isOnce, seen } = parts
  let { resourceVersion } = parts
  while (!signal?.aborted && parts.isOpen()) {
    const began = performance.now()
    let events = 0
    const answer = await parts.open(resourceVersion)
    try {
      for await (const line of linesOf(answer)) {
        const { type, object } = JSON.parse(line)
        if (type === 'ERROR') throw new StatusError(object)
        events++
        resourceVersion = object.metadata.resourceVersion as string
        seen?.(resourceVersion)
        if (type !== 'BOOKMARK') yield { type, object }
        if (signal?.aborted) return
      }
    } finally {
      answer.close()
    }
    if (isOnce || (events === 0 && performance.now() - began < shortestMs)) return
  }
}

/** client-go's, for an event of a watch. */
const maxLineBytes = 16 * 1024 * 1024

/** The lines of an answer. Empty ones, and a last one without its end, are left out, unless `all` are wanted. */
export async function* linesOf(answer: StreamedAnswer, all = false): AsyncGenerator<string, void, undefined> {
  let parts: Buffer[] = []
  let length = 0
  for (let chunk = await answer.next(); chunk; chunk = await answer.next()) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end))
      const line = parts.length === 1 ? parts[0]!.toString() : Buffer.concat(parts).toString()
      parts = []
      length = 0
      from = end + 1
      if (all || line !== '') yield line
    }
    if (from === chunk.length) continue
    parts.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > maxLineBytes) throw new Error(`a line of the answer has more than ${maxLineBytes} bytes`)
  }
  if (all && parts.length > 0) yield Buffer.concat(parts).toString()
}
