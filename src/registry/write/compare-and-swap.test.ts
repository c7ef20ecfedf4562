import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareAndSwap } from './compare-and-swap.js'
import type { Operation } from './operation.js'

function operationOn(revisions: number[], aborted: () => Error | undefined = () => undefined): Operation {
  const get = () => ({ revision: revisions.shift() })
  const throwIfAborted = () => {
    const reason = aborted()
    if (reason) throw reason
  }
  return { namespace: 'default', resource: { get }, origin: { throwIfAborted } } as unknown as Operation
}

describe('compare and swap', () => {
  it('tries again with the present object after every lost race', async () => {
    const seen: (number | undefined)[] = []
    const revisions = Array.from({ length: 200 }, (_, i) => i)
    const result = await compareAndSwap(operationOn([...revisions]), 'a', async current => {
      seen.push(current?.revision)
      return current?.revision === 199 ? 'done' : undefined
    })
    assert.equal(result, 'done')
    assert.deepEqual(seen, revisions)
  })

  it('ends with the request', async () => {
    let tries = 0
    const gone = new Error('gone')
    const operation = operationOn([], () => (tries === 3 ? gone : undefined))
    const endless = compareAndSwap(operation, 'a', async () => {
      tries++
      return undefined
    })
    await assert.rejects(endless, gone)
    assert.equal(tries, 3)
  })
})
