/** The output of watches to fast and slow clients. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Sink } from '../../../apimachinery/request/message.js'
import { CachedObject } from '../../../storage/cached-object.js'
import { Metrics } from '../../../util/instruments/metrics.js'
import { type EventType, type WatchEvent, WatchFrames } from './frames.js'
import { WatchOutput } from './output.js'
import { watchMetrics } from './watch-metrics.js'

const turn = () => new Promise(setImmediate)

/** A client that reads only when the test calls `read`, and records what it has received. */
class SlowSink implements Sink {
  readonly messages?: boolean
  taken = 0
  text = ''
  ended = false
  #drain = () => {}
  #close = () => {}

  constructor(messages?: boolean) {
    if (messages) this.messages = messages
  }

  abort(): void {}

  write(chunk: Buffer): boolean {
    this.taken++
    this.text += `${chunk}|`
    return false
  }
  onDrain(listener: () => void) {
    this.#drain = listener
  }
  onClose(listener: () => void) {
    this.#close = listener
  }
  end() {
    this.ended = true
  }
  async read() {
    this.#drain()
    await turn()
  }
  leave() {
    this.#close()
  }
}

const object = (name: string, bytes = 0) =>
  new CachedObject(name, 1, { bytes: { length: bytes } as Buffer, object: { metadata: { name } } }, undefined)

const event = (type: EventType, name: string, bytes?: number): WatchEvent => ({ type, object: object(name, bytes) })

const counts = watchMetrics(new Metrics()).countsOf('', 'v1', 'pods')

/** Makes an output whose frames are names, and counts the frames made. */
function open(sink: SlowSink) {
  const state = { made: 0, over: 0 }
  const one = ({ object }: WatchEvent) => {
    state.made++
    return Buffer.from((object as CachedObject).name)
  }
  const frames = { one, joined: (events: readonly WatchEvent[]) => Buffer.from(events.map(one).join(' ')) }
  const output = new WatchOutput({ sink, frames, shared: new WatchFrames(), counts, onEnd: () => state.over++ })
  return { output, state }
}

describe('the output of a watch', () => {
  test('events are encoded when the client reads them, past events before live ones', async () => {
    const sink = new SlowSink()
    const { output, state } = open(sink)
    output.sendPast(Array.from({ length: 100 }, (_, i) => event('ADDED', `p${i}`, 60_000)))
    output.sendPast([event('ADDED', 'q')])
    output.send(event('ADDED', 'l1'))
    output.send(event('ADDED', 'l2'))
    await turn()
    await turn()
    assert.deepEqual([sink.taken, state.made], [1, 3])
    assert.ok(output.whenTaken())
    while (output.whenTaken()) await sink.read()
    const past = [...Array.from({ length: 100 }, (_, i) => `p${i}`), 'q'].join(' ')
    assert.equal(sink.text.replaceAll('|', ' ').trim(), `${past} l1l2`)
  })

  test('whenTaken resolves once the client has read everything', async () => {
    const sink = new SlowSink()
    const { output } = open(sink)
    assert.equal(output.whenTaken(), undefined)
    output.sendPast([event('ADDED', 'a', 200_000), event('ADDED', 'b')])
    let told = 0
    for (let i = 0; i < 2; i++) void output.whenTaken()!.then(() => told++)
    await turn()
    assert.equal(told, 0)
    await sink.read()
    assert.equal(told, 0)
    await sink.read()
    assert.equal(told, 2)
  })

  test('the watch ends when too many live events wait, also while past events are being sent', async () => {
    for (const withPast of [false, true]) {
      const sink = new SlowSink()
      const { output, state } = open(sink)
      if (withPast) output.sendPast(Array.from({ length: 10 }, (_, i) => event('ADDED', `p${i}`, 200_000)))
      let sent = 0
      for (; !sink.ended && sent < 1000; sent++) {
        output.send(event('MODIFIED', `l${sent}`, 1e6))
        await turn()
      }
      assert.ok(sent > 16 && sent < 64, `${sent} events of 1 MB waited`)
      assert.equal(state.over, 1)
      output.send(event('MODIFIED', 'after'))
      await sink.read()
      assert.ok(!sink.text.includes('after'))
    }
  })

  test('a client that keeps up may get more in one turn than the bound on waiting events', async () => {
    const sink = new SlowSink()
    sink.write = chunk => {
      sink.text += `${chunk}|`
      return true
    }
    const { output } = open(sink)
    for (let i = 0; i < 100; i++) output.send(event('MODIFIED', `l${i}`, 1e6))
    while (output.whenTaken()) await turn()
    assert.equal(sink.ended, false)
    assert.equal(sink.text.split(/[|]/).length - 1 > 0 && sink.text.includes('l99'), true)
  })

  test('end sends the events of this turn, and finish waits until the client has read everything', async () => {
    const quick = new SlowSink()
    const first = open(quick)
    first.output.send(event('ADDED', 'a'))
    first.output.end()
    assert.deepEqual([quick.text, quick.ended, first.state.over], ['a|', true, 1])
    const slow = new SlowSink()
    const second = open(slow)
    second.output.sendPast([event('ADDED', 'a', 200_000), event('ADDED', 'b')])
    second.output.send(event('ERROR', 'gone'))
    second.output.finish()
    await turn()
    assert.deepEqual([slow.text, slow.ended], ['a|', false])
    while (!slow.ended) await slow.read()
    assert.deepEqual([slow.text, second.state.over], ['a|b|gone|', 1])
  })

  test('a client that disconnects ends the output', async () => {
    const sink = new SlowSink()
    const { output, state } = open(sink)
    output.sendPast([event('ADDED', 'a', 200_000), event('ADDED', 'b')])
    await turn()
    const taken = output.whenTaken()!
    sink.leave()
    await taken
    assert.equal(state.over, 1)
    assert.equal(output.whenTaken(), undefined)
  })

  test('messages are written one by one', async () => {
    const sink = new SlowSink(true)
    const { output } = open(sink)
    output.sendPast([event('ADDED', 'a'), event('ADDED', 'b')])
    output.send(event('ADDED', 'c'))
    await turn()
    await sink.read()
    assert.equal(sink.text, 'a|b|c|')
  })
})
