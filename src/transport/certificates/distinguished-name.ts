/** Reads the names of subjects and issuers. */

import { TAG } from './der.js'
import { DerCursor, type DerElement, DerError, isAscii } from './der-cursor.js'

export interface Attribute {
  readonly type: string
  readonly value: string
}

export interface DistinguishedName {
  readonly raw: Buffer
  /** The attributes in the order of the certificate. */
  readonly attributes: readonly Attribute[]
}

export function readName(cursor: DerCursor): DistinguishedName {
  const { raw, content } = cursor.whole(TAG.sequence)
  const attributes: Attribute[] = []
  for (const sets = new DerCursor(content); !sets.isEmpty; ) {
    const set = sets.in(TAG.set)
    while (!set.isEmpty) {
      const attribute = set.in(TAG.sequence)
      attributes.push({ type: attribute.oid(), value: textOf(attribute.any()) })
    }
  }
  return { raw, attributes }
}

/** Matches a PrintableString. The two characters * and & are not allowed, but usual. */
const printable = /^[A-Za-z0-9 '()+,\-./:=?*&]*$/

/** Reads text of any string type that names use. */
function textOf({ tag, content }: DerElement): string {
  const latin = content.toString('latin1')
  switch (tag) {
    case TAG.utf8String:
      return utf8Of(content)
    case TAG.printableString:
      return checked(latin, printable.test(latin))
    case TAG.ia5String:
      return checked(latin, isAscii(content))
    case TAG.numericString:
      return checked(latin, /^[0-9 ]*$/.test(latin))
    case TAG.teletexString:
      return latin
    case TAG.bmpString:
      return bmpOf(content)
    default:
      throw new DerError(`not a string: tag ${tag}`)
  }
}

function checked(text: string, isGood: boolean): string {
  if (!isGood) throw new DerError('malformed string')
  return text
}

function utf8Of(content: Buffer): string {
  const text = content.toString('utf8')
  return checked(text, Buffer.from(text).equals(content))
}

/** Reads characters of two bytes each. Halves of surrogate pairs and non-characters are refused; a final 0 is an end mark. */
function bmpOf(content: Buffer): string {
  checked('', content.length % 2 === 0)
  const text = Buffer.from(content).swap16().toString('utf16le').replace(/\0$/, '')
  return checked(text, !/[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(text))
}
