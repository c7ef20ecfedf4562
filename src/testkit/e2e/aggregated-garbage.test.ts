/** Garbage collection across this server and an extension API server that can be watched. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { type BinnacleServer, createServer } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { eventually } from '../eventually.js'
import { answerJson, type ExtensionServer, startExtensionServer } from '../extension-server.js'

const group = 'wardle.example.com'
const gv = `${group}/v1alpha1`
const root = `/apis/${gv}`
const user = { name: 'admin', groups: ['system:masters'] }

interface Flunder {
  metadata: { name: string; namespace: string; uid: string; resourceVersion?: string; ownerReferences?: object[] | null }
}

/** Keeps Flunders in memory, and serves lists and watches of all. */
class Flunders {
  readonly objects = new Map<string, Flunder>()
  readonly #watchers = new Set<ServerResponse>()
  #version = 0

  get watchers(): number {
    return this.#watchers.size
  }

  put({ metadata }: Flunder): void {
    const type = this.objects.has(metadata.name) ? 'MODIFIED' : 'ADDED'
    const object = { metadata: { ...metadata, resourceVersion: `${++this.#version}` } }
    this.objects.set(metadata.name, object)
    this.#tell(type, object)
  }

  remove(name: string): void {
    const object = this.objects.get(name)
    if (this.objects.delete(name))
      this.#tell('DELETED', { metadata: { ...object!.metadata, resourceVersion: `${++this.#version}` } })
  }

  #tell(type: string, object: Flunder): void {
    for (const response of this.#watchers) response.write(`${JSON.stringify({ type, object })}\n`)
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, 'https://x')
    const verbs = ['delete', 'get', 'list', 'patch', 'watch']
    const flunders = { name: 'flunders', singularName: 'flunder', namespaced: true, kind: 'Flunder', verbs }
    if (url.pathname === root)
      return answerJson(response, { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: gv, resources: [flunders] })
    if (url.pathname === `${root}/flunders`) {
      if (!url.searchParams.has('watch')) {
        const metadata = { resourceVersion: `${this.#version}` }
        return answerJson(response, { metadata, items: [...this.objects.values()] })
      }
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
      this.#watchers.add(response)
      return void response.once('close', () => this.#watchers.delete(response))
    }
    const name = url.pathname.split('/').at(-1)!
    const object = url.pathname.startsWith(`${root}/namespaces/`) ? this.objects.get(name) : undefined
    if (!object) return answerJson(response, { kind: 'Status', code: 404 }, 404)
    if (request.method === 'DELETE') this.remove(name)
    if (request.method !== 'PATCH') return answerJson(response, object)
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      this.put({ metadata: { ...object.metadata, ...JSON.parse(text).metadata } })
      answerJson(response, this.objects.get(name))
    })
  }
}

const configMaps = '/api/v1/namespaces/default/configmaps'

describe('the garbage collector, and an extension API server', { timeout: 50_000 }, () => {
  const flunders = new Flunders()
  let extension: ExtensionServer
  let server: BinnacleServer

  before(async () => {
    extension = await startExtensionServer((request, response) => flunders.handle(request, response))
    server = createServer({ log: silentLogger, resolveService: { 'wardle/api': extension.address } })
    await server.start()
    const service = { namespace: 'wardle', name: 'api', port: 443 }
    const spec = { group, version: 'v1alpha1', groupPriorityMinimum: 2000, versionPriority: 15, service }
    const body = { metadata: { name: `v1alpha1.${group}` }, spec: { ...spec, caBundle: extension.caBundle } }
    await server.inject({ url: '/apis/apiregistration.k8s.io/v1/apiservices', body, user })
    await eventually(
      'the garbage collector watches Flunders',
      () => flunders.watchers,
      count => count === 1
    )
  })
  after(async () => {
    await server.stop()
    await extension.close()
  })

  const configMap = async (name: string, ownerReferences: object[] = []) => {
    const { json } = await server.inject({ url: configMaps, body: { metadata: { name, ownerReferences } }, user })
    return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: json().metadata.uid as string }
  }
  const remove = (name: string, propagationPolicy: string) =>
    server.inject({ method: 'DELETE', url: `${configMaps}/${name}`, body: { propagationPolicy }, user })
  const isThere = async (name: string) => (await server.inject({ url: `${configMaps}/${name}`, user })).status === 200
  const flunder = (name: string, ownerReferences: object[] = []) => {
    const uid = `uid-of-${name}`
    flunders.put({ metadata: { name, namespace: 'default', uid, ownerReferences } })
    return { apiVersion: gv, kind: 'Flunder', name, uid }
  }

  it('deletes an object there as soon as its owner here is gone', async () => {
    const owner = await configMap('owner')
    flunder('owned', [owner])
    flunder('chained', [flunder('second', [owner])])
    await remove('owner', 'Background')
    await eventually(
      'all Flunders are collected',
      () => flunders.objects,
      ({ size }) => size === 0
    )
    flunder('late', [owner])
    await eventually(
      'all Flunders are collected',
      () => flunders.objects,
      ({ size }) => size === 0
    )
  })

  it('deletes an object here as soon as its owner there is gone', async () => {
    await configMap('of-flunder', [flunder('owning')])
    flunders.remove('owning')
    await eventually(
      'of-flunder is gone',
      () => isThere('of-flunder'),
      found => !found
    )
  })

  it('deletes an owner here after the objects there that block it', async () => {
    const owner = await configMap('foreground')
    flunder('blocking', [{ ...owner, blockOwnerDeletion: true }])
    // the watch has told of all before what comes after it
    await configMap('mark', [flunder('mark')])
    flunders.remove('mark')
    await eventually(
      'mark is gone',
      () => isThere('mark'),
      found => !found
    )
    await remove('foreground', 'Foreground')
    await eventually('the Flunder that blocks is gone', () => !flunders.objects.has('blocking'))
    await eventually(
      'foreground is gone',
      () => isThere('foreground'),
      found => !found
    )
  })

  it('leaves objects there behind when their owner here does', async () => {
    const owner = await configMap('leaving')
    const other = await configMap('other')
    flunder('left', [owner, other])
    flunder('last', [owner])
    await configMap('mark', [flunder('mark')])
    flunders.remove('mark')
    await eventually(
      'mark is gone',
      () => isThere('mark'),
      found => !found
    )
    await remove('leaving', 'Orphan')
    await eventually(
      'leaving is gone',
      () => isThere('leaving'),
      found => !found
    )
    assert.equal(flunders.objects.get('last')!.metadata.ownerReferences, null)
    assert.equal(flunders.objects.get('left')?.metadata.ownerReferences?.length ?? 1, 1)
    flunders.remove('last')
  })
})
