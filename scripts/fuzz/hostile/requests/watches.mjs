/** Watches of one client: many with selectors and filters that cost much, and clients that read nothing. */
import http2 from 'node:http2'
import { sleep } from './target.mjs'

const maps = '/api/v1/namespaces/default/configmaps'
const text = (length, what = 'a') => what.repeat(length)
const many = (count, make) => Array.from({ length: count }, (_, i) => make(i)).join()
const object = (name, more = {}) => ({ metadata: { name, labels: { a: `v${name}` } }, data: { text: text(2000, 'x'), ...more } })

export async function prepare(target) {
  for (let i = 0; i < 2000; i++) await target.send('POST', maps, object(`m${i}`))
  for (let i = 0; i < 3000; i++) await target.send('POST', '/api/v1/namespaces/kube-public/configmaps', object(`n${i}`))
}

const request = (method, path) => ({ ':method': method, ':path': path })

/** Opens watches over connections of 100 each; those of a slow reader take nothing after their headers. */
async function watching(target, count, parameters, { path = maps, reads = true } = {}) {
  const sessions = []
  const seen = { opened: 0, bytes: 0, ended: 0, statuses: new Set() }
  for (let i = 0; i < count; i++) {
    if (i % 100 === 0) sessions.push(target.http2())
    const stream = sessions.at(-1).request(request('GET', `${path}?${new URLSearchParams({ watch: '1', ...parameters(i) })}`))
    stream.on('error', () => {})
    stream.on('close', () => seen.ended++)
    if (reads) stream.on('data', part => (seen.bytes += part.length))
    else stream.pause()
    await new Promise(resolve => {
      stream.on('response', headers => {
        seen.opened++
        seen.statuses.add(headers[http2.constants.HTTP2_HEADER_STATUS])
        resolve()
      })
      stream.on('close', resolve)
    })
  }
  seen.close = () => {
    for (const session of sessions) session.destroy()
  }
  seen.toString = () =>
    `${[...seen.statuses]}: ${seen.opened} opened, ${seen.ended} ended, ${(seen.bytes / 1e6).toFixed(1)} MB read`
  return seen
}

/** Connections that stood idle while watches were opened may have been closed by the server. */
const sending = (target, ...request) => target.send(...request).catch(() => target.send(...request))

async function writing(target, count, bytes, prefix) {
  const start = performance.now()
  let longest = 0
  for (let i = 0; i < count; i++) {
    const before = performance.now()
    await sending(target, 'POST', maps, object(`${prefix}-${i}`, { more: text(bytes) }))
    longest = Math.max(longest, performance.now() - before)
  }
  for (let i = 0; i < count; i++) await sending(target, 'DELETE', `${maps}/${prefix}-${i}`)
  return `writes ${(performance.now() - start).toFixed()} ms, the longest ${longest.toFixed()} ms`
}

/** Watches, then writes while they are open: what is measured is both. */
const watchesAndWrites =
  (prefix, count, parameters, options = {}, writes = 100, bytes = 500_000) =>
  async target => {
    const before = performance.now()
    const seen = await watching(target, count, parameters, options)
    const opening = (performance.now() - before).toFixed()
    const written = await writing(target, writes, bytes, prefix)
    await sleep(500)
    const answer = `opening ${opening} ms; ${written}; ${seen}`
    seen.close()
    return answer
  }
const latest = {
  resourceVersion: '',
  sendInitialEvents: 'false',
  allowWatchBookmarks: 'true',
  resourceVersionMatch: 'NotOlderThan'
}

export const probes = {
  '1,000 with label selectors of 15 kB': watchesAndWrites('labels', 1000, i => ({
    ...latest,
    labelSelector: `z${i}!=v,${many(1400, n => `k${n}!=v`)}`
  })),
  '1,000 with one costly filter': watchesAndWrites('filter', 1000, () => ({
    ...latest,
    'binnacle.filter': "object.data.text.split('').all(a, object.data.text.contains(a))"
  })),
  '1,000 with costly filters of their own': watchesAndWrites('filters', 1000, i => ({
    ...latest,
    'binnacle.filter': `[${many(400, n => n)}].all(a, a + ${i} >= 0 && object.data.text != 'y')`
  })),
  '1,000 with long filters': watchesAndWrites(
    'long',
    1000,
    i => ({
      ...latest,
      'binnacle.filter': Array.from({ length: 120 }, (_, n) => `object.data.text != 'y${i}${n}'`).join('||')
    }),
    {},
    20
  ),
  'one that reads nothing of 50 MB': watchesAndWrites('slow', 1, () => latest, { reads: false }),
  '100 that read nothing of 50 MB': watchesAndWrites('slows', 100, () => latest, { reads: false }),
  '1,000 with initial events that are not read': watchesAndWrites(
    'initial',
    1000,
    () => ({ sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' }),
    { path: '/api/v1/configmaps', reads: false },
    10
  ),
  '200 filtered with initial events that are not read': watchesAndWrites(
    'initials',
    200,
    () => ({
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
      'binnacle.filter': "object.data.text != 'y'"
    }),
    { path: '/api/v1/configmaps', reads: false },
    10
  ),
  'a list of 5,000 in an order': async target => {
    const orders = { 'binnacle.orderBy': 'data.text,metadata.labels.a desc,metadata.name' }
    const url = `/api/v1/configmaps?${new URLSearchParams(orders)}`
    const { status, body } = await target.send('GET', url)
    return `${status} ${body.length}: ${body.subarray(0, 110)}`
  },
  '50 lists of 5,000 in an order, a page of 1': async target => {
    const url = `/api/v1/configmaps?${new URLSearchParams({ 'binnacle.orderBy': `metadata.labels.a desc,data.text`, limit: '1' })}`
    const answers = await Promise.all(Array.from({ length: 50 }, () => target.send('GET', url)))
    return `${answers.map(({ status }) => status).join()} ${answers[0].body.subarray(0, 110)}`
  }
}
