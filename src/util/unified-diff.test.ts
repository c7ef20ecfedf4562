import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unifiedDiff } from './unified-diff.js'

const numbered = (n: number) => Array.from({ length: n }, (_, i) => `line ${i + 1}`)

describe('a unified diff', () => {
  it('is empty for equal texts', () => {
    assert.equal(unifiedDiff(numbered(9), numbered(9)), '')
  })

  it('shows three lines around each change, and groups adjacent changes', () => {
    const now = numbered(30)
    now[9] = 'ten'
    now.splice(14, 1)
    now[27] = 'twenty-nine'
    assert.equal(
      unifiedDiff(numbered(30), now),
      [
        '@@ -7,12 +7,11 @@',
        ' line 7',
        ' line 8',
        ' line 9',
        '-line 10',
        '+ten',
        ' line 11',
        ' line 12',
        ' line 13',
        ' line 14',
        '-line 15',
        ' line 16',
        ' line 17',
        ' line 18',
        '@@ -26,5 +25,5 @@',
        ' line 26',
        ' line 27',
        ' line 28',
        '-line 29',
        '+twenty-nine',
        ' line 30',
        ''
      ].join('\n')
    )
  })

  it('matches the popular lines of a long text only next to other matches, or at its ends', () => {
    const long = numbered(210).map((line, i) => (i % 10 === 0 ? '}' : line))
    const diff = unifiedDiff(['}', 'a', '}'], long)
    assert.ok(diff.startsWith('@@ -1,3 +1,210 @@\n }\n-a\n-}\n+line 2\n'))
  })
})
