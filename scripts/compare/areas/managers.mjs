/** Field managers: names from options and from User-Agents of all sorts, for every way to write, dry or not. */
import { apply, merge, strategic } from '../patch-types.mjs'
import { sample } from '../samples.mjs'

const names = [
  'm',
  '',
  'x'.repeat(128),
  'x'.repeat(129),
  'é',
  'é'.repeat(64),
  'é'.repeat(65),
  'a b',
  'a\tb',
  'a/b',
  '\u200b',
  'a\u0000',
  '😀',
  '"',
  ' '
]
const agents = [
  'kubectl/v1.36.2 (linux/amd64)',
  '/',
  'a/b/c',
  '',
  ' ',
  'a b/c',
  'x'.repeat(128),
  'x'.repeat(129),
  `${'x'.repeat(130)}/1`,
  'caf\u00e9/1',
  'a\tb',
  '\u00e9'.repeat(65),
  '-',
  'a;b'
]

export async function area({ random, cluster }) {
  const kinds = cluster.resources.filter(
    r => r.namespaced && ['configmaps', 'deployments', 'services', 'horizontalpodautoscalers', 'roles'].includes(r.resource)
  )
  return {
    generate() {
      const kind = random.pick(kinds)
      const path = cluster.pathOf(kind, '$ID')
      const options = () => {
        const query = new URLSearchParams()
        if (random.chance(0.6)) query.set('fieldManager', random.pick(names))
        if (random.chance(0.3)) query.set('dryRun', 'All')
        if (random.chance(0.2)) query.set('force', random.pick(['true', 'false']))
        return query.size === 0 ? '' : `?${query}`
      }
      const headers = () => (random.chance(0.6) ? { 'user-agent': random.pick(agents) } : {})
      const body = sample(kind)
      const labels = { metadata: { labels: { [random.pick(['a', 'b'])]: random.pick(['1', '2']) } } }
      const identity = { apiVersion: body.apiVersion, kind: body.kind, metadata: { name: '$ID', ...labels.metadata } }
      const write = () =>
        random.pick([
          { method: 'PATCH', path: path + options(), headers: { ...headers(), 'content-type': merge }, body: labels },
          { method: 'PATCH', path: path + options(), headers: { ...headers(), 'content-type': strategic }, body: labels },
          { method: 'PATCH', path: path + options(), headers: { ...headers(), 'content-type': apply }, body: identity },
          { method: 'PUT', path: path + options(), headers: headers(), body: { ...body, metadata: identity.metadata } }
        ])
      return { requests: [{ path: cluster.pathOf(kind) + options(), headers: headers(), body }, write(), write(), { path }] }
    }
  }
}
