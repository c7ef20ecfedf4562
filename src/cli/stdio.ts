/** `binnacle serve --stdio`: the program that started the server talks with it in lines of JSON (docs/other-languages.md). */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { BinnacleServer } from '../server/binnacle-server.js'
import { adminUser } from '../transport/certificates/pki.js'
import { isObject } from '../util/json.js'
import { kubernetesVersion } from '../util/kubernetes-version.js'
import { binnacleVersion } from '../util/own-package.js'

/** A program that asks and never reads its answers would fill the memory. */
const mostRequests = 1000

interface Lines {
  readonly input: Readable
  readonly output: Writable
  /** Called when the input ends, as it does when the program that holds its other end has ended, however. */
  readonly onEnd: () => void
}

/** Writes the first line: what a program needs to know of the server. */
export type Announce = (server: { readonly url: string; readonly kubeconfig: string }) => void

/**
 * Answers each line of the input, a request of a member of system:masters, with a line of the output. Requests are answered when they are
 * done, so in any order: `id` says which. Those that come before the server serves wait for the first line, which the returned function writes.
 */
export function answerLines(server: Pick<BinnacleServer, 'inject'>, { input, output, onEnd }: Lines): Announce {
  let underWay = 0
  let announce: Announce = () => {}
  const announced = new Promise<void>(resolve => {
    announce = ({ url, kubeconfig }) => {
      const ready = { url, kubeconfig, pid: process.pid, binnacle: binnacleVersion(), kubernetes: kubernetesVersion }
      output.write(`${JSON.stringify(ready)}\n`)
      resolve()
    }
  })
  const answer = async (line: string): Promise<void> => {
    const isTooMuch = ++underWay > mostRequests
    await announced
    const request = parse(line)
    const result = isTooMuch ? { error: `more than ${mostRequests} requests under way` } : await ask(request)
    await new Promise(written => output.write(`${JSON.stringify({ id: request.id, ...result })}\n`, written))
  }
  const ask = async (request: Parsed): Promise<object> => {
    if ('error' in request) return { error: request.error }
    try {
      const { path: url, method, headers = {}, body } = request
      const answer = await server.inject({ url, headers, body, user: adminUser, ...(method === undefined ? {} : { method }) })
      return { status: answer.status, ...contentOf(answer) }
    } catch (error) {
      return { error: (error as Error).message }
    }
  }
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', line => {
    if (line.trim() !== '') void answer(line).finally(() => underWay--)
  })
  lines.on('close', onEnd)
  return announce
}

interface Request {
  readonly id?: unknown
  /** Path and query. */
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}
type Parsed = Request | { readonly id: unknown; readonly error: string }

function parse(line: string): Parsed {
  let request: unknown
  try {
    request = JSON.parse(line)
  } catch (error) {
    return { id: null, error: `the line is not JSON: ${(error as Error).message}` }
  }
  if (!isObject(request)) return { id: null, error: 'the line must be a JSON object' }
  const { id = null, path, method, headers = {} } = request
  const refused = (error: string) => ({ id, error })
  if (typeof path !== 'string' || !path.startsWith('/')) return refused('path must be a text that begins with /')
  if (method !== undefined && typeof method !== 'string') return refused('method must be a text, such as GET')
  if (!isObject(headers) || !Object.values(headers).every(value => typeof value === 'string'))
    return refused('headers must be an object of texts')
  return request as unknown as Request
}

/** JSON is part of the line, other content is a text. */
function contentOf({ headers, body }: Awaited<ReturnType<BinnacleServer['inject']>>): object {
  if (body.length === 0) return {}
  const text = body.toString()
  return { body: /^application\/json\b/.test(String(headers['content-type'])) ? JSON.parse(text) : text }
}
