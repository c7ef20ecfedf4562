/**
 * An upgrade, one server after the other: an older build and this one share an etcd, and read and change what the other one wrote; then
 * this build goes on with the data folder of the older one.
 *
 *     node scripts/compare/upgrade.mjs --older CHECKOUT
 *
 * CHECKOUT is a folder with an older commit, built (npm run build). Build this one, too.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startEtcd } from '../../build/storage/testing/etcd-process.js'
import { parseOptions } from '../shared/options.mjs'

const { values } = parseOptions({ options: { older: { type: 'string' } } })
if (!values.older) throw new Error('--older: the folder of an older commit')
const serverOf = async folder =>
  (await import(pathToFileURL(resolve(folder, 'build/testkit/e2e/server-process.js')))).startServerProcess
/** Ended whatever happens. */
const running = []
const tracked =
  start =>
  async (...given) => {
    const server = await start(...given)
    running.push(server)
    return server
  }
const builds = { older: tracked(await serverOf(values.older)), newer: tracked(await serverOf('.')) }
const directory = mkdtempSync(join(tmpdir(), 'compare-upgrade-'))
let checks = 0

const namespace = '/api/v1/namespaces/default'
const kinds = {
  configmaps: { path: `${namespace}/configmaps`, object: name => ({ metadata: { name }, data: { a: 'b', __proto__x: 'ü' } }) },
  secrets: { path: `${namespace}/secrets`, object: name => ({ metadata: { name }, data: { a: 'AAEC/w==' } }) },
  services: { path: `${namespace}/services`, object: name => ({ metadata: { name }, spec: { ports: [{ port: 80 }] } }) },
  events: {
    path: `${namespace}/events`,
    object: name => ({ metadata: { name }, involvedObject: { namespace: 'default' }, reason: 'x' })
  },
  deployments: {
    path: '/apis/apps/v1/namespaces/default/deployments',
    object: name => ({
      metadata: { name },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
      }
    })
  },
  courses: {
    path: '/apis/example.com/v1/namespaces/default/courses',
    object: name => ({ apiVersion: 'example.com/v1', kind: 'Course', metadata: { name }, spec: { seats: 3 } })
  }
}
const definition = {
  metadata: { name: 'courses.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'courses', kind: 'Course' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { seats: { type: 'integer' } } } }
          }
        }
      }
    ]
  }
}

async function ok(server, method, path, body) {
  const answer = await server.request(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.body?.message}`)
  checks++
  return answer.body
}

async function served(server) {
  for (let i = 0; i < 200; i++) {
    const { body } = await server.request('GET', '/apis')
    if (body.groups.some(({ name }) => name === 'example.com')) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the custom resource is not served')
}

async function write(server, name) {
  for (const { path, object } of Object.values(kinds)) await ok(server, 'POST', path, object(name))
}

/** Both servers show the same objects. */
async function same(one, other) {
  for (const { path } of Object.values(kinds)) {
    const [a, b] = [await ok(one, 'GET', path), await ok(other, 'GET', path)]
    assert.deepEqual(a.items, b.items, path)
    assert.ok(a.items.length > 0, path)
  }
}

/** `server` changes and deletes what another one wrote. */
async function change(server, name, gone) {
  for (const { path } of Object.values(kinds)) {
    const old = await ok(server, 'GET', `${path}/${name}`)
    await ok(server, 'PUT', `${path}/${name}`, { ...old, metadata: { ...old.metadata, labels: { changed: 'yes' } } })
    await ok(server, 'DELETE', `${path}/${gone}`)
  }
}

const etcd = await startEtcd()
try {
  const flags = [`--etcd-servers=${etcd.url}`]
  let older = await builds.older(join(directory, 'older'), flags)
  const newer = await builds.newer(join(directory, 'newer'), flags)
  await ok(older, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await served(older)
  await served(newer)
  const seen = []
  const watching = newer.watch(
    `${kinds.configmaps.path}?watch=1&fieldSelector=metadata.name=older-1`,
    event => seen.push(event.type) < 3
  )
  for (const i of [1, 2]) {
    await write(older, `older-${i}`)
    await write(newer, `newer-${i}`)
  }
  await same(older, newer)
  await change(newer, 'older-1', 'older-2')
  await change(older, 'newer-1', 'newer-2')
  await ok(older, 'DELETE', `${kinds.configmaps.path}/older-1`)
  await watching
  assert.deepEqual(seen, ['ADDED', 'MODIFIED', 'DELETED'])
  await same(older, newer)
  await older.kill('SIGTERM')
  older = await builds.newer(join(directory, 'older'), flags)
  await same(older, newer)
  await older.kill('SIGTERM')
  await newer.kill('SIGTERM')
  console.log('one etcd: ok')

  const folder = join(directory, 'folder')
  const first = await builds.older(folder)
  await ok(first, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await served(first)
  for (const i of [1, 2]) await write(first, `older-${i}`)
  const before = {}
  for (const { path } of Object.values(kinds)) before[path] = (await ok(first, 'GET', path)).items
  await first.kill('SIGTERM')
  const second = await builds.newer(folder)
  for (const { path } of Object.values(kinds)) assert.deepEqual((await ok(second, 'GET', path)).items, before[path], path)
  await change(second, 'older-1', 'older-2')
  await second.kill('SIGTERM')
  console.log('one data folder: ok')
  console.log(`${checks} requests, all as they should be`)
} finally {
  for (const server of running) await server.kill('SIGKILL')
  await etcd.remove()
  rmSync(directory, { recursive: true, force: true })
}
