import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually, unchanging } from './eventually.js'

describe('what a test waits for', () => {
  it('is asked for until it is as wanted', async () => {
    let asked = 0
    assert.equal(
      await eventually(
        'three are there',
        () => ++asked,
        count => count === 3
      ),
      3
    )
    assert.equal(asked, 3)
  })

  it('is named, with what was seen last, when it does not come', async () => {
    const pods = { items: [{ metadata: { name: 'p' } }] }
    await assert.rejects(
      eventually(
        'two Pods are there',
        async () => pods,
        ({ items }) => items.length === 2,
        80
      ),
      ({ message }: Error) => {
        assert.match(message, /^expected within 80 ms: two Pods are there\nthat is: \(\{ items \}\) => items\.length === 2\n/)
        assert.match(message, /last seen: \{\s+items: \[ \{ metadata: \{ name: 'p' \} \} \]\s+\}$/)
        return true
      }
    )
    await assert.rejects(
      eventually('it is there', () => 0, undefined, 1),
      /it is there\nthat is: \(\) => 0\nlast seen: 0$/
    )
  })

  it('is not asked for again when asking fails', async () => {
    let asked = 0
    const fails = () => {
      asked++
      throw new Error('gone')
    }
    await assert.rejects(eventually('it is there', fails), { message: 'gone' })
    assert.equal(asked, 1)
  })

  it('may be that a value stays as it is', async () => {
    let left = 3
    assert.equal(await unchanging('the number', () => (left > 0 ? --left : 0), 1), 0)
    let value = 0
    await assert.rejects(
      unchanging('the number', () => ++value, 1, 20),
      /the number stays the same for 1 ms\nlast seen: \d+$/
    )
  })
})
