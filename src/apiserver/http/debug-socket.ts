import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import type { Handler } from '../../apimachinery/request/message.js'
import type { Part } from '../../util/part.js'
import { assertUnixSockets } from '../../util/platform.js'
import { UserError } from '../../util/user-error.js'
import { connectionLimits } from './connection-limits.js'
import { Connections } from './connections.js'
import { createHttp1Server } from './http1/server.js'

/**
 * Serves over a Unix socket without TLS (--debug-socket-path). The handler authenticates nobody: only the user who runs the server may
 * connect. A file that is at the path is replaced, as by kube-apiserver.
 */
export function debugSocket(path: string, handler: Handler): Part {
  const connections = new Connections(connectionLimits)
  const http1 = createHttp1Server(handler, connections, connectionLimits)
  let server: Server | undefined
  return {
    name: 'debug socket',
    async start() {
      assertUnixSockets('--debug-socket-path')
      try {
        server = createServer(socket => {
          connections.add(socket)
          http1.accept(socket)
        })
        await listenAlone(server, path)
      } catch (error) {
        server?.close()
        throw new UserError(`--debug-socket-path ${path}: ${(error as Error).message}`, { cause: error })
      }
    },
    stop() {
      http1.close()
      server?.close()
      connections.closeAll()
      if (server) rmSync(path, { force: true })
    }
  }
}

/** The socket begins its life with the mode that the umask allows, so that it begins in a folder that nobody else may enter. */
async function listenAlone(server: Server, path: string): Promise<void> {
  const folder = mkdtempSync(join(dirname(path), '.'))
  const hidden = join(folder, 's')
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(hidden, resolve)
    })
    chmodSync(hidden, 0o600)
    renameSync(hidden, path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
