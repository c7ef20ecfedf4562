/** Answers over HTTP/1.1 leave together at the end of a turn of the event loop. */
import assert from 'node:assert/strict'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import type { Answer, Handler } from '../../../apimachinery/request/message.js'
import { connectionLimits } from '../connection-limits.js'
import { Connections } from '../connections.js'
import { createHttp1Server } from './server.js'

test('requests that come in one turn are all handled before the first answer is written', async () => {
  const steps: string[] = []
  const answer = (): Answer => ({ status: 200, headers: {}, body: Buffer.from('ok'), takeWithin: 60_000, ended() {} })
  const handler: Handler = async ({ url }) => {
    steps.push(`handle ${url}`)
    return answer()
  }
  const server = createHttp1Server(handler, new Connections(connectionLimits), connectionLimits)
  const clients = ['/a', '/b'].map(path => connection(server.accept, path, steps))
  await Promise.all(clients)
  assert.deepEqual(steps, ['handle /a', 'handle /b', 'write /a', 'write /b'])
  server.close()
})

/** Sends a request over a connection of its own. Resolves when the answer has come. */
const connection = (accept: (socket: never) => void, path: string, steps: string[]): Promise<void> =>
  new Promise(resolve => {
    const socket = new Duplex({
      read() {},
      writev(_, done) {
        steps.push(`write ${path}`)
        done()
        resolve()
      }
    })
    accept(socket as never)
    socket.push(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  })
