import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib'
import { withLinks } from './html-links.js'

const link = (url: string) => (url.startsWith('/') ? `/proxy${url}` : url)
const rewritten = async (html: string, pieceLength = 7) => {
  const bytes = Buffer.from(html)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceLength) pieces.push(bytes.subarray(at, at + pieceLength))
  return String(await buffer(withLinks(Readable.from(pieces), '', link)))
}

// as golang.org/x/net/html v0.49.0 writes them
const cases: readonly (readonly [given: string, expected: string])[] = [
  ['<a href="/x">text</a>', '<a href="/proxy/x">text</a>'],
  ['<A HREF=\'/x?a=1&amp;b="2"\'>', '<a href="/proxy/x?a=1&amp;b=&#34;2&#34;">'],
  ['<img src=/x/><br/><p a=/>', '<img src="/proxy/x/"><br/><p a="/">'],
  ['<img src=/x />', '<img src="/proxy/x"/>'],
  ['<a name=/x href=y>ä &copy; < 1 <3</a>', '<a name="/x" href="y">ä &copy; < 1 <3</a>'],
  ['<!-- <a href="/x"> --><a href=/y>', '<!-- <a href="/x"> --><a href="/proxy/y">'],
  ['<!doctype html><?x <b>></ href=/x><a href=/y>', '<!doctype html><?x <b>></ href=/x><a href="/proxy/y">'],
  ['<title><a href=/x></TITLE ><a href=/y>', '<title><a href=/x></TITLE ><a href="/proxy/y">'],
  [
    '<script src=/s>"<a href=/x>"<!--<script></script>--></script><a href=/y>',
    '<script src="/proxy/s">"<a href=/x>"<!--<script></script>--></script><a href="/proxy/y">'
  ],
  [
    '<input disabled value="a b" formaction=/f disabled=no>',
    '<input disabled="" value="a b" formaction="/proxy/f" disabled="no">'
  ],
  ['<div><a href=/x', '<div>'],
  ['<plaintext><a href=/x>', '<plaintext><a href=/x>']
]

describe('links in HTML', () => {
  for (const [given, expected] of cases) it(`are rewritten: ${given}`, async () => assert.equal(await rewritten(given), expected))

  it('are found wherever a piece ends', async () => {
    const [given, expected] = [
      cases
        .slice(0, 9)
        .map(([g]) => g)
        .join('\n'),
      cases
        .slice(0, 9)
        .map(([, e]) => e)
        .join('\n')
    ]
    for (const length of [1, 2, 3, 1000]) assert.equal(await rewritten(given, length), expected)
  })

  it('are found in compressed documents', async () => {
    const [html, expected] = ['<a href=/x>', '<a href="/proxy/x">']
    const through = async (bytes: Buffer, coding: string) => buffer(withLinks(Readable.from([bytes]), coding, link))
    assert.equal(String(gunzipSync(await through(gzipSync(html), 'gzip'))), expected)
    assert.equal(String(inflateRawSync(await through(deflateRawSync(html), 'deflate'))), expected)
    assert.equal(String(await through(Buffer.from(html), 'br')), html)
  })

  it('of a tag without an end cost no more than their length', async () => {
    const html = `<a href="${'x'.repeat(2_000_000)}`
    assert.equal(await rewritten(html, 65_536), html)
  })

  it('behind an end tag without an end are not looked for', async () => {
    const html = `</a ${'x'.repeat(2_000_000)}><a href=/x>`
    assert.equal(await rewritten(html, 65_536), html)
  })
})
