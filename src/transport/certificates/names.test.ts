import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emailParts, isDomain, uriDomain, uriHost } from './names.js'

describe('names in certificates', () => {
  it('are domains of labels that are not empty, of visible characters', () => {
    for (const text of ['', 'a', 'a.b', '*.a', '_x.a-b', '~!.a']) assert.equal(isDomain(text), true, text)
    for (const text of ['.', 'a.', '.a', 'a..b', 'a b', 'é', 'a\x7f', '\x1fa', ' a']) assert.equal(isDomain(text), false, text)
  })

  for (const [text, local, domain] of [
    ['a@b', 'a', 'b'],
    ['a.b@c.d', 'a.b', 'c.d'],
    ["!#$%&'*+-/=?^_`{|}~@a", "!#$%&'*+-/=?^_`{|}~", 'a'],
    ['a\\@b@c', 'a@b', 'c'],
    ['"a b"@c', 'a b', 'c'],
    ['"a\\"b"@c', 'a"b', 'c'],
    ['"."@c', '.', 'c'],
    ['""@c', '', 'c'],
    ['a@', 'a', '']
  ] as const)
    it(`are mailboxes: ${text}`, () => assert.deepEqual(emailParts(text), { local, domain }))

  for (const text of [
    '',
    'a',
    '@b',
    '.a@b',
    'a.@b',
    'a..b@c',
    'a b@c',
    '"a@b',
    '"a"b@c',
    'a@b..c',
    'a@b@c ',
    'a@.b',
    '"\n"@c',
    '"é"@c'
  ])
    it(`are no mailboxes: ${JSON.stringify(text)}`, () => assert.equal(emailParts(text), undefined))

  for (const [text, host, domain] of [
    ['https://A.b/c', 'A.b', 'a.b'],
    ['https://a.b:8443/', 'a.b:8443', 'a.b'],
    ['spiffe://example.com/x', 'example.com', 'example.com'],
    ['mailto:x', '', undefined],
    ['https://10.0.0.1/', '10.0.0.1', undefined],
    ['https://10.0.0.1:80/', '10.0.0.1:80', undefined],
    ['https://[::1]/', '[::1]', undefined],
    ['https://[::1]:80/', '[::1]:80', undefined],
    ['https://a..b/', undefined, undefined],
    ['https://a./', undefined, undefined],
    ['%zz', undefined, undefined]
  ] as const)
    it(`are URIs with a host, or none: ${text}`, () => {
      assert.equal(uriHost(text), host)
      assert.equal(uriDomain(text), domain)
    })
})
