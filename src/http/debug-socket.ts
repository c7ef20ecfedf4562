import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import type { Handler } from '../chain/handler.js'
import type { Part } from '../util/part.js'
import { UserError } from '../util/user-error.js'
import { connectionLimits } from './connection-limits.js'
import { Connections } from './connections.js'
import { createHttp1Server } from './http1/server.js'

/**
 * Serves over a Unix socket without TLS (--debug-socket-path). The handler authenticates nobody: only the user who runs the server may
 * connect. A file that is at the path is removed first, as kube-apiserver does.
 */
export function debugSocket(path: string, handler: Handler): Part {
  const connections = new Connections(connectionLimits)
  const http1 = createHttp1Server(handler, connections, connectionLimits)
  let server: Server | undefined
  return {
    name: 'debug socket',
    async start() {
      try {
        rmSync(path, { force: true })
        server = createServer(socket => {
          connections.add(socket)
          http1.accept(socket)
        })
        const listening = server
        await new Promise<void>((resolve, reject) => {
          listening.once('error', reject)
          listening.listen(path, resolve)
        })
        chmodSync(path, 0o600)
      } catch (error) {
        throw new UserError(`--debug-socket-path ${path}: ${(error as Error).message}`, { cause: error })
      }
    },
    stop() {
      http1.close()
      server?.close()
      connections.closeAll()
    }
  }
}
