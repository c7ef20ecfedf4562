import { ApiError } from './error.js'
import { config, forget, type Impersonated, impersonated, token } from './session.js'
import type { Status } from './types.js'

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly accept?: string
  readonly body?: unknown
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
  /** Another user, for this request alone. */
  readonly as?: Impersonated
}

/** Asks the server, and resolves with the answer, whose body has not been read. Rejects with an ApiError. */
export async function ask(path: string, options: RequestOptions = {}): Promise<Response> {
  const headers = new Headers({ accept: options.accept ?? 'application/json' })
  const bearer = token.value
  if (bearer) headers.set('authorization', `Bearer ${bearer}`)
  const as = options.as ?? impersonated.value
  if (as) {
    headers.set('impersonate-user', as.user)
    for (const group of as.groups) headers.append('impersonate-group', group)
  }
  const { body } = options
  if (body !== undefined) headers.set('content-type', options.contentType ?? 'application/json')
  const init: RequestInit = {
    method: options.method ?? 'GET',
    headers,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error'
  }
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
  if (options.signal) init.signal = options.signal
  let response: Response
  try {
    response = await fetch(withQuery(path, options.query), init)
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiError(0, 'The server does not answer.')
  }
  if (response.ok) return response
  const status = await readStatus(response)
  // An impersonated user may be refused, and the session still be good; so it is where a cluster behind the proxy refused the kubeconfig's.
  const isOfCluster = config.value?.proxied && response.headers.has('audit-id')
  if (response.status === 401 && !as && !isOfCluster && token.value === bearer) forget('Your session has ended. Sign in again.')
  throw new ApiError(response.status, status?.message || `The server answered ${response.status}.`, status)
}

/** Asks the server, and resolves with the JSON of the answer. */
export async function request<T>(path: string, options?: RequestOptions): Promise<T> {
  return (await ask(path, options)).json() as Promise<T>
}

async function readStatus(response: Response): Promise<Status | undefined> {
  try {
    // errors come in the form that was asked for
    const isYaml = response.headers.get('content-type')?.includes('yaml')
    const body: any = isYaml ? (await import('../edit/yaml-text.js')).valuesOf(await response.text()) : await response.json()
    return body?.kind === 'Status' ? body : body?.message ? { message: String(body.message) } : undefined
  } catch {
    return undefined
  }
}

/** Adds those parameters to a path that have a value. */
export function withQuery(path: string, query: RequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '' && value !== false) parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text ? `${path}?${text}` : path
}
