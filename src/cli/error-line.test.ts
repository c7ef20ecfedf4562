import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailableError } from '../storage/contract.js'
import { fileError, UserError } from '../util/user-error.js'
import { errorLine } from './error-line.js'

describe('errors on the command line', () => {
  for (const [what, error, line] of [
    ['a mistake of the user', new UserError('x is wrong'), 'x is wrong'],
    ['several lines as one', new UserError('x\n  y'), 'x y'],
    ['a locked store', new StoreUnavailableError('in use by process 7'), 'in use by process 7'],
    ['a missing file', fileError('--x f', Object.assign(new Error(), { code: 'ENOENT' })), '--x f: no such file or directory']
  ] as const) {
    it(`shows ${what}`, () => assert.equal(errorLine(error), line))
  }

  it('does not hide bugs', () => {
    assert.equal(errorLine(new TypeError('x is not a function')), undefined)
    assert.equal(errorLine('thrown text'), undefined)
  })
})
