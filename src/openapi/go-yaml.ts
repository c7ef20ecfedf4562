/** Writes a value as YAML, as go-yaml does. */
import type * as Yaml from 'yaml'
import { lazyPackage } from '../util/lazy-package.js'

const yaml = lazyPackage<typeof Yaml>('yaml')

const keyword = /^(true|false|null|yes|no|on|off|y|n)$/i
const plain = /^[a-z][\w./ -]*\w$|^[a-z]$/i

/** go-yaml puts text that would be read as another type between double quotes, and other text that needs them between single ones. */
export function yamlOf(value: unknown): string {
  if (typeof value === 'string' && plain.test(value) && !keyword.test(value)) return `${value}\n`
  const { Document, visit, parse } = yaml()
  const isText = (text: string) => {
    try {
      return typeof parse(text) === 'string'
    } catch {
      return true
    }
  }
  const document = new Document(value)
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && (keyword.test(node.value) || !isText(node.value))) node.type = 'QUOTE_DOUBLE'
    }
  })
  return document.toString({ lineWidth: 0, singleQuote: true })
}
