/** Reads what containers print. */

import type { KubeClient, ObjectName } from '../types.js'
import { linesOf } from '../watch.js'
import { podPath } from './pod-path.js'

/**
 * Which part of a log.
 *
 * @example
 * const options: LogOptions = { container: 'web', follow: true, tailLines: 10 }
 */
export interface LogOptions {
  readonly namespace?: string | undefined
  /** May be left out for a Pod with one container. */
  readonly container?: string | undefined
  /** Goes on until the container ends, the loop is left or the signal aborts. */
  readonly follow?: boolean | undefined
  /** The log of the container before its last restart. */
  readonly previous?: boolean | undefined
  readonly tailLines?: number | undefined
  readonly sinceSeconds?: number | undefined
  /** `2030-01-01T00:00:00Z` */
  readonly sinceTime?: string | undefined
  /** Begins each line with its time. */
  readonly timestamps?: boolean | undefined
  readonly limitBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Returns the lines of a container's log, without their line ends. Throws a StatusError for what the server refuses.
 *
 * @example
 * for await (const line of logs(client, 'web', { follow: true })) console.log(line)
 */
export async function* logs(
  client: KubeClient,
  pod: ObjectName,
  options: LogOptions = {}
): AsyncGenerator<string, void, undefined> {
  const { namespace, signal, ...others } = options
  const url = podPath(client, pod, 'log', namespace, Object.entries(others))
  // logs are text; an error is a Status
  const answer = await client.open({ url, headers: { accept: 'application/json, */*' } }, signal)
  try {
    yield* linesOf(answer, true)
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    answer.close()
  }
}
