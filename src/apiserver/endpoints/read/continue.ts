/** Continue tokens: the revision of the first page and where the next one starts, in kube-apiserver's own form. */
import { posix } from 'node:path'
import { jsonSyntaxError } from '../../../apimachinery/formats/json-syntax.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import { decodeBase64Url } from '../../../util/go-base64.js'
import { members } from '../../../util/json-members.js'
import type { Version } from './resource-version.js'

export interface ContinueToken {
  /** Undefined in a token that replaces an expired one: the list continues at the current revision. */
  readonly revision: Version | undefined
  /** The cache key to start at. */
  readonly start: string
}

const version = 'meta.k8s.io/v1'

/** Encodes a token. Without a revision, the list continues at the revision that is current when the client sends the token. */
export function encodeContinue(revision: number | undefined, key: string): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision ?? asOfThen, start: key })).toString('base64url')
}

const asOfThen = -1

const invalid = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`)

/** Decodes a token and confines its key to `prefix`, which all keys of the list begin with. Throws 400. */
export function decodeContinue(text: string, prefix: string): ContinueToken {
  const bytes = decodeBase64Url(text)
  if (typeof bytes === 'string') throw invalid(bytes)
  const mistake = jsonSyntaxError(bytes)
  if (mistake !== undefined) throw invalid(mistake)
  const { v, rv, start } = fieldsOf(bytes.toString())
  if (v !== version) throw invalid(`server does not recognize this encoded version ${v}`)
  if (rv === 0n) throw invalid(`incorrect encoded start resourceVersion (version ${version})`)
  if (start === '') throw invalid(`encoded start key empty (version ${version})`)
  const key = start.startsWith('/') ? start : `/${start}`
  if (cleaned(key) !== key) throw invalid(start)
  return { revision: rv < 0n ? undefined : Number.isSafeInteger(Number(rv)) ? Number(rv) : rv, start: prefix + key.slice(1) }
}

/** Cleans an absolute path as Go's path.Clean does. */
function cleaned(path: string): string {
  const normal = posix.normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}

const int64 = 2n ** 63n

/** Reads fields as Go's encoding/json does: keys in any case, the last one wins, null is ignored. Throws the first error. */
function fieldsOf(json: string): { v: string; rv: bigint; start: string } {
  const token = { v: '', rv: 0n, start: '' }
  let mistake: string | undefined
  const cannot = (found: string, go: string) => {
    mistake ??= `json: cannot unmarshal ${found} into Go ${go}`
  }
  const found = members(json)
  if (typeof found === 'string') cannot(found, 'value of type storage.continueToken')
  else
    for (const { key, text, kind } of found) {
      const field = /^(?:v|rv|start)$/iu.test(key) ? key.toLowerCase().replace('ſ', 's') : undefined
      if (field === undefined || kind === 'null') continue
      const place = (type: string) => `struct field continueToken.${field} of type ${type}`
      if (field === 'rv') {
        const value = kind === 'number' && /^-?\d+$/.test(text) ? BigInt(text) : undefined
        if (value !== undefined && value < int64 && value >= -int64) token.rv = value
        else cannot(kind === 'number' ? `number ${text}` : kind, place('int64'))
      } else if (kind !== 'string') cannot(kind, place('string'))
      else token[field as 'v' | 'start'] = Buffer.from(JSON.parse(text)).toString()
    }
  if (mistake !== undefined) throw invalid(mistake)
  return token
}
