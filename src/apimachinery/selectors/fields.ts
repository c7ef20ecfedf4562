/** Field selectors (https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/). */
import { compareUtf8 } from '../../util/go-format.js'
import { checkSize, SelectorError } from './limits.js'

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

const plainValue = /^[^\\,=]*$/

function unescaped(value: string): string {
  if (plainValue.test(value)) return value
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

/** Parses a field selector into its requirements. Throws SelectorError. The caller decides which fields the resource supports. */
export function parseFieldSelector(text: string): FieldRequirement[] {
  checkSize(text, 'field')
  const requirements: FieldRequirement[] = []
  // alphabetical order decides which of several errors is reported
  for (const part of splitUnescaped(text).sort(compareUtf8)) {
    if (part === '') continue
    const match = /^((?:[^\\=!]|\\.|!(?!=))*?)(!=|==|=)(.*)$/s.exec(part)
    if (!match) throw new SelectorError(`invalid selector: '${text}'; can't understand '${part}'`)
    const [, field = '', operator, value = ''] = match
    // "=" alone has no effect
    if (field === '' && value === '') continue
    requirements.push({ field, operator: operator === '!=' ? '!=' : '=', value: unescaped(value) })
  }
  return requirements
}

function splitUnescaped(text: string): string[] {
  if (!text.includes('\\')) return text.split(',')
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

/** Parses a field selector leniently: returns undefined when it cannot be parsed. */
export function readableFieldSelector(text: string): readonly FieldRequirement[] | undefined {
  try {
    return parseFieldSelector(text)
  } catch {
    return undefined
  }
}
