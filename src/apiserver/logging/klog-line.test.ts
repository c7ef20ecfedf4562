import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { klogLine } from './klog-line.js'

const time = new Date(2026, 10, 2, 3, 4, 5, 6)
const head = `I1102 03:04:05.006000 ${String(process.pid).padStart(7)} binnacle] `

describe("a line in klog's format", () => {
  it('begins with severity, time, process and source', () => {
    assert.equal(klogLine('I', time, 'Serving securely', undefined), `${head}Serving securely\n`)
    assert.equal(klogLine('E', time, 'x', undefined)[0], 'E')
  })

  it('has its fields after the quoted message', () => {
    const fields = { verb: 'GET', code: 200, none: undefined, hijacked: true, groups: ['a'], err: new Error('no "such" thing') }
    assert.equal(
      klogLine('I', time, 'HTTP', fields),
      `${head}"HTTP" verb="GET" code=200 hijacked=true groups=["a"] err="no \\"such\\" thing"\n`
    )
  })

  it('cannot be forged by what a client has sent', () => {
    const forged = 'GET /x\u001b[2J\r\nI1102 03:04:05.006000 1 binnacle] all is well'
    const fields = { URI: forged }
    for (const line of [klogLine('I', time, forged, undefined), klogLine('I', time, 'HTTP', fields)])
      assert.match(line, /^[\x20-\x7e]*\n$/)
  })

  it('keeps the lines of a stack', () => {
    assert.equal(klogLine('E', time, 'Error: a\n    at b', undefined).split('\n').length, 3)
  })
})
