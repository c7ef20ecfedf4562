import { hash } from 'node:crypto'
import { readFlagFile } from '../../transport/certificates/key-files.js'
import { UserError } from '../../util/user-error.js'
import type { Authenticated, TokenAuthenticator } from './authenticator.js'

/**
 * Reads the file of --token-auth-file: CSV with the columns token, user name, user uid and, optionally, groups. Several groups are
 * separated by commas in one quoted column. Further columns, and lines with an empty token, are ignored. If a token has several lines,
 * the last one counts.
 */
export const loadTokenFile = async (path: string): Promise<TokenAuthenticator> =>
  parseTokenFile(path, await readFlagFile('--token-auth-file', path))

export const parseTokenFile = (path: string, text: string): TokenAuthenticator => {
  // Keyed by digest, so that the time of a look-up reveals nothing about the tokens.
  const users = new Map<string, Authenticated>()
  for (const { line, columns } of readCsv(path, text)) {
    const [token, name, uid, groups = ''] = columns
    if (uid === undefined) {
      throw new UserError(
        `--token-auth-file ${path}, line ${line}: must have at least 3 columns (token, user name, user uid), found ${columns.length}`
      )
    }
    if (token) users.set(digest(token), { user: { name: name!, uid, groups: groups === '' ? [] : groups.split(',') } })
  }
  return { authenticateToken: token => users.get(digest(token)) }
}

const digest = (token: string): string => hash('sha256', token, 'base64')

interface Row {
  readonly line: number
  readonly columns: string[]
}

/** Reads CSV (RFC 4180) as strictly as Go's encoding/csv: quotes may stand only around a whole column. */
const readCsv = (path: string, text: string): Row[] => {
  const rows: Row[] = []
  // One column with its end: a comma, a line break or the end of the text.
  const column = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\r?\n|$)/y
  let columns: string[] = []
  let line = 1
  let start = 1
  column.lastIndex = text.startsWith('\ufeff') ? 1 : 0
  while (column.lastIndex < text.length || columns.length > 0) {
    const match = column.exec(text)
    if (!match) throw new UserError(`--token-auth-file ${path}, line ${line}: a quote stands in the wrong place or is not closed`)
    const [all, quoted, plain, end] = match
    columns.push(quoted?.replaceAll('""', '"') ?? plain!.replace(/\r$/, ''))
    line += all.split('\n').length - 1
    if (end === ',') continue
    if (columns.length > 1 || all.trim() !== '') rows.push({ line: start, columns })
    columns = []
    start = line
  }
  return rows
}
