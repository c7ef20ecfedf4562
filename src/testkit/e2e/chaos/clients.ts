/** Clients that read, write and watch ConfigMaps through any server, and record what they see. */
import assert from 'node:assert/strict'
import type { Action, Operation, Outcome } from '../../history/operation.js'
import type { Snapshot, WatchedEvent, WatchedStream } from '../../history/watches.js'
import { pick, type Random, random } from '../../random.js'
import type { ServerProcess } from '../server-process.js'

const path = '/api/v1/namespaces/default/configmaps'
const keys = Array.from({ length: 10 }, (_, i) => `chaos-${i}`)
const last = 'chaos-last'
/** A request that takes longer has an unknown outcome. */
const requestMs = 4000
/** A watch is opened again after so long without an event. */
const silentMs = 3000
/** A client whose request failed waits so long before the next one. */
const pauseMs = 20

/** The servers that are to be asked; those that are being restarted are missing. */
export type Servers = () => readonly ServerProcess[]

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, pauseMs))

const snapshot = ({ metadata, items }: any): Snapshot => ({
  resourceVersion: Number(metadata.resourceVersion),
  values: new Map(
    items.filter((item: any) => item.metadata.name.startsWith('chaos-')).map((item: any) => [item.metadata.name, item.data.value])
  )
})

/** The record of a run, with one clock for all clients. */
export class Recorder {
  readonly operations: Operation[] = []
  readonly lists: Snapshot[] = []
  readonly streams: WatchedStream[] = []
  /** How many operations had an answer. */
  answered = 0
  #now = 0

  tick(): number {
    return ++this.#now
  }

  add(operation: Operation): void {
    this.operations.push(operation)
    if (operation.outcome.kind !== 'unknown') this.answered++
  }
}

/** Reads and writes until `isOver`. */
export async function useObjects(
  client: string,
  seed: number,
  servers: Servers,
  recorder: Recorder,
  isOver: () => boolean
): Promise<void> {
  const next = random(seed)
  /** The newest version of each object that this client has seen. */
  const seen = new Map<string, { value: string; resourceVersion: string }>()
  for (let i = 0; !isOver(); i++) {
    const server = servers().length > 0 ? pick(next, servers()) : undefined
    if (!server) {
      await pause()
      continue
    }
    const kind = next(100)
    if (kind < 8) await list(client, server, recorder)
    else {
      const key = pick(next, keys)
      const outcome = await act(key, chooseAction(kind, `${client}-${i}`, seen.get(key)?.value), client, server, recorder, seen)
      if (outcome.kind === 'unknown') await pause()
    }
  }
}

function chooseAction(kind: number, value: string, expected: string | undefined): Action {
  if (kind < 45) return { kind: 'get' }
  if (kind < 60) return { kind: 'create', value }
  if (kind < 80 && expected !== undefined) return { kind: 'update', value, expected }
  return kind < 92 ? { kind: 'update', value, expected: undefined } : { kind: 'delete' }
}

async function act(
  key: string,
  action: Action,
  client: string,
  server: ServerProcess,
  recorder: Recorder,
  seen: Map<string, { value: string; resourceVersion: string }>
): Promise<Outcome> {
  const called = recorder.tick()
  let outcome: Outcome = { kind: 'unknown' }
  try {
    const { status, body } = await send(server, key, action, seen.get(key)?.resourceVersion)
    outcome = outcomeOf(action, status, body)
    if (outcome.kind === 'done' && action.kind !== 'delete')
      seen.set(key, { value: body.data.value, resourceVersion: body.metadata.resourceVersion })
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
  }
  recorder.add({ key, client, action, outcome, called, returned: recorder.tick() })
  return outcome
}

function send(server: ServerProcess, name: string, action: Action, resourceVersion: string | undefined) {
  const limits = { timeoutMs: requestMs }
  switch (action.kind) {
    case 'get':
      return server.request('GET', `${path}/${name}`, undefined, limits)
    case 'create':
      return server.request('POST', path, { metadata: { name }, data: { value: action.value } }, limits)
    case 'delete':
      return server.request('DELETE', `${path}/${name}`, undefined, limits)
    case 'update': {
      const data = { value: action.value }
      // a patch finds out by itself which version it changes
      if (action.expected === undefined)
        return server.request('PATCH', `${path}/${name}`, { data }, { ...limits, contentType: 'application/merge-patch+json' })
      return server.request('PUT', `${path}/${name}`, { metadata: { name, resourceVersion }, data }, limits)
    }
  }
}

function outcomeOf(action: Action, status: number, body: any): Outcome {
  if (status === 200 || status === 201) {
    if (action.kind === 'delete') return { kind: 'done' }
    const resourceVersion = Number(body.metadata.resourceVersion)
    return { kind: 'done', resourceVersion, ...(action.kind === 'get' && { value: body.data.value }) }
  }
  if (status === 404) return { kind: 'notFound' }
  if (status === 409 && action.kind === 'create') return { kind: 'alreadyExists' }
  if (status === 409 && action.kind === 'update' && action.expected !== undefined) return { kind: 'conflict' }
  assert.ok(status >= 500 || status === 429, `${action.kind}: ${status} ${JSON.stringify(body)}`)
  return { kind: 'unknown' }
}

/** A list is a get of every object at one moment. */
async function list(client: string, server: ServerProcess, recorder: Recorder): Promise<void> {
  const called = recorder.tick()
  try {
    const { status, body } = await server.request('GET', path, undefined, { timeoutMs: requestMs })
    if (status !== 200) return await pause()
    const found = snapshot(body)
    recorder.lists.push(found)
    const versions = new Map<string, string>(body.items.map((item: any) => [item.metadata.name, item.metadata.resourceVersion]))
    const returned = recorder.tick()
    keys.forEach((key, i) => {
      const value = found.values.get(key)
      const outcome: Outcome =
        value === undefined ? { kind: 'notFound' } : { kind: 'done', value, resourceVersion: Number(versions.get(key)) }
      // no two moments of a history are equal
      const between = i / keys.length / 2
      recorder.add({ key, client, action: { kind: 'get' }, outcome, called: called + between, returned: returned + between })
    })
  } catch {
    await pause()
  }
}

/** Watches through one server after the other, until the object that ends the run appears. */
export async function followObjects(watcher: string, seed: number, servers: Servers, recorder: Recorder): Promise<void> {
  const next = random(seed)
  for (let ended = false; !ended; ) {
    const start = await firstList(next, servers)
    const events: WatchedEvent[] = []
    recorder.streams.push({ watcher: `${watcher} from ${start.resourceVersion}`, start, events })
    let version = start.resourceVersion
    for (let gone = false; !gone && !ended; ) {
      const server = servers().length > 0 ? pick(next, servers()) : undefined
      if (!server) {
        await pause()
        continue
      }
      let rest = 1 + next(400)
      const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${version}&timeoutSeconds=20`
      const onEvent = ({ type, object, code }: any): boolean => {
        if (type === 'ERROR' || code !== undefined) {
          gone = object?.code === 410
          return false
        }
        const { name, resourceVersion } = object.metadata
        assert.ok(Number(resourceVersion) >= version || type === 'BOOKMARK', `${type} at ${resourceVersion} after ${version}`)
        version = Number(resourceVersion)
        if (type === 'BOOKMARK' || !name.startsWith('chaos-')) return true
        events.push({ type, key: name, value: object.data.value, resourceVersion: version })
        ended = name === last
        return !ended && --rest > 0
      }
      await server.watch(`${path}?${query}`, onEvent, { timeoutMs: silentMs })
      await pause()
    }
  }
}

async function firstList(next: Random, servers: Servers): Promise<Snapshot> {
  for (;;) {
    try {
      const { status, body } = await pick(next, servers()).request('GET', path, undefined, { timeoutMs: requestMs })
      if (status === 200) return snapshot(body)
    } catch {
      // this server is away
    }
    await pause()
  }
}

/** Writes the object that ends the watches. */
export async function endWatches(servers: Servers, recorder: Recorder): Promise<void> {
  const seen = new Map()
  for (let i = 0; ; i++) {
    const outcome = await act(
      last,
      { kind: 'create', value: `last-${i}` },
      'end',
      servers()[i % servers().length]!,
      recorder,
      seen
    )
    if (outcome.kind === 'done' || outcome.kind === 'alreadyExists') return
    await pause()
  }
}
