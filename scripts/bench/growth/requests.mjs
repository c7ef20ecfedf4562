/** The requests whose cost should not depend on how many objects there are. */
import https from 'node:https'
import { Random } from '../../shared/random.mjs'
import { timed } from '../client.mjs'
import { configMap, counts, nameOf, namespace, shard } from './objects.mjs'

export async function measureReads(client, set) {
  const random = new Random(7)
  const namespaces = JSON.parse(await client.must('GET', '/api/v1/namespaces')).items.filter(({ metadata }) =>
    metadata.name.startsWith('growth-')
  ).length
  const podPath = (number, pod) => `/api/v1/namespaces/${namespace(number)}/pods/${nameOf.pod(pod)}`
  const anyPod = () => podPath(random.below(namespaces), random.below(counts.pods))
  const few = Array.from({ length: 100 }, anyPod)
  await client.measure(2000, 4, i => client.must('GET', few[i % few.length]))
  set('get of one in 100 Pods', timed(await client.measure(4000, 4, i => client.must('GET', few[i % few.length]))))
  set('get of any Pod', timed(await client.measure(4000, 4, () => client.must('GET', anyPod()))))

  const pages = [JSON.parse(await client.must('GET', '/api/v1/pods?limit=500'))]
  const total = pages[0].items.length + (pages[0].metadata.remainingItemCount ?? 0)
  const pageAfter = token => `/api/v1/pods?limit=500&continue=${encodeURIComponent(token)}`
  const began = performance.now()
  const middle = () => pages.length * 500 >= total / 2
  while (pages.at(-1).metadata.continue && !middle()) {
    const page = JSON.parse(await client.must('GET', pageAfter(pages.at(-1).metadata.continue)))
    pages.push({ items: [], metadata: page.metadata })
  }
  set('pages of 500 Pods up to the middle', `${pages.length} in ${Math.round(performance.now() - began)} ms`)
  const token = pages.at(-1).metadata.continue
  set('first page of 500 Pods', timed(await client.measure(50, 1, () => client.must('GET', '/api/v1/pods?limit=500'))))
  const inTheMiddle = token ? timed(await client.measure(50, 1, () => client.must('GET', pageAfter(token)))) : 'there is one page'
  set('page in the middle', inTheMiddle)

  const byLabel = i => client.must('GET', `/api/v1/configmaps?labelSelector=shard%3D${shard(i)}`)
  set('first list by a label', timed(await client.measure(1, 1, byLabel)))
  set('list by a label of one in 900 ConfigMaps', timed(await client.measure(50, 1, byLabel)))
  const everything = () => drained(client, '/api/v1/configmaps')
  set('list of all ConfigMaps, first', timed(await client.measure(1, 1, everything)))
  set('list of all ConfigMaps', timed(await client.measure(3, 1, everything)))

  const { resourceVersion } = pages[0].metadata
  const watch = async () => {
    const agent = new https.Agent({ rejectUnauthorized: false })
    const response = await client.open('GET', `/api/v1/pods?watch=true&resourceVersion=${resourceVersion}`, undefined, { agent })
    response.destroy()
    response.once('error', () => {})
  }
  set('watch from now, with its connection', timed(await client.measure(50, 1, watch)))
}

export async function measureWrites(client, set) {
  const random = new Random(8)
  const create = i => client.must('POST', `/api/v1/namespaces/${namespace(i % 2)}/configmaps`, configMap(random, i, 'created'))
  set('create, 16 at a time', timed(await client.measure(2000, 16, create)))
}

async function drained(client, path) {
  const response = await client.open('GET', path)
  for await (const _ of response);
}

/** Lists of everything whose clients read a little and then nothing. */
export async function measureSlowReaders(client, readers, set) {
  const before = client.memory()
  const agent = new https.Agent({ rejectUnauthorized: false, maxSockets: readers })
  const opened = await Promise.all(
    Array.from({ length: readers }, async () => {
      const response = await client.open('GET', '/api/v1/configmaps', undefined, { agent })
      await new Promise(resolve => response.once('data', resolve))
      response.pause()
      return response
    })
  )
  await new Promise(resolve => setTimeout(resolve, 2000))
  const during = client.memory()
  for (const response of opened) {
    response.once('error', () => {})
    response.destroy()
  }
  agent.destroy()
  const grown = ((during.anonymous - before.anonymous) / 1e6).toFixed(1)
  const length = Number(opened[0].headers['content-length'] ?? 0)
  set(`${readers} slow readers of all ConfigMaps: growth`, `${grown} MB (each reads ${(length / 1e6).toFixed(1)} MB)`)
}
