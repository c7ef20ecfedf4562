/** Continue tokens: the revision of the first page and where the next one starts, in kube-apiserver's own form. */
import { posix } from 'node:path'
import { jsonSyntaxError } from '../formats/json-syntax.js'
import { badRequest } from '../server/status.js'

export interface ContinueToken {
  /** undefined: as of now, where an older token has expired. */
  readonly revision: number | undefined
  /** The cache key to start at. */
  readonly start: string
}

const version = 'meta.k8s.io/v1'

/** Without a revision the list goes on as of when the token comes back. */
export function encodeContinue(revision: number | undefined, key: string): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision ?? asOfThen, start: key })).toString('base64url')
}

const asOfThen = -1

const invalid = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`)

/** `prefix` is where the list's keys begin: a token cannot leave it. */
export function decodeContinue(text: string, prefix: string): ContinueToken {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw invalid(`illegal base64 data at input byte ${/[^A-Za-z0-9_-]/.exec(text)!.index}`)
  const json = Buffer.from(text, 'base64url').toString()
  const mistake = jsonSyntaxError(json)
  if (mistake !== undefined) throw invalid(mistake)
  const { v, rv, start } = Object(JSON.parse(json)) as Record<string, unknown>
  if (v !== version) throw invalid(`server does not recognize this encoded version ${v ?? ''}`)
  if (typeof start !== 'string' || start === '') throw invalid(`encoded start key empty (version ${version})`)
  if (typeof rv !== 'number' || !Number.isInteger(rv) || rv === 0)
    throw invalid(`incorrect encoded start resourceVersion (version ${version})`)
  if (posix.normalize(`/${start}`) !== `/${start}`) throw invalid(start)
  return { revision: rv < 0 ? undefined : rv, start: prefix + start }
}
