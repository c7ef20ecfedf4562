import assert from 'node:assert/strict'
import net from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { type BinnacleServer, type ClusterClient, createServer, type KubeClient, StatusError, until } from '../../index.js'
import { silentLogger } from '../../util/logger.js'
import { connect } from '../connect/connect.js'
import { attach, exec } from './exec.js'
import { logs } from './logs.js'
import { connectToPort, portForward } from './port-forward.js'

// tests wait for streams, which hold no process
const alive = setInterval(() => {}, 1000)
test.after(() => clearInterval(alive))

let server: BinnacleServer
let remote: ClusterClient
const clients = new Map<string, KubeClient>()

before(async () => {
  server = createServer({ storageBackend: 'memory', securePort: 0, simulate: { nodes: 1 }, log: silentLogger })
  await server.start()
  remote = await connect({ kubeconfig: server.kubeconfig() })
  clients.set('in process', server.client()).set('over the network', remote)
  const annotations = { 'simulate.binnacle.dev/logs': 'one\ntwo' }
  const containers = [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }]
  const pod = await server
    .client()
    .of('v1', 'Pod')
    .create({ metadata: { name: 'web', annotations }, spec: { containers } })
  await until(server.client(), pod, { condition: 'Ready' }, { timeout: 60_000 })
})
test.after(async () => {
  await remote.close()
  await server.stop()
})

for (const way of ['in process', 'over the network'])
  describe(`the streams of a client ${way}`, () => {
    test('logs come line by line', async () => {
      const client = clients.get(way)!
      const lines: string[] = []
      for await (const line of logs(client, 'web')) lines.push(line)
      assert.deepEqual(lines, ['one', 'two'])
      for await (const line of logs(
        client,
        { metadata: { name: 'web', namespace: 'default' } },
        { tailLines: 1, timestamps: true }
      ))
        assert.match(line, /^\d{4}-.*Z two$/)
      const ended = new AbortController()
      for await (const line of logs(client, 'web', { follow: true, signal: ended.signal })) if (line === 'two') ended.abort()
      await assert.rejects(logs(client, 'none').next(), (error: any) => error instanceof StatusError && error.code === 404)
    })

    test('exec takes stdin, returns both outputs and the exit code', async () => {
      const client = clients.get(way)!
      const long = 'x'.repeat(300_000)
      assert.deepEqual(await exec(client, 'web', { command: ['cat'], stdin: long }), { exitCode: 0, stdout: long, stderr: '' })
      const stdout = new PassThrough()
      const shown = text(stdout)
      const { stdout: kept } = await exec(client, 'web', { command: ['cat'], stdin: Readable.from(['a', 'b']), stdout })
      stdout.end()
      assert.deepEqual([await shown, kept], ['ab', ''])
      const failed = await exec(client, 'web', { command: ['no-such-program'], container: 'web' })
      assert.equal(failed.exitCode, 127)
      assert.match(failed.stderr, /executable file not found/)
    })

    test('exec rejects for what the server refuses', async () => {
      const client = clients.get(way)!
      await assert.rejects(
        exec(client, 'none', { command: ['ls'] }),
        (error: any) => error instanceof StatusError && error.code === 404
      )
      await assert.rejects(exec(client, 'web', { command: [] }), /exec needs a command/)
      await assert.rejects(
        exec(client, 'web', { command: ['ls'], container: 'other' }),
        /container other is not valid for pod web/
      )
    })

    test('attach goes on until it is aborted', async () => {
      const ended = new AbortController()
      const stdout = new PassThrough()
      stdout.once('data', () => ended.abort(new Error('enough')))
      const attached = attach(clients.get(way)!, 'web', { stdout, signal: ended.signal })
      setTimeout(() => ended.abort(new Error('enough')), 100)
      await assert.rejects(attached, /enough/)
    })

    test('ports of a Pod are reached through a local one', async () => {
      const client = clients.get(way)!
      await using forward = await portForward(client, 'web', 80)
      const ask = async () => {
        const socket = net.connect(forward.port, '127.0.0.1')
        socket.write('GET / HTTP/1.1\r\nHost: web\r\nConnection: close\r\n\r\n')
        return text(socket)
      }
      for (const answer of await Promise.all([ask(), ask(), ask()])) assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
      const stream = await connectToPort(client, 'web', 80)
      stream.end('GET / HTTP/1.1\r\nHost: web\r\nConnection: close\r\n\r\n')
      assert.match(await text(stream), /simulated/)
    })

    test('a port on which nothing listens ends the connection, and says why', async () => {
      const errors: Error[] = []
      await using forward = await portForward(clients.get(way)!, 'web', 81, { onError: error => errors.push(error) })
      const socket = net.connect(forward.port, '127.0.0.1').on('error', () => {})
      await new Promise(resolve => socket.resume().once('close', resolve))
      assert.match(errors[0]?.message ?? '', /81/)
      await assert.rejects(portForward(clients.get(way)!, 'none', 80), (error: any) => error.code === 404)
    })
  })
