/** Frames of watches: events as bytes. A frame made for one watcher is kept for the server's other watchers. */

import { encodeObject } from '../../../apimachinery/formats/body.js'
import { cborFrame } from '../../../apimachinery/formats/cbor/frame.js'
import type { OutputForm } from '../../../apimachinery/formats/negotiate.js'
import { partialObject } from '../../../apimachinery/formats/partial.js'
import { cachedObject } from '../../../apimachinery/formats/protobuf/cached.js'
import { watchFrame } from '../../../apimachinery/formats/protobuf/frame.js'
import { encodeProtobuf } from '../../../apimachinery/formats/protobuf/object.js'
import { toTable } from '../../../apimachinery/formats/table.js'
import type { StructType } from '../../../apimachinery/schema/model.js'
import type { Resource } from '../../../registry/resource.js'
import { CachedObject } from '../../../storage/cached-object.js'
import { DerivedCache } from '../../../storage/derived-cache.js'
import { exactJson } from '../../../util/exact-json.js'
import { TurnQueue } from '../../../util/turns.js'
import type { EndpointRequest } from '../endpoint.js'
import { bookmarkObject } from './bookmarks.js'

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'

export interface WatchEvent {
  readonly type: EventType
  /** A cached object, or an object made for this event in the version that the watcher requested. */
  readonly object: CachedObject | object
  /** The revision at which the object left the selection; shown in place of the object's own. */
  readonly leftAt?: number
}

/** Encodes events in the form that one watcher requested. */
export interface Frames {
  one(this: void, event: WatchEvent): Buffer
  /** Encodes events that only this watcher gets, such as its initial ones. */
  joined(this: void, events: readonly WatchEvent[]): Buffer
}

type CachedFrames = (type: EventType, object: CachedObject) => Buffer

const jsonFrame = (type: EventType, object: unknown) => Buffer.from(`{"type":"${type}","object":${exactJson(object)}}\n`)

const protobufFrame = (type: EventType, object: unknown) => watchFrame(type, encodeProtobuf(object))

const cborFrameOf = (type: EventType, object: unknown) => cborFrame(type, encodeObject(object, 'application/cbor', false))

export const isProtobuf = ({ mediaType }: OutputForm) => mediaType === 'application/vnd.kubernetes.protobuf'

/** The frames that the watchers of one server share. */
export class WatchFrames {
  /** Gives the watchers their turns to write. */
  readonly turns = new TurnQueue()
  /** The turns of the watchers that evaluate a filter: the others do not wait for them. */
  readonly filteredTurns = new TurnQueue()
  readonly json: CachedFrames = shared(joinedFrame)
  readonly #protobuf = new WeakMap<StructType, CachedFrames>()
  readonly #cbor = new WeakMap<StructType, CachedFrames>()
  #last: { frames: readonly Buffer[]; bytes: Buffer } | undefined

  protobuf(resource: Resource, version: string): CachedFrames {
    return ofType(this.#protobuf, resource.type(version), (event, object) =>
      watchFrame(event, cachedObject(resource, version, object))
    )
  }

  cbor(resource: Resource, version: string): CachedFrames {
    return ofType(this.#cbor, resource.type(version), (event, object) =>
      cborFrameOf(event, resource.inVersion(resource.parse(object), version))
    )
  }

  /** Concatenates frames. Watchers of one form get the same frames one after the other, so the last result is often reusable. */
  joined(frames: readonly Buffer[]): Buffer {
    if (frames.length === 1) return frames[0]!
    const last = this.#last
    if (last?.frames.length === frames.length && frames.every((frame, i) => frame === last.frames[i])) return last.bytes
    const bytes = Buffer.concat(frames)
    this.#last = bytes.length <= sharedFrameBytes / 4 ? { frames, bytes } : undefined
    return bytes
  }
}

function ofType(known: WeakMap<StructType, CachedFrames>, type: StructType, make: CachedFrames): CachedFrames {
  let frame = known.get(type)
  if (!frame) known.set(type, (frame = shared(make)))
  return frame
}

export function framesFor({ context, resource, server }: EndpointRequest, form: OutputForm): Frames {
  const { services, frames } = server
  const { version } = context.info
  const isCbor = form.mediaType === 'application/cbor'
  const frameOf = isProtobuf(form) ? protobufFrame : isCbor ? cborFrameOf : jsonFrame
  const inCachedVersion = version === resource.memoryVersion.name
  if (form.transform === undefined && (isProtobuf(form) || isCbor || inCachedVersion)) {
    const cached = isProtobuf(form) ? frames.protobuf(resource, version) : isCbor ? frames.cbor(resource, version) : frames.json
    const one = (event: WatchEvent) => {
      const { type } = event
      const object = shownObject(resource, event)
      return object instanceof CachedObject ? cached(type, object) : frameOf(type, object)
    }
    return { one, joined: isProtobuf(form) || isCbor ? concatOf(one) : events => joinedFrames(events, one) }
  }
  let withoutColumns = false
  const one = (event: WatchEvent) => {
    const source = shownObject(resource, event)
    if (event.type === 'ERROR') return frameOf(event.type, source)
    const isCached = source instanceof CachedObject
    const parsed: any = isCached ? resource.parse(source) : source
    if (form.transform === 'Table') {
      const { resourceVersion } = parsed.metadata
      const options = { context, form, now: services.clock.now(), metadata: { resourceVersion }, withoutColumns }
      withoutColumns = true
      // cells are computed from the cached version, those of a bookmark from an object that never had another one
      const stored = isCached ? parsed : bookmarkObject(resource, resource.memoryVersion.name, parsed.metadata)
      return frameOf(event.type, toTable(resource, [stored], options))
    }
    const object = isCached ? resource.inVersion(parsed, version) : parsed
    return frameOf(event.type, form.transform ? partialObject(object, form.transformVersion, resource.kind) : object)
  }
  return { one, joined: concatOf(one) }
}

const concatOf = (one: Frames['one']) => (events: readonly WatchEvent[]) => Buffer.concat(events.map(one))

const shownObject = (resource: Resource, { object, leftAt }: WatchEvent): object =>
  leftAt === undefined ? object : withRevision(resource, object as CachedObject, leftAt)

/** Returns a previous state of an object under the revision of the change that took it out of the selection. */
function withRevision(resource: Resource, object: CachedObject, revision: number): CachedObject {
  const parsed = resource.parse(object)
  const bytes = resource.form.splice(resource.form.encode(parsed), revision)
  return object.as(revision, bytes)
}

const headOf = (type: EventType) => `{"type":"${type}","object":`

const lengthOfFrame = (type: EventType, { length }: CachedObject) => headOf(type).length + length + 1

/** Writes a frame from the object's cached bytes. Returns the offset after the frame. */
function writeFrame(type: EventType, object: CachedObject, target: Buffer, offset: number): number {
  const bytes = object.glance()
  let at = offset + target.write(headOf(type), offset, 'latin1')
  at += bytes.copy(target, at, 0, bytes.length - 1)
  target[at] = 0x7d
  target[at + 1] = 0x0a
  return at + 2
}

function joinedFrame(type: EventType, object: CachedObject): Buffer {
  const frame = Buffer.allocUnsafeSlow(lengthOfFrame(type, object))
  writeFrame(type, object, frame, 0)
  return frame
}

/** Writes the frames of many cached objects straight into one buffer. */
function joinedFrames(events: readonly WatchEvent[], one: Frames['one']): Buffer {
  const parts = events.map(event =>
    event.object instanceof CachedObject && event.leftAt === undefined ? event.object : one(event)
  )
  let length = 0
  for (const [i, part] of parts.entries())
    length += part instanceof CachedObject ? lengthOfFrame(events[i]!.type, part) : part.length
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const [i, part] of parts.entries())
    at = part instanceof CachedObject ? writeFrame(events[i]!.type, part, bytes, at) : at + part.copy(bytes, at)
  return bytes
}

/** Bytes of frames that are kept for watchers of the same form. */
const sharedFrameBytes = 4 * 1024 * 1024

/** Keeps the most recent frames, because all watchers of a form get the same ones. */
function shared(make: CachedFrames): CachedFrames {
  const frames = new DerivedCache<{ type: EventType; frame: Buffer }>(sharedFrameBytes)
  return (type, object) => {
    const known = frames.get(object)
    if (known?.type === type) return known.frame
    const frame = make(type, object)
    frames.set(object, { type, frame }, frame.length)
    return frame
  }
}
