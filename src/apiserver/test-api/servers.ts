/** Routes for the servers below `/servers/` of the one that is asked. */

import { success } from '../../apimachinery/status/status.js'
import type { JsonObject } from '../../util/json.js'
import { UserError } from '../../util/user-error.js'
import { missing, taken, tooMany, wrongField } from '../own-paths/errors.js'
import type { Schema } from '../own-paths/own-document.js'
import type { HostedServer, Kit } from './kit.js'
import type { TestApiLimits } from './limits.js'
import { json, nameSchema, type Route } from './route.js'
import type { Snapshots } from './snapshots.js'

const listed: Schema = {
  title: 'ListedServer',
  type: 'object',
  required: ['name', 'url'],
  properties: {
    name: nameSchema,
    url: { type: 'string', format: 'uri', description: 'Where clients reach the server: the host of their configuration.' }
  }
}
const server: Schema = {
  title: 'Server',
  type: 'object',
  required: ['name', 'url', 'kubeconfig'],
  properties: {
    ...listed.properties,
    kubeconfig: { type: 'string', description: 'The text of a kubeconfig of a member of system:masters.' }
  }
}
const list: Schema = {
  title: 'ServerList',
  type: 'object',
  required: ['items'],
  properties: { items: { type: 'array', items: listed } }
}
const request: Schema = {
  title: 'ServerRequest',
  type: 'object',
  additionalProperties: false,
  properties: {
    snapshot: {
      ...nameSchema,
      description: 'The snapshot of the server that is asked with which the new one begins. Without it, the new one begins empty.'
    },
    seed: {
      type: 'string',
      description: 'Makes uids, generated names, addresses and ports the same in each run that makes the same requests.'
    },
    simulate: {
      description:
        'Whether the server has a simulated cluster, in which workloads become ready, or what that has. Without it, the server is as the one that is asked.',
      oneOf: [
        { type: 'boolean' },
        {
          type: 'object',
          properties: {
            nodes: { type: 'integer', description: 'How many Nodes; 3.' },
            nodeCapacity: {
              type: 'object',
              additionalProperties: { type: 'string' },
              description: 'The resources of each Node, as quantities by name: {"cpu": "8", "memory": "32Gi", "pods": "110"}.'
            }
          }
        }
      ]
    }
  }
}

const shown = (name: string, { url }: HostedServer) => ({ name, url })
const shownWhole = (name: string, hosted: HostedServer) => ({ ...shown(name, hosted), kubeconfig: hosted.kubeconfig() })

export function serverRoutes(kit: Kit, snapshots: Snapshots, limits: TestApiLimits): Route[] {
  /** The names of servers that are being started or stopped. */
  const changing = new Set<string>()
  const running = () => [...kit.hosted].filter(([name]) => !changing.has(name))
  const get = (name: string): HostedServer => {
    const hosted = changing.has(name) ? undefined : kit.hosted.get(name)
    if (!hosted) throw missing('servers', name)
    return hosted
  }
  const change = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    changing.add(name)
    try {
      return await work()
    } finally {
      changing.delete(name)
    }
  }
  return [
    {
      method: 'GET',
      path: '/servers',
      id: 'listServers',
      summary: 'List the servers',
      answers: { 200: { description: 'The servers, in the order of their names.', schema: list } },
      handle: () =>
        json({
          items: running()
            .map(([name, hosted]) => shown(name, hosted))
            .sort(byName)
        })
    },
    {
      method: 'PUT',
      path: '/servers/{name}',
      id: 'createServer',
      summary: 'Start a server',
      body: request,
      answers: { 201: { description: 'The server runs.', schema: server }, 409: { description: 'The name is taken.' } },
      async handle({ name, body }) {
        if (kit.hosted.has(name) || changing.has(name)) throw taken('servers', name)
        if (new Set([...kit.hosted.keys(), ...changing]).size >= limits.servers) throw tooMany('servers', limits.servers)
        const snapshot = body.snapshot === undefined ? undefined : snapshots.forField('snapshot', body.snapshot as string)
        const seed = body.seed as string | undefined
        const simulate = simulateIn(body)
        try {
          return json(shownWhole(name, await change(name, () => kit.host(name, { snapshot, seed, simulate }))), 201)
        } catch (error) {
          // the only field that the server itself validates
          if (error instanceof UserError && simulate !== undefined) throw wrongField('simulate', error.message)
          throw error
        }
      }
    },
    {
      method: 'GET',
      path: '/servers/{name}',
      id: 'readServer',
      summary: 'Read a server, with a kubeconfig for it',
      answers: { 200: { description: 'The server.', schema: server } },
      handle: ({ name }) => json(shownWhole(name, get(name)))
    },
    {
      method: 'DELETE',
      path: '/servers/{name}',
      id: 'deleteServer',
      summary: 'Stop a server, and forget what it holds',
      answers: { 200: { description: 'The server has stopped.' } },
      async handle({ name }) {
        const hosted = get(name)
        await change(name, () => hosted.stop())
        return json(success())
      }
    }
  ]
}

function simulateIn({ simulate }: JsonObject): boolean | object | undefined {
  if (simulate === undefined || typeof simulate === 'boolean') return simulate
  if (typeof simulate === 'object' && simulate !== null) return simulate
  throw wrongField('simulate', 'must be true, false or an object')
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
