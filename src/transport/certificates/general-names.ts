/** Reads alternative names: those of a certificate's subject, and those that a request asks for. */

import { TAG } from './der.js'
import { DerCursor, DerError, isAscii } from './der-cursor.js'
import { uriHost } from './names.js'

/** Tags of the names that are read. */
export const generalNameTag = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 } as const

const readTags: ReadonlySet<number> = new Set(Object.values(generalNameTag))

export interface GeneralName {
  readonly tag: number
  readonly content: Buffer
}

/** Reads the names of these kinds in the value of the extension subjectAltName. */
export function readGeneralNames(value: Buffer | undefined): GeneralName[] {
  const found: GeneralName[] = []
  const names = value && new DerCursor(value).in(TAG.sequence)
  while (names && !names.isEmpty) {
    const { tag, content } = names.any()
    if (!readTags.has(tag)) continue
    if (!isWellFormed(tag, content)) throw new DerError('malformed alternative name')
    found.push({ tag, content })
  }
  return found
}

function isWellFormed(tag: number, content: Buffer): boolean {
  if (tag === generalNameTag.ip) return content.length === 4 || content.length === 16
  return isAscii(content) && (tag !== generalNameTag.uri || uriHost(content.toString('latin1')) !== undefined)
}
