import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { terminationHandler } from './termination.js'

const scene = () => {
  const exits: number[] = []
  const notes: string[] = []
  let end: (error?: Error) => void = assert.fail
  const stopped = new Promise<void>((resolve, reject) => {
    end = error => (error ? reject(error) : resolve())
  })
  const state = { now: 0, stops: 0, exits, notes, end }
  const onSignal = terminationHandler({
    stop: () => {
      state.stops++
      return stopped
    },
    exit: code => exits.push(code),
    note: line => notes.push(line),
    clock: { now: () => state.now, setTimeout: () => assert.fail() }
  })
  return { state, onSignal, settled: () => new Promise(setImmediate) }
}

describe('signals', () => {
  it('stop gracefully, and then exit', async () => {
    const { state, onSignal, settled } = scene()
    onSignal()
    await settled()
    assert.deepEqual(state.exits, [])
    assert.deepEqual(state.notes, ['Stopping: requests in progress may end. Ctrl-C again stops at once.'])
    state.end()
    await settled()
    assert.deepEqual(state.exits, [0])
  })

  it('exit with 1 when stopping fails', async () => {
    const { state, onSignal, settled } = scene()
    onSignal()
    state.end(new Error('x'))
    await settled()
    assert.deepEqual(state.exits, [1])
  })

  it('exit at once at the second signal', () => {
    const { state, onSignal } = scene()
    onSignal()
    state.now = 1000
    onSignal()
    assert.deepEqual(state.exits, [1])
    assert.equal(state.stops, 1)
  })

  it('count as one when npm forwards a signal of the terminal', () => {
    const { state, onSignal } = scene()
    onSignal()
    state.now = 50
    onSignal()
    assert.deepEqual(state.exits, [])
  })
})
