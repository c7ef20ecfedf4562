import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { loadTokenFile, parseTokenFile } from './token-file.js'

const userOf = (text: string, token: string): unknown => {
  const found = parseTokenFile('tokens.csv', text).authenticateToken(token)
  return found instanceof Promise ? assert.fail('static tokens are known at once') : found?.user
}

describe('static token file', () => {
  for (const [what, text, user] of [
    ['a user without groups', 't,alice,u1', { name: 'alice', uid: 'u1', groups: [] }],
    ['one group', 't,alice,u1,dev\n', { name: 'alice', uid: 'u1', groups: ['dev'] }],
    ['several groups in quotes', 't,alice,u1,"dev,ops"\r\n', { name: 'alice', uid: 'u1', groups: ['dev', 'ops'] }],
    ['an empty uid and an empty group column', 't,alice,,', { name: 'alice', uid: '', groups: [] }],
    ['quotes inside quotes', 't,"al""ice",u1', { name: 'al"ice', uid: 'u1', groups: [] }],
    ['more columns than needed', 't,alice,u1,dev,x,y', { name: 'alice', uid: 'u1', groups: ['dev'] }],
    ['empty lines', '\n\nt,alice,u1\n\n', { name: 'alice', uid: 'u1', groups: [] }],
    ['the last of two lines with the same token', 't,bob,u2\nt,alice,u1', { name: 'alice', uid: 'u1', groups: [] }],
    ['a byte order mark', '\ufefft,alice,u1', { name: 'alice', uid: 'u1', groups: [] }],
    ['a name like a property of all objects', 't,__proto__,u1', { name: '__proto__', uid: 'u1', groups: [] }]
  ] as const) {
    it(`reads ${what}`, () => assert.deepEqual(userOf(text, 't'), user))
  }

  it('refuses all other tokens, and the empty one', () => {
    const text = 't,alice,u1\n,nobody,u0\n'
    for (const token of ['', 'T', 't ', 'alice', '__proto__']) assert.equal(userOf(text, token), undefined)
  })

  for (const [what, text, message] of [
    [
      'a line with too few columns',
      'a,b,c\n\nt,alice\n',
      /^--token-auth-file tokens\.csv, line 3: must have at least 3 columns .* found 2$/
    ],
    ['the first line with too few columns', 't,alice', /, line 1: must have at least 3 columns .* found 2$/],
    ['a line that ends with its comma', 'a,b,c\nt,\n', /, line 2: must have at least 3 columns .* found 2$/],
    ['a last line that ends with its comma', 't,', /, line 1: must have at least 3 columns .* found 2$/],
    ['the line after a quoted line break', 'a,"b\nc",d\nt\n', /, line 3: must have at least 3 columns/],
    ['an open quote', 'a,b,c\nt,"alice,u1\n', /, line 2: a quote stands in the wrong place or is not closed$/],
    ['a quote inside a plain column', 't,al"ice,u1', /, line 1: a quote stands in the wrong place/],
    ['text after a quoted column', 't,"alice"x,u1', /, line 1: a quote stands in the wrong place/]
  ] as const) {
    it(`names file and line of ${what}`, () => {
      assert.throws(
        () => parseTokenFile('tokens.csv', text),
        (error: Error) => error instanceof UserError && message.test(error.message)
      )
    })
  }

  it('names a missing file', () =>
    assert.rejects(loadTokenFile('/nowhere/tokens.csv'), {
      name: 'UserError',
      message: '--token-auth-file /nowhere/tokens.csv: no such file or directory'
    }))
})
