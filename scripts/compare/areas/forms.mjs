/** Answers of every resource and subresource as Table, PartialObjectMetadata and lists of it, to reads and writes. */
import { sample } from '../samples.mjs'

const accepts = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].flatMap(as =>
  ['v1', 'v1beta1'].flatMap(v => ['json', 'yaml'].map(type => `application/${type};as=${as};v=${v};g=meta.k8s.io`))
)
const queries = ['', '', '', 'includeObject=Object', 'includeObject=None', 'includeObject=Other']

export async function area({ random, cluster, send }) {
  // component statuses come in any order, and it is a controller that looks whether an APIService is available
  const resources = cluster.resources.filter(r => !['componentstatuses', 'apiservices'].includes(r.resource))
  const made = resources.filter(r => r.verbs.includes('get') && r.verbs.includes('create'))
  for (const resource of made) await send({ path: cluster.pathOf(resource), body: sample(resource) })
  const known = resource => sample(resource).metadata.name.replace('$ID', '$RUN')
  const query = (...parts) => [random.pick(queries), ...parts].filter(part => part !== '').join('&')
  function request() {
    const resource = random.pick(resources)
    const subresource = random.chance(0.4) && resource.subresources.length > 0 ? random.pick(resource.subresources) : undefined
    const { verbs } = subresource ?? resource
    const verb = random.pick(verbs.filter(v => !['watch', 'deletecollection'].includes(v)))
    const path = cluster.pathOf(resource, subresource || !['list', 'create'].includes(verb) ? known(resource) : undefined)
    const full = subresource ? `${path}/${subresource.name}` : path
    const headers = { accept: random.pick(accepts) }
    if (verb === 'get') return { path: `${full}?${query()}`, headers }
    // others' objects in the cluster do not matter
    const own = resource.namespaced ? '' : `fieldSelector=metadata.name%3D${known(resource)}`
    if (verb === 'list') return { path: `${full}?${query(own)}`, headers }
    if (verb === 'create')
      return { method: 'POST', path: `${full}?${query('dryRun=All')}`, headers, body: subresource ? {} : sample(resource) }
    if (verb === 'delete') return { method: 'DELETE', path: `${full}?${query('dryRun=All')}`, headers }
    const body = { metadata: { labels: { changed: 'yes' } } }
    const type = { 'content-type': 'application/merge-patch+json' }
    return { method: 'PATCH', path: `${full}?${query('dryRun=All')}`, headers: { ...headers, ...type }, body }
  }
  const streams = ['proxy', 'exec', 'attach', 'portforward', 'log']
  return {
    eachResource: true,
    cleanup: made.filter(r => !r.namespaced).map(r => ({ method: 'DELETE', path: cluster.pathOf(r, known(r)) })),
    generate() {
      for (;;) {
        const asked = request()
        if (!streams.some(name => asked.path.includes(`/${name}?`))) return { requests: [asked] }
      }
    }
  }
}
