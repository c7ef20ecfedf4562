/** Writes a value as YAML, as go-yaml does. */
import type * as Yaml from 'yaml'
import { lazyPackage } from '../../util/lazy-package.js'

const yaml = lazyPackage<typeof Yaml>('yaml')

const keyword = /^(true|false|null|yes|no|on|off|y|n)$/i
/** Text of one line, without characters that have to be escaped. */
const withSingleQuote = /^(?=[^']*')[ -~]*$/
const layout = { lineWidth: 0, singleQuote: true }
const plain = /^[a-z][\w./ -]*\w$|^[a-z]$/i

/** go-yaml puts text that would be read as another type between double quotes, and other text that needs them between single ones. */
export function yamlOf(value: unknown): string {
  if (typeof value === 'string' && plain.test(value) && !keyword.test(value)) return `${value}\n`
  const { Document, visit, parse } = yaml()
  const isText = (text: string) => {
    try {
      // a rule such as `!has(self.a)` looks like a tag, of which the package would warn on stderr
      const read: unknown = parse(text, { logLevel: 'error' })
      // go-yaml asks about scalars only, so that text like a list is text
      return typeof read === 'string' || (typeof read === 'object' && read !== null)
    } catch {
      return true
    }
  }
  const document = new Document(value)
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string') return
      if (keyword.test(node.value) || !isText(node.value)) node.type = 'QUOTE_DOUBLE'
      // the package takes double quotes for text that has single ones
      else if (withSingleQuote.test(node.value) && new Document(node.value).toString(layout).startsWith('"'))
        node.type = 'QUOTE_SINGLE'
    }
  })
  return document.toString(layout)
}
