/** A server that nobody stops must not keep a test runner from ending. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { freshDirectory } from '../storage/testing/fresh-directory.js'
import { testing } from './command.js'

/** The program of a test runner that calls no hook after its tests. */
const program = (options: string, work: string) => `
  import https from 'node:https'
  import { useServer } from ${JSON.stringify(pathToFileURL(testing).href)}
  const first = []
  const hooks = { beforeAll: hook => first.push(hook), beforeEach: hook => first.push(hook), afterAll() {}, afterEach() {} }
  const server = useServer(${options}, hooks)
  for (const hook of first) await hook()
  const keepAlive = new https.Agent({ keepAlive: true })
  const ask = ({ url, caCertificate: ca }) =>
    new Promise(resolve => https.get(url + '/version', { ca, agent: keepAlive }, response => response.resume().on('end', resolve)))
  ${work}
  console.log('forgotten')
`

/** Resolves with what the program prints, when it has ended by itself. */
async function outputOf(text: string, environment: Record<string, string> = {}): Promise<string> {
  const args = ['--input-type=module', '--eval', text]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: 60_000,
    env: { ...process.env, ...environment }
  })
  return stdout.trim()
}

describe('a process ends although nobody stopped', () => {
  for (const [what, options, work] of [
    ['a server without a port', '{}', ''],
    ['a server with a port', '{ listen: true }', 'await ask(server)'],
    ['the server that all tests share', "{ listen: true, isolate: 'none' }", 'await ask(server)'],
    [
      'a server that was set back',
      "{ listen: true, isolate: 'restore' }",
      'for (const hook of first.slice(1)) await hook(); await ask(server)'
    ],
    ['forks and hosted servers', '{ listen: true }', "await ask(await server.fork()); await ask(await server.host('a'))"],
    [
      'watches and informers',
      '{}',
      "server.client().of('v1', 'Namespace').watch().next(); await server.client().of('v1', 'Namespace').informer().synced"
    ]
  ] as const)
    test(what, async () => assert.equal(await outputOf(program(options, work)), 'forgotten'))
})

test('a process leaves no folder of the forks and snapshots that it forgot', async t => {
  const directory = await freshDirectory(t)
  const dataDir = JSON.stringify(join(directory, 'data'))
  const work = `
    const { readdirSync } = await import('node:fs')
    await server.snapshot()
    const snapshot = await server.snapshot()
    const fork = await snapshot.fork()
    await fork.stop()
    await snapshot.fork()
    console.log(readdirSync(${JSON.stringify(directory)}).filter(name => name.startsWith('binnacle-fork-')).length)`
  assert.equal(
    await outputOf(program(`{ dataDir: ${dataDir}, isolate: 'none' }`, work), { TMPDIR: directory, TEMP: directory }),
    '3\nforgotten'
  )
  assert.deepEqual(await readdir(directory), ['data'])
})
