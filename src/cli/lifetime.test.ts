import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lifetime } from './lifetime.js'

/** A lifetime whose steps end when they are told to, and the names of the steps that have begun and ended. */
const steps = () => {
  const done: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const step = (name: string) => async () => {
    done.push(name)
    await new Promise<void>((resolve, reject) => ends.set(name, error => (error ? reject(error) : resolve())))
    done.push(`${name} ended`)
  }
  const life = lifetime({ start: step('start'), announce: step('announce'), stop: step('stop') })
  /** Ends a step, and lets what follows it begin. */
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)!(error)
    await new Promise(setImmediate)
  }
  return { ...life, done, end }
}

describe('a lifetime', () => {
  it('starts, announces, and stops when it is told', async () => {
    const { running, stop, end, done, isStopping } = steps()
    await end('start')
    await end('announce')
    await running
    assert.equal(isStopping(), false)
    const stopped = stop()
    assert.equal(isStopping(), true)
    await new Promise(setImmediate)
    await end('stop')
    await stopped
    assert.deepEqual(done, ['start', 'start ended', 'announce', 'announce ended', 'stop', 'stop ended'])
  })

  it('announces nothing that is told to stop while it starts', async () => {
    const { running, stop, end, done } = steps()
    const stopped = stop()
    await end('start')
    await running
    await end('stop')
    await stopped
    assert.deepEqual(done, ['start', 'start ended', 'stop', 'stop ended'])
  })

  it('stops after the announcement that is under way, and once', async () => {
    const { running, stop, end, done } = steps()
    await end('start')
    const stopped = Promise.all([stop(), stop()])
    await end('announce')
    await running
    await end('stop')
    await stopped
    assert.deepEqual(done, ['start', 'start ended', 'announce', 'announce ended', 'stop', 'stop ended'])
  })

  it('stops what cannot be announced', async () => {
    const { running, end, done } = steps()
    const failed = assert.rejects(running, /no such folder/)
    await end('start')
    await end('announce', new Error('no such folder'))
    await end('stop')
    await failed
    assert.deepEqual(done, ['start', 'start ended', 'announce', 'stop', 'stop ended'])
  })

  it('reports a start that failed, and stops what may have begun only if it is told', async () => {
    const { running, stop, end, done } = steps()
    const failed = assert.rejects(running, /port is taken/)
    await end('start', new Error('port is taken'))
    await failed
    assert.deepEqual(done, ['start'])
    const stopped = stop()
    await new Promise(setImmediate)
    await end('stop')
    await stopped
    assert.deepEqual(done, ['start', 'stop', 'stop ended'])
  })
})
