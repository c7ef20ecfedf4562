import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailableError } from '../storage/contract.js'
import { fileError, UserError } from '../util/user-error.js'
import { errorLine } from './error-line.js'

const listenError = (code: string) =>
  Object.assign(new Error(code), { code, syscall: 'listen', address: '127.0.0.1', port: 6443 })

describe('errors on the command line', () => {
  for (const [what, error, line] of [
    ['a mistake of the user', new UserError('x is wrong'), 'x is wrong'],
    ['several lines as one', new UserError('x\n  y'), 'x y'],
    ['a locked store', new StoreUnavailableError('in use by process 7'), 'in use by process 7'],
    [
      'a taken port',
      listenError('EADDRINUSE'),
      '--secure-port 6443: the port is taken on 127.0.0.1; choose another, or 0 for any free one'
    ],
    ['a privileged port', listenError('EACCES'), '--secure-port 6443: permission denied; choose a port from 1024 on'],
    ['a foreign address', listenError('EADDRNOTAVAIL'), '--bind-address 127.0.0.1: this machine has no such address'],
    ['a missing file', fileError('--x f', Object.assign(new Error(), { code: 'ENOENT' })), '--x f: no such file or directory']
  ] as const) {
    it(`shows ${what}`, () => assert.equal(errorLine(error), line))
  }

  it('does not hide bugs', () => {
    assert.equal(errorLine(new TypeError('x is not a function')), undefined)
    assert.equal(errorLine('thrown text'), undefined)
  })
})
