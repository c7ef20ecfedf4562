import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { it } from 'node:test'
import { freshDirectory } from '../storage/testing/fresh-directory.js'
import { silentLogger } from '../util/logger.js'
import { createServer } from './server.js'

const ask = (socketPath: string, path: string, method = 'GET', body = '') =>
  new Promise<[number, string]>((resolve, reject) => {
    const request = http.request({ socketPath, path, method }, async response => {
      resolve([response.statusCode!, Buffer.concat(await response.toArray()).toString()])
    })
    request.on('error', reject)
    request.end(body)
  })

it('the debug socket has profiles and verbosity for its owner, and nothing of the API', async t => {
  const path = join(await freshDirectory(t), 'debug.sock')
  writeFileSync(path, 'left by a server that was killed')
  const levels: number[] = []
  const log = { ...silentLogger, setVerbosity: (level: number) => void levels.push(level) }
  const server = createServer({ log, debugSocketPath: path })
  t.after(() => server.stop())
  await server.start()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.match((await ask(path, '/debug/pprof/'))[1], /Types of profiles available/)
  assert.equal((await ask(path, '/debug/pprof/cmdline'))[0], 200)
  assert.equal((await ask(path, '/debug/flags/v', 'PUT', '4'))[0], 200)
  assert.deepEqual(levels, [4])
  for (const other of ['/api/v1/secrets', '/apis', '/healthz', '/metrics']) assert.equal((await ask(path, other))[0], 404, other)
  await server.stop()
  await assert.rejects(ask(path, '/debug/pprof/'))
})
