/** Routes for the recorded requests of the server that is asked. */
import type { Response } from '../../apimachinery/request/message.js'
import { success } from '../../apimachinery/status/status.js'
import { wrongField, wrongState } from '../own-paths/errors.js'
import type { Kit, RecorderKit } from './kit.js'
import { type Input, json, type Route } from './route.js'

const formats = ['json', 'text', 'html'] as const
const types = { json: 'application/json', text: 'text/plain; charset=utf-8', html: 'text/html; charset=utf-8' } as const

export function requestRoutes(kit: Kit): Route[] {
  const recorder = (): RecorderKit => {
    if (!kit.recorder) throw wrongState('the server does not record requests')
    return kit.recorder
  }
  return [
    {
      method: 'GET',
      path: '/requests',
      id: 'readRequests',
      summary: 'Read the last requests and what became of them',
      query: [
        { name: 'format', description: 'The form of the answer; json.', schema: { type: 'string', enum: formats } },
        { name: 'since', description: 'A mark: only requests after it.', schema: { type: 'integer' } },
        {
          name: 'timings',
          description: 'Whether json and text show how long everything took, which differs in each run; true.',
          schema: { type: 'boolean' }
        }
      ],
      answers: {
        200: {
          description: 'The requests, the oldest first.',
          schema: { type: 'object', properties: { requests: { type: 'array', items: { type: 'object' } } } },
          mediaTypes: ['text/plain', 'text/html']
        }
      },
      handle: ({ query }) => {
        const format = formatOf(query)
        return page(recorder()[format]({ ...selectionOf(query), timings: timingsOf(query) }), types[format])
      }
    },
    {
      method: 'GET',
      path: '/requests/mark',
      id: 'readMark',
      summary: 'Read the mark of the last request so far',
      answers: {
        200: {
          description: 'The mark, for `since`.',
          schema: { title: 'Mark', type: 'object', required: ['mark'], properties: { mark: { type: 'integer' } } }
        }
      },
      handle: () => json({ mark: recorder().mark() })
    },
    {
      method: 'DELETE',
      path: '/requests',
      id: 'deleteRequests',
      summary: 'Forget all requests so far',
      answers: { 200: { description: 'The requests are forgotten.' } },
      handle: () => {
        recorder().clear()
        return json(success())
      }
    }
  ]
}

type Query = Input['query']

function formatOf(query: Query): (typeof formats)[number] {
  const format = query.get('format') ?? 'json'
  const found = formats.find(known => known === format)
  if (!found) throw wrongField('format', `must be one of ${formats.join(', ')}`)
  return found
}

function selectionOf(query: Query): { since?: number } {
  const since = query.get('since')
  if (since === null) return {}
  if (!/^\d{1,15}$/.test(since)) throw wrongField('since', 'must be a mark: a whole number that is not negative')
  return { since: Number(since) }
}

function timingsOf(query: Query): boolean {
  const timings = query.get('timings') ?? 'true'
  if (timings !== 'true' && timings !== 'false') throw wrongField('timings', 'must be true or false')
  return timings === 'true'
}

const page = (text: string, type: string): Response => ({
  status: 200,
  headers: {
    'content-type': type,
    'x-content-type-options': 'nosniff',
    // the page shows what clients sent, and may load nothing but its own style
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'"
  },
  body: Buffer.from(text)
})
