import { ApiError, messageOf } from '../api/error.js'
import { ask, request, withQuery } from '../api/request.js'
import { config, impersonated } from '../api/session.js'
import { socketTexts } from '../api/socket.js'
import { lines } from '../api/stream.js'
import type { ObjectMeta } from '../api/types.js'
import { sleep } from './sleep.js'

export type Selection = Readonly<Record<string, string | undefined>>

/** What came of a watch: `object` is a Table or an object, as `accept` asks for. */
export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: T
}

interface Listed {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number }
}

export type LiveState =
  | { readonly is: 'loading'; readonly remaining?: number }
  | { readonly is: 'live' }
  | { readonly is: 'waiting'; readonly why: string }
  | { readonly is: 'failed'; readonly error: ApiError }

export interface ListWatch<T> {
  readonly path: string
  readonly accept: string
  /** Label and field selectors, and what else goes with both requests. */
  readonly query: Selection
  readonly canWatch: boolean
  /** Called before the first page of a list, which stands for all that was there before. */
  onRestart(): void
  onPage(list: T): void
  onEvent(event: WatchEvent<T>): void
  onState(state: LiveState): void
}

const pageSize = 500
const isGone = (error: unknown) => error instanceof ApiError && error.code === 410
/** What will be answered the same the next time. */
const isFinal = (error: unknown) =>
  error instanceof ApiError && error.code >= 400 && error.code < 500 && ![408, 410, 429].includes(error.code)

/** Lists and watches until `signal` says so; lists again after 410, and watches on after everything else. */
export async function listAndWatch<T extends Listed>(source: ListWatch<T>, signal: AbortSignal): Promise<void> {
  let pause = 500
  while (!signal.aborted) {
    try {
      let version = await list(source, signal)
      source.onState({ is: 'live' })
      pause = 500
      if (!source.canWatch) return
      while (!signal.aborted) {
        try {
          version = await watch(source, version, signal)
          pause = 500
          source.onState({ is: 'live' })
        } catch (error) {
          if (signal.aborted) return
          if (isGone(error)) break
          if (isFinal(error)) throw error
          source.onState({ is: 'waiting', why: messageOf(error) })
          await sleep((pause = Math.min(pause * 2, 15_000)), signal)
        }
      }
    } catch (error) {
      if (signal.aborted) return
      if (isFinal(error)) return source.onState({ is: 'failed', error: error as ApiError })
      source.onState({ is: 'waiting', why: messageOf(error) })
      await sleep((pause = Math.min(pause * 2, 15_000)), signal)
    }
  }
}

async function list<T extends Listed>(source: ListWatch<T>, signal: AbortSignal): Promise<string> {
  let after: string | undefined
  for (;;) {
    const page: T = await request<T>(source.path, {
      accept: source.accept,
      query: { ...source.query, limit: pageSize, continue: after },
      signal
    })
    if (after === undefined) source.onRestart()
    source.onPage(page)
    after = page.metadata.continue || undefined
    if (after === undefined) return page.metadata.resourceVersion ?? ''
    source.onState({ is: 'loading', remaining: page.metadata.remainingItemCount ?? 0 })
  }
}

/** Resolves with the last version that it has seen when the server ends the watch. */
async function watch<T>(source: ListWatch<T>, from: string, signal: AbortSignal): Promise<string> {
  const query = { ...source.query, watch: 1, allowWatchBookmarks: true, resourceVersion: from }
  let version = from
  for await (const line of eventsOf(source, query, signal)) {
    const event = JSON.parse(line) as WatchEvent<T>
    if (event.type === 'ERROR') {
      const status = event.object as { code?: number; message?: string }
      throw new ApiError(status.code ?? 500, status.message ?? 'The watch failed.')
    }
    version = versionOf(event.object) || version
    if (event.type !== 'BOOKMARK') source.onEvent(event)
  }
  return version
}

/**
 * Over `binnacle console`, which speaks HTTP/1.1, a browser has six connections for all its tabs, and each watch would keep one. WebSockets are not
 * counted, but have no headers: those of a Table and of another user need a request.
 */
async function* eventsOf<T>(
  source: ListWatch<T>,
  query: Record<string, string | number | boolean | undefined>,
  signal: AbortSignal
) {
  if (config.value?.proxied && !impersonated.value && source.accept === 'application/json') {
    yield* socketTexts(withQuery(source.path, query), signal)
    return
  }
  const response = await ask(source.path, { accept: source.accept, query, signal })
  yield* lines(response.body!)
}

/** The version of an object, or of the row of a Table. */
function versionOf(object: unknown): string | undefined {
  const { rows, metadata } = object as { rows?: { object: { metadata: ObjectMeta } }[]; metadata?: ObjectMeta }
  return rows?.[0]?.object.metadata.resourceVersion ?? metadata?.resourceVersion
}
