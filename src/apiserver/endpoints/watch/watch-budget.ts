/**
 * Bounds what running watches keep in memory of their requests: a watch lasts for an hour, and its selectors may take a megabyte. Each
 * user has a share; all users who are not authenticated are one.
 */

import type { RequestContext } from '../../../apimachinery/request/context.js'
import { termsOf } from '../../../apimachinery/selectors/limits.js'
import { tooManyRequests } from '../../../apimachinery/status/status.js'
import type { Metrics } from '../../../util/instruments/metrics.js'
import type { ListOptions } from '../read/list-options.js'

export interface WatchLimits {
  /** Bytes of the watches of one user. */
  readonly ofUser: number
  /** Bytes of all watches. */
  readonly ofAll: number
}

export const watchLimits: WatchLimits = { ofUser: 32 * 1024 * 1024, ofAll: 256 * 1024 * 1024 }

/** What a watch holds below this is not counted: its connection and its output take more. */
const uncounted = 8 * 1024
/** Bytes that a requirement or value takes, parsed and as a part of the matcher. */
const perTerm = 300
/** Bytes that a compiled filter takes for each of its characters. */
const perFilterCharacter = 250
/** Bytes that a range of hashes takes for each character of its text. */
const perShardCharacter = 4
const retrySeconds = 5

/** Returns about how many bytes a watch keeps of its request; 0 for an ordinary one. */
export function heldBytes({ request, query }: Pick<RequestContext, 'request' | 'query'>, given: ListOptions): number {
  // the query is kept as it came and in its parts
  let bytes = 2 * request.url.length + given.shardSelector.length * perShardCharacter
  for (const selector of [query.get('labelSelector'), query.get('fieldSelector')])
    if (selector) bytes += termsOf(selector) * perTerm
  if (given.filter) bytes += given.filter.text.length * perFilterCharacter
  for (const name in request.headers) bytes += lengthOf(request.headers[name])
  return bytes <= uncounted ? 0 : bytes
}

const lengthOf = (header: string | string[] | undefined): number =>
  typeof header === 'object' ? header.reduce((sum, value) => sum + value.length, 0) : (header?.length ?? 0)

export class WatchBudget {
  readonly #limits: WatchLimits
  readonly #users = new Map<string, number>()
  #all = 0

  constructor(metrics: Metrics, limits = watchLimits) {
    this.#limits = limits
    const held = metrics.gauge({
      name: 'binnacle_watch_request_bytes',
      help: 'Bytes that running watches keep of requests with large selectors, filters or headers.',
      stage: 'ALPHA',
      collect: () => held.of().set(this.#all)
    })
  }

  /** The bytes that are held by watches of a user. */
  heldBy(user: string): number {
    return this.#users.get(user) ?? 0
  }

  /** Counts bytes until the returned function is called. Throws 429 when the user's share, or that of all users, is used up. */
  hold(user: string, bytes: number): () => void {
    if (bytes === 0) return nothing
    const held = this.heldBy(user) + bytes
    if (held > this.#limits.ofUser)
      throw tooManyRequests('the watches of this user hold too much memory for their selectors and headers', retrySeconds)
    if (this.#all + bytes > this.#limits.ofAll)
      throw tooManyRequests('watches hold too much memory for their selectors and headers', retrySeconds)
    this.#change(user, held, bytes)
    let isHeld = true
    return () => {
      if (isHeld) this.#change(user, this.heldBy(user) - bytes, -bytes)
      isHeld = false
    }
  }

  #change(user: string, held: number, by: number): void {
    this.#all += by
    if (held === 0) this.#users.delete(user)
    else this.#users.set(user, held)
  }
}

const nothing = () => {}
