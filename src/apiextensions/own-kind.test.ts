/** Kinds that are written in TypeScript. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createServer, defineKind } from '../index.js'
import { silentLogger } from '../util/logger.js'

const user = { name: 'tester', groups: ['system:masters'] }
const schema = {
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } } }
}

test('the example runs and prints what its comments say', () => {
  const example = fileURLToPath(new URL('../../examples/typed-kind.mjs', import.meta.url))
  const { stdout, stderr, status } = spawnSync(process.execPath, [example], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^201 .*"code":"ALG".*large hall/m)
  assert.match(stdout, /^422 .*must not be before the start/m)
  assert.match(stdout, /^422 .*a course keeps its code/m)
})

test('a kind in several versions is discovered, and its functions see objects in the version of the request', async t => {
  const seen: string[] = []
  const kind = defineKind({
    group: 'own.example.com',
    kind: 'Thing',
    resource: 'things',
    namespaced: false,
    versions: [
      { name: 'v1', schema },
      { name: 'v1beta1', schema, deprecated: true }
    ],
    validate: (object: any) => void seen.push(object.apiVersion)
  })
  const server = createServer({ log: silentLogger, kinds: [kind] })
  await server.start()
  t.after(() => server.stop())
  const group = (await server.inject({ url: '/apis/own.example.com', user })).json()
  assert.deepEqual(
    group.versions.map((v: any) => v.version),
    ['v1', 'v1beta1']
  )
  const body = { apiVersion: 'own.example.com/v1beta1', kind: 'Thing', metadata: { name: 'a' }, spec: { n: 1 } }
  const made = await server.inject({ url: '/apis/own.example.com/v1beta1/things', user, body })
  assert.equal(made.status, 201)
  assert.deepEqual(seen, ['own.example.com/v1beta1'])
  assert.deepEqual((await server.inject({ url: '/apis/own.example.com/v1/things/a', user })).json().spec, { n: 1 })
})

test('a wrong declaration is an error at the start', async () => {
  const kind = defineKind({
    group: 'nodots',
    kind: 'Bad',
    resource: 'bads',
    versions: [{ name: 'v1', schema: { openAPIV3Schema: {} } }]
  })
  await assert.rejects(createServer({ log: silentLogger, kinds: [kind] }).start(), (error: Error) => {
    assert.match(error.message, /the kind Bad of group nodots cannot be served/)
    assert.match(error.message, /should be a domain with at least one dot/)
    return true
  })
})
