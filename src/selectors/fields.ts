/** Field selectors (https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/). */
import { compareUtf8 } from '../util/go-format.js'
import { SelectorError } from './labels.js'

/**
 * One requirement of a field selector.
 *
 * @example
 * // --field-selector=spec.nodeName=n1
 * const requirement: FieldRequirement = { field: 'spec.nodeName', operator: '=', value: 'n1' }
 */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

function unescaped(value: string): string {
  let out = ''
  for (let i = 0; i < value.length; i++) {
    const c = value[i]!
    if (c === '\\') {
      const next = value[++i]
      if (next !== '\\' && next !== ',' && next !== '=')
        throw new SelectorError(`invalid field selector: invalid escape sequence: \\${next ?? ''}`)
      out += next
    } else if (c === ',' || c === '=')
      throw new SelectorError(`invalid field selector: unescaped character in value: ${c.charCodeAt(0)}`)
    else out += c
  }
  return out
}

/** The requirements of a selector's text. Throws SelectorError. Which fields a resource knows is the caller's matter. */
export function parseFieldSelector(text: string): FieldRequirement[] {
  const requirements: FieldRequirement[] = []
  // they are looked at in alphabetical order, which shows in what is refused
  for (const part of splitUnescaped(text).sort(compareUtf8)) {
    if (part === '') continue
    const match = /^((?:[^\\=!]|\\.|!(?!=))*?)(!=|==|=)(.*)$/s.exec(part)
    if (!match) throw new SelectorError(`invalid selector: '${text}'; can't understand '${part}'`)
    const [, field = '', operator, value = ''] = match
    // "=" asks for nothing
    if (field === '' && value === '') continue
    requirements.push({ field, operator: operator === '!=' ? '!=' : '=', value: unescaped(value) })
  }
  return requirements
}

function splitUnescaped(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === ',') {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** For those who only want to know what is asked for: a selector that cannot be read asks for nothing. */
export function readableFieldSelector(text: string): readonly FieldRequirement[] | undefined {
  try {
    return parseFieldSelector(text)
  } catch {
    return undefined
  }
}
