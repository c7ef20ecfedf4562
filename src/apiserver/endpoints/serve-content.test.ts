import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestContext } from '../../apimachinery/request/context.js'
import { serveContent } from './serve-content.js'

const modified = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const date = 'Fri, 02 Jan 2026 03:04:05 GMT'
const earlier = 'Friday, 02-Jan-26 03:04:04 GMT'

function answer(headers: Record<string, string>, method = 'GET', etag: string | undefined = '"a"') {
  const context = new RequestContext({ method, url: '/', headers } as never, 0, 'id')
  const own = { 'content-type': 'text/x', 'cache-control': 'public', vary: 'Accept', ...(etag && { etag }) }
  return serveContent(context, { body: Buffer.from('0123456789'), modified, headers: own })
}

const seen = (headers: Record<string, string>, method?: string) => {
  const { status, body } = answer(headers, method)
  return [status, body ? String(body) : '']
}

test('a content is sent with its date, whole or in part', () => {
  assert.deepEqual(answer({}).headers, {
    'content-type': 'text/x',
    'cache-control': 'public',
    vary: 'Accept',
    etag: '"a"',
    'last-modified': date,
    'accept-ranges': 'bytes'
  })
  const part = answer({ range: 'bytes=2-4' })
  assert.deepEqual([part.status, String(part.body), part.headers['content-range']], [206, '234', 'bytes 2-4/10'])
  for (const [range, expected] of [
    ['bytes=7-', '789'],
    ['bytes=-3', '789'],
    ['bytes=-30', '0123456789'],
    ['bytes= 8 - 99 , ', '89'],
    ['bytes=20-, 1-1', '1']
  ])
    assert.deepEqual(seen({ range: range! }), [206, expected], range)
  // more than there is
  assert.deepEqual(seen({ range: 'bytes=0-8,0-8' }), [200, '0123456789'])
  for (const range of ['lines=1-2', 'bytes=1', 'bytes=-', 'bytes=3-2', 'bytes=a-'])
    assert.deepEqual(seen({ range }), [416, 'invalid range\n'], range)
  const beyond = answer({ range: 'bytes=10-' })
  assert.deepEqual([beyond.status, String(beyond.body)], [416, 'invalid range: failed to overlap\n'])
  assert.deepEqual(beyond.headers, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-range': 'bytes */10',
    vary: 'Accept'
  })
})

test('too many parts are the whole content', () => {
  const parts = (length: number) => ({ range: `bytes=${Array.from({ length }, () => '-0').join()}` })
  assert.equal(seen(parts(1000))[0], 206)
  assert.deepEqual(seen(parts(1001)), [200, '0123456789'])
})

test('several parts come in one body', () => {
  const { status, headers, body } = answer({ range: 'bytes=0-1,8-9' })
  const boundary = /^multipart\/byteranges; boundary=(\w{60})$/.exec(String(headers['content-type']))?.[1]
  assert.equal(status, 206)
  assert.equal(
    String(body),
    `--${boundary}\r\nContent-Range: bytes 0-1/10\r\nContent-Type: text/x\r\n\r\n01\r\n` +
      `--${boundary}\r\nContent-Range: bytes 8-9/10\r\nContent-Type: text/x\r\n\r\n89\r\n--${boundary}--\r\n`
  )
})

test('conditions go by ETag before dates', () => {
  for (const tag of ['"a"', 'W/"a"', '"b", "a"', '*', ', "b",W/"a"'])
    assert.deepEqual(seen({ 'if-none-match': tag })[0], 304, tag)
  for (const tag of ['"b"', 'a', '"b" x "a"'])
    assert.equal(seen({ 'if-none-match': tag, 'if-modified-since': date })[0], 200, tag)
  assert.equal(seen({ 'if-none-match': '"a"' }, 'PUT')[0], 412)
  for (const [tag, status] of [
    ['"a"', 200],
    ['*', 200],
    ['W/"a"', 412],
    ['"b"', 412]
  ] as const)
    assert.equal(seen({ 'if-match': tag })[0], status, tag)
  assert.equal(seen({ 'if-modified-since': date })[0], 304)
  assert.equal(seen({ 'if-modified-since': earlier })[0], 200)
  assert.equal(seen({ 'if-modified-since': 'Fri Jan  2 03:04:05 2026' })[0], 304)
  assert.equal(seen({ 'if-modified-since': 'soon' })[0], 200)
  assert.equal(seen({ 'if-unmodified-since': date })[0], 200)
  assert.equal(seen({ 'if-unmodified-since': earlier })[0], 412)
  assert.deepEqual(Object.keys(answer({ 'if-none-match': '*' }).headers).sort(), ['cache-control', 'etag', 'vary'])
  assert.equal(answer({ 'if-none-match': '*' }, 'GET', '').headers['last-modified'], date)
})

test('a part is sent only of the content that the client holds parts of', () => {
  const range = 'bytes=0-0'
  for (const held of ['"a"', date]) assert.equal(seen({ range, 'if-range': held })[0], 206, held)
  for (const held of ['"b"', 'W/"a"', earlier, 'x']) assert.equal(seen({ range, 'if-range': held })[0], 200, held)
})
