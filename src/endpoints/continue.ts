/** Continue tokens: the revision of the first page and where the next one starts, in kube-apiserver's own form. */
import { badRequest } from '../server/status.js'

export interface ContinueToken {
  readonly revision: number
  /** The cache key to start at. */
  readonly start: string
}

export function encodeContinue(revision: number, key: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: key })).toString('base64url')
}

const invalid = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`)

/** `prefix` is where the list's keys begin: a token cannot leave it. */
export function decodeContinue(text: string, prefix: string): ContinueToken {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw invalid(`illegal base64 data at input byte ${/[^A-Za-z0-9_-]/.exec(text)!.index}`)
  let token: { v?: unknown; rv?: unknown; start?: unknown }
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch (error) {
    throw invalid((error as Error).message)
  }
  if (token?.v !== 'meta.k8s.io/v1') throw invalid('server does not recognize this encoded version')
  if (typeof token.rv !== 'number' || token.rv === 0 || typeof token.start !== 'string') throw invalid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
  if (token.start === '') throw invalid('encoded start key empty (version meta.k8s.io/v1)')
  return { revision: token.rv, start: prefix + token.start }
}
