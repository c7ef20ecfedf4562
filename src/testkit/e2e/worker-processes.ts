/** A server of several processes, and connections to each of them. */
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as elapsed } from 'node:timers/promises'
import { type ServerProcess, startServerProcess } from './server-process.js'

export const timeout = 120_000
export const configMaps = '/api/v1/namespaces/default/configmaps'

/** One connection to a server, and so to one of its processes. */
export interface Connection {
  readonly name: string
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Begins a request whose body has still to come. Resolves, when the server waits for the body, with what sends it. */
  begin(method: string, path: string, body: unknown): Promise<() => Promise<Answer>>
  /** Resolves when the watch has begun. */
  watch(path: string): Promise<IncomingMessage>
  close(): void
}

interface Answer {
  readonly status: number
  readonly body: any
}

let connections = 0

export function connect({ url, credentials }: ServerProcess): Connection {
  const name = `connection-${++connections}.`
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ...credentials })
  const open = (method: string, path: string, data?: string, headers?: Record<string, string>) =>
    https.request(url + path, {
      method,
      agent,
      headers: {
        'user-agent': name,
        ...(data && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) }),
        ...headers
      }
    })
  return {
    name,
    request(method, path, body, headers) {
      const data = body === undefined ? undefined : JSON.stringify(body)
      const request = open(method, path, data, headers)
      request.end(data)
      return answerTo(request)
    },
    async begin(method, path, body) {
      const data = JSON.stringify(body)
      const request = open(method, path, data, { expect: '100-continue' })
      request.flushHeaders()
      await once(request, 'continue')
      return () => {
        request.end(data)
        return answerTo(request)
      }
    },
    async watch(path) {
      const request = open('GET', `${path}?watch=1`)
      request.end()
      const [answer] = await once(request, 'response')
      return answer
    },
    close: () => agent.destroy()
  }
}

async function answerTo(request: ClientRequest): Promise<Answer> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  for await (const piece of answer) text += piece
  const isJson = answer.headers['content-type']?.startsWith('application/json')
  return { status: answer.statusCode!, body: isJson ? JSON.parse(text) : text }
}

/** Reads a watch until it shows an object of this name. Returns the names that it has shown. */
export async function namesUntil(watch: IncomingMessage, last: string): Promise<string[]> {
  let text = ''
  for await (const piece of watch) {
    text += piece
    const lines = text.split('\n').slice(0, -1)
    const names = lines.map(line => JSON.parse(line).object.metadata.name)
    if (names.includes(last)) return names
  }
  throw new Error(`the watch ended after ${text}`)
}

/** The number of the worker that has answered a connection's requests; 0 for the first process. */
export async function processOf(server: ServerProcess, { name }: Connection): Promise<number> {
  for (;;) {
    const line = server
      .log()
      .split('\n')
      .find(one => one.includes('"HTTP"') && one.includes(name))
    if (line) return Number(/ worker:(\d+)\] /.exec(line)?.[1] ?? 0)
    await elapsed(5)
  }
}

/** Opens connections until so many processes have one each. */
export async function connectToEach(t: TestContext, server: ServerProcess, processes: number): Promise<Map<number, Connection>> {
  const found = new Map<number, Connection>()
  t.after(() => [...found.values()].forEach(one => void one.close()))
  while (found.size < processes) {
    const several = Array.from({ length: processes }, () => connect(server))
    await Promise.all(several.map(one => one.request('GET', '/version')))
    for (const one of several) {
      const process = await processOf(server, one)
      if (found.has(process)) one.close()
      else found.set(process, one)
    }
  }
  return found
}

export async function start(
  t: TestContext,
  flags: readonly string[] = []
): Promise<{ server: ServerProcess; directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-workers-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const server = await startServerProcess(directory, ['--workers=3', '--v=3', ...flags])
  t.after(() => server.kill('SIGKILL'))
  return { server, directory }
}

export const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

export const configMap = (name: string, value: string) => ({ metadata: { name }, data: { value } })
