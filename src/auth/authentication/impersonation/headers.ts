/** Reads the user that a request impersonates from its Impersonate-* headers. */
import { badRequest } from '../../../apimachinery/status/status.js'
import { compareUtf8, goQuote } from '../../../util/go-format.js'
import { decodeHeader, unescapeKey } from '../../../util/header-text.js'

export interface WantedUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: ReadonlyMap<string, readonly string[]>
}

const prefix = 'impersonate-'
const extraPrefix = 'impersonate-extra-'

/**
 * Returns undefined when there are no such headers. Throws a 400 when they name a uid, group or extra, but no user; its words depend on whether
 * impersonation may be constrained.
 */
export function wantedUser(
  headers: Readonly<Record<string, unknown>>,
  rawHeaders: () => readonly string[],
  mayConstrain = true
): WantedUser | undefined {
  for (const name in headers) if (name.startsWith(prefix)) return readHeaders(rawHeaders(), mayConstrain)
  return undefined
}

function readHeaders(raw: readonly string[], mayConstrain: boolean): WantedUser | undefined {
  let [name, uid]: (string | undefined)[] = []
  const groups: string[] = []
  const extra = new Map<string, string[]>()
  for (let i = 0; i < raw.length; i += 2) {
    const header = raw[i]!.toLowerCase()
    const value = decodeHeader(raw[i + 1]!)
    if (header === 'impersonate-user') name ??= value
    else if (header === 'impersonate-uid') uid ??= value
    else if (header === 'impersonate-group') groups.push(value)
    else if (header.startsWith(extraPrefix)) {
      const key = unescapeKey(header.slice(extraPrefix.length))
      const values = extra.get(key)
      if (values) values.push(value)
      else extra.set(key, [value])
    }
  }
  const wanted = { name: name ?? '', uid: uid ?? '', groups, extra }
  if (wanted.name !== '') return wanted
  if (wanted.uid === '' && groups.length === 0 && extra.size === 0) return undefined
  throw badRequest(
    mayConstrain
      ? `requested ${goSyntax(wanted)} without impersonating a user name`
      : `requested ${references(wanted)} without impersonating a user`
  )
}

/** Formats what is asked for as Go prints a list of ObjectReferences. */
function references({ uid, groups, extra }: WantedUser): string {
  const version = 'authentication.k8s.io/v1'
  return `[${[
    ...groups.map(name => `{Group  ${name}    }`),
    ...[...extra].flatMap(([key, values]) => values.map(value => `{UserExtra  ${value}  ${version}  ${key}}`)),
    ...(uid === '' ? [] : [`{UID  ${uid}  ${version}  }`])
  ].join(' ')}]`
}

/** Formats a user as Go's `%#v` does. */
function goSyntax({ name, uid, groups, extra }: WantedUser): string {
  const keys = [...extra.keys()].sort(compareUtf8)
  const extras = keys.length === 0 ? '(nil)' : `{${keys.map(key => `${goQuote(key)}:${goStrings(extra.get(key)!)}`).join(', ')}}`
  return `&user.DefaultInfo{Name:${goQuote(name)}, UID:${goQuote(uid)}, Groups:${goStrings(groups)}, Extra:map[string][]string${extras}}`
}

const goStrings = (list: readonly string[]): string =>
  `[]string${list.length === 0 ? '(nil)' : `{${list.map(goQuote).join(', ')}}`}`
