/** Connects through a SOCKS 5 proxy (RFC 1928, and RFC 1929 for user and password). */
import net, { isIP, type Socket } from 'node:net'

const replies = new Map([
  [1, 'general failure'],
  [2, 'not allowed'],
  [3, 'network unreachable'],
  [4, 'host unreachable'],
  [5, 'connection refused'],
  [6, 'TTL expired'],
  [7, 'command not supported'],
  [8, 'address type not supported']
])

/** Resolves with a socket that leads to `host`, whose name the proxy looks up. */
export async function connectBySocks(proxy: URL, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const socket = net.connect({ host: proxy.hostname.replace(/^\[|\]$/g, ''), port: Number(proxy.port || 1080), signal })
  try {
    const read = reader(socket)
    const [user, password] = [decodeURIComponent(proxy.username), decodeURIComponent(proxy.password)]
    const method = user === '' ? 0 : 2
    socket.write(Buffer.from([5, 1, method]))
    const chosen = await read(2)
    if (chosen[0] !== 5 || chosen[1] !== method) throw new Error('the SOCKS proxy refuses the way of authentication')
    if (method === 2) {
      const [name, secret] = [Buffer.from(user).subarray(0, 255), Buffer.from(password).subarray(0, 255)]
      socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([secret.length]), secret]))
      if ((await read(2))[1] !== 0) throw new Error('the SOCKS proxy refuses the user or password')
    }
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressOf(host), Buffer.from([port >> 8, port & 255])]))
    const reply = await read(4)
    if (reply[1] !== 0) throw new Error(`the SOCKS proxy cannot connect: ${replies.get(reply[1]!) ?? `reply ${reply[1]}`}`)
    const rest = reply[3] === 1 ? 4 : reply[3] === 4 ? 16 : (await read(1))[0]!
    await read(rest + 2)
    socket.removeAllListeners('error')
    return socket
  } catch (error) {
    socket.on('error', () => {})
    socket.destroy()
    throw error
  }
}

function addressOf(host: string): Buffer {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split('.').map(Number)])
  const name = Buffer.from(host)
  if (name.length > 255) throw new Error('the name of the host is too long for SOCKS')
  return Buffer.concat([Buffer.from([3, name.length]), name])
}

/** Returns what reads exactly so many bytes, and leaves those that follow in the socket. */
function reader(socket: Socket): (bytes: number) => Promise<Buffer> {
  return bytes =>
    new Promise((resolve, reject) => {
      const done = (error?: Error) => {
        socket.off('readable', look).off('error', done).off('close', ended)
        if (error) reject(error)
      }
      const ended = () => done(new Error('the SOCKS proxy closed the connection'))
      const look = () => {
        const found = socket.read(bytes) as Buffer | null
        if (!found) return
        done()
        resolve(found)
      }
      socket.on('readable', look).on('error', done).on('close', ended)
      look()
    })
}
