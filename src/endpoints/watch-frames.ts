/** Frames of watches: an event as bytes. What was made for one watcher of a server is kept for the next one. */
import { cachedObject } from '../formats/protobuf/cached.js'
import { watchFrame } from '../formats/protobuf/frame.js'
import { encodeProtobuf } from '../formats/protobuf/object.js'
import type { Resource } from '../registry/resource.js'
import type { StructType } from '../schema/model.js'
import type { CachedObject } from '../storage/cached-object.js'
import { DerivedCache } from '../storage/derived-cache.js'
import { exactJson } from '../util/exact-json.js'

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'

type CachedFrames = (type: EventType, object: CachedObject) => Buffer

export const jsonFrame = (type: EventType, object: unknown) => Buffer.from(`{"type":"${type}","object":${exactJson(object)}}\n`)

export const protobufFrame = (type: EventType, object: unknown) => watchFrame(type, encodeProtobuf(object))

/** The frames that the watchers of one server share. */
export class WatchFrames {
  readonly json: CachedFrames = shared(joinedFrame)
  readonly #protobuf = new WeakMap<StructType, CachedFrames>()
  #last: { frames: readonly Buffer[]; bytes: Buffer } | undefined

  protobuf(resource: Resource, version: string): CachedFrames {
    const type = resource.type(version)
    let frame = this.#protobuf.get(type)
    if (!frame) {
      frame = shared((event, object) => watchFrame(event, cachedObject(resource, version, object)))
      this.#protobuf.set(type, frame)
    }
    return frame
  }

  /** Frames as one buffer. All watchers of a form get the same frames, one watcher after the other, so the last one is often right. */
  joined(frames: readonly Buffer[], length: number): Buffer {
    if (frames.length === 1) return frames[0]!
    const last = this.#last
    if (last?.frames.length === frames.length && frames.every((frame, i) => frame === last.frames[i])) return last.bytes
    const bytes = Buffer.concat(frames, length)
    this.#last = length <= sharedFrameBytes / 4 ? { frames, bytes } : undefined
    return bytes
  }
}

/** The frame of an object in the cache, from the bytes that are there. */
function joinedFrame(type: EventType, { bytes }: CachedObject): Buffer {
  const head = `{"type":"${type}","object":`
  const frame = Buffer.allocUnsafeSlow(head.length + bytes.length + 1)
  let at = frame.write(head, 0, 'latin1')
  at += bytes.copy(frame, at, 0, bytes.length - 1)
  frame[at] = 0x7d
  frame[at + 1] = 0x0a
  return frame
}

/** Frames that are kept for those watchers of a form who are still to get them. */
const sharedFrameBytes = 4 * 1024 * 1024

/** Remembers the last frames, as all watchers of a form get the same. */
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
