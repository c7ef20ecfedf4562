/** Runs a server as a separate process, with the admin's credentials. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import { main } from '../command.js'

export interface ServerProcess {
  readonly child: ChildProcess
  readonly url: string
  /** What it has written to its log so far. */
  log(): string
  /** Its processes beside the first one. */
  workers(): number[]
  /** How the admin connects. */
  readonly credentials: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer }
  /** Sends a request as the admin. The body of the answer is parsed when it is JSON, and text otherwise. Rejects when the connection breaks, or when no answer has come in time. */
  request(method: string, path: string, body?: unknown, limits?: RequestLimits): Promise<{ status: number; body: any }>
  /** Opens a watch as the admin. Calls `onEvent` until it returns false or the watch ends; resolves then. */
  watch(path: string, onEvent: (event: any) => boolean, limits?: RequestLimits): Promise<void>
  /** Sends a signal, and resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
}

export interface RequestLimits {
  /** For ever by default. For a watch, the time without any event. */
  readonly timeoutMs?: number
  /** application/json by default. */
  readonly contentType?: string
}

/** Returns the processes that a process has started and that have not ended. */
export function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
  return stdout.split('\n').filter(Boolean).map(Number)
}

export async function startServerProcess(dataDir: string, flags: readonly string[] = []): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, 'serve', '--secure-port=0', `--data-dir=${dataDir}`, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let text = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      text += data
      const found = /Kubernetes API at (https:\S+)/.exec(text)
      if (found) resolve(found[1]!)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', code => reject(new Error(`the server ended with ${code}: ${text}`)))
  })
  const kubeconfig = readFileSync(`${dataDir}/kubeconfig`, 'utf8')
  const decode = (field: string) => Buffer.from(new RegExp(`${field}: (\\S+)`).exec(kubeconfig)![1]!, 'base64')
  const credentials = {
    ca: decode('certificate-authority-data'),
    cert: decode('client-certificate-data'),
    key: decode('client-key-data')
  }
  const agent = new https.Agent({ keepAlive: true, ...credentials })
  return {
    child,
    url,
    credentials,
    log: () => text,
    workers: () => childrenOf(child.pid!),
    request: (method, path, body, { timeoutMs, contentType = 'application/json' } = {}) =>
      new Promise((resolve, reject) => {
        const data = body === undefined ? undefined : JSON.stringify(body)
        const request = https.request(
          url + path,
          {
            method,
            agent,
            ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
            headers: data ? { 'content-type': contentType, 'content-length': Buffer.byteLength(data) } : {}
          },
          response => {
            const chunks: Buffer[] = []
            response.on('data', chunk => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () => {
              try {
                const text = Buffer.concat(chunks).toString()
                const isJson = response.headers['content-type']?.startsWith('application/json')
                resolve({ status: response.statusCode!, body: isJson ? JSON.parse(text) : text })
              } catch (error) {
                reject(error)
              }
            })
          }
        )
        request.on('error', reject)
        request.end(data)
      }),
    watch: (path, onEvent, { timeoutMs = 2 ** 31 - 1 } = {}) =>
      new Promise((resolve, reject) => {
        const request = https.get(url + path, { agent }, response => {
          let text = ''
          response.on('data', data => {
            text += data
            const lines = text.split('\n')
            text = lines.pop()!
            try {
              for (const line of lines) if (line && !onEvent(JSON.parse(line))) return void request.destroy()
            } catch (error) {
              reject(error)
              request.destroy()
            }
          })
          response.on('close', resolve)
          response.on('error', () => {})
        })
        request.setTimeout(timeoutMs, () => void request.destroy())
        request.on('error', () => resolve())
        request.on('close', () => resolve())
      }),
    async kill(signal) {
      const ended =
        child.exitCode !== null || child.signalCode !== null ? undefined : new Promise(resolve => child.once('exit', resolve))
      child.kill(signal)
      await ended
      agent.destroy()
    }
  }
}
