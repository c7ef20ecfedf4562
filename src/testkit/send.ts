/** Sends a request to a server of this process, as the tests of kinds, controllers and endpoints need it most often. */
import type { BinnacleServer } from '../server/binnacle-server.js'

/** A user who may do everything. */
export const admin = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

interface SendOptions {
  readonly user?: { readonly name: string; readonly groups: readonly string[] }
  /** The media type of the body. Default: a merge patch for PATCH, and JSON for other methods. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the answer's status and its body: parsed if it is JSON, otherwise as text. */
export async function send(
  server: Pick<BinnacleServer, 'inject'>,
  method: string,
  url: string,
  body?: unknown,
  {
    user = admin,
    type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    headers = {}
  }: SendOptions = {}
): Promise<{ status: number; body: any; warnings: any }> {
  const answer = await server.inject({ method, url, user, body, headers: { 'content-type': type, ...headers } })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return { status: answer.status, body: isJson ? answer.json() : answer.body.toString(), warnings: answer.headers.warning }
}
