/** A Unix socket for libraries that dial by themselves: it passes each connection on to where an egress selection leads. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertUnixSockets } from '../../util/platform.js'
import type { Connect } from './egress-selector.js'

export interface Relay {
  /** The path of the socket, to which only the present user can connect. */
  readonly path: string
  close(): Promise<void>
}

export async function openRelay(connect: Connect, host: string, port: number): Promise<Relay> {
  assertUnixSockets('gRPC through an egress selection')
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-egress-'))
  await chmod(directory, 0o700)
  const path = join(directory, 'relay.sock')
  const open = new Set<net.Socket>()
  const server = net.createServer(client => {
    open.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => open.delete(client))
    connect(host, port).then(
      socket => {
        socket.on('error', () => socket.destroy())
        socket.once('close', () => client.destroy())
        if (client.destroyed) return void socket.destroy()
        client.once('close', () => socket.destroy())
        client.pipe(socket).pipe(client)
      },
      () => client.destroy()
    )
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(path, resolve))
  return {
    path,
    close: async () => {
      server.close()
      for (const client of open) client.destroy()
      await rm(directory, { recursive: true, force: true })
    }
  }
}
