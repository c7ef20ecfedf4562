import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapedPath, formatUrl, hostname, parseRequestUri, parseUrl, port, query } from './go-url.js'

for (const [text, host, name, portNumber, path] of [
  ['https://u:p@example.com:8443/a/b?x=1#f', 'example.com:8443', 'example.com', '8443', '/a/b'],
  ['https://[::1]:80/a%20b', '[::1]:80', '::1', '80', '/a%20b'],
  ['http://h/a b"<>', 'h', 'h', '', '/a%20b%22%3C%3E'],
  ['/only/a/path', '', '', '', '/only/a/path']
] as const)
  test(`splits ${text} into its parts`, () => {
    const url = parseUrl(text)
    assert.deepEqual([url.host, hostname(url), port(url), escapedPath(url)], [host, name, portNumber, path])
  })

for (const [text, message] of [
  ['', 'parse "": empty url'],
  ['x', 'parse "x": invalid URI for request'],
  [':x', 'parse ":x": missing protocol scheme'],
  ['http://a:b/', 'parse "http://a:b/": invalid port ":b" after host'],
  ['http://a b/', 'parse "http://a b/": invalid character " " in host name'],
  ['http://x/%zz', 'parse "http://x/%zz": invalid URL escape "%zz"'],
  ['http://[zz]/', 'parse "http://[zz]/": invalid host: ParseAddr("zz"): unable to parse IP'],
  ['http://h/\n', 'parse "http://h/\\n": net/url: invalid control character in URL']
] as const)
  test(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseRequestUri(text), { message }))

test('reads a query as a form', () => {
  const values = query(parseUrl('http://h/?k=%20+v&k=2&e&bad=%zz&a;b'))
  assert.deepEqual(
    [...values],
    [
      ['k', ['  v', '2']],
      ['e', ['']]
    ]
  )
})

test('writes a URL unchanged', () => {
  for (const text of ['https://u:p@h:1/a?b#c', 'mailto:a@b', 'http://h', '/a?']) assert.equal(formatUrl(parseUrl(text)), text)
})
