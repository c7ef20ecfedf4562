import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { progressDisplay } from './progress.js'

function shown(
  isTTY: boolean,
  isWanted: boolean | undefined,
  states: readonly (readonly [ms: number, done: number, of: number])[]
) {
  let time = 0
  let text = ''
  const output = { isTTY, write: (more: string) => (text += more) }
  const display = progressDisplay({ output, isWanted, now: () => time })
  const tell = display.step('Reading', 'keys')
  for (const [ms, done, of] of states) {
    time = ms
    tell(done, of)
  }
  display.end()
  return text
}

describe('progress', () => {
  it('is one line on a terminal, with an estimate after two seconds', () => {
    const text = shown(true, undefined, [
      [0, 0, 400],
      [100, 10, 400],
      [1000, 50, 400],
      [10_000, 100, 400],
      [20_000, 400, 400]
    ])
    assert.deepEqual(text.split('\r\x1b[K'), [
      '',
      'Reading: 0 % (0 of 400 keys)',
      'Reading: 12 % (50 of 400 keys)',
      'Reading: 25 % (100 of 400 keys), 30 s left',
      'Reading: 100 % (400 of 400 keys)\n'
    ])
  })

  it('is a line every five seconds elsewhere, where it is wanted', () => {
    const states = [
      [0, 1, 3600],
      [4000, 2, 3600],
      [10_000, 10, 3600],
      [11_000, 20, 3600]
    ] as const
    assert.equal(shown(false, undefined, states), '')
    assert.equal(shown(false, true, states), 'Reading: 0 % (10 of 3600 keys), 60 min left\n')
    assert.equal(shown(true, false, states), '')
  })

  it('counts bytes, too', () => {
    let text = ''
    const display = progressDisplay({ output: { isTTY: true, write: more => (text += more) }, isWanted: undefined, now: () => 0 })
    display.step('Copying the store', 'bytes')(1_500_000, 3_000_000)
    assert.equal(text, '\r\x1b[KCopying the store: 50 % (1.5 of 3.0 MB)')
  })
})
