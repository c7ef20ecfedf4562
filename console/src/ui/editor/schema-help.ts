import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import { EditorView, hoverTooltip } from '@codemirror/view'
import type { KindSchema, Schema } from '../../api/openapi.js'
import { pathAtLine } from '../../edit/path-at-line.js'
import { typeText } from '../../edit/schema-text.js'

/** Completes fields and values by a schema, and explains a field under the pointer. */
export const schemaHelp = (kind: KindSchema): Extension => [
  autocompletion({ override: [context => complete(context, kind)], icons: false }),
  hoverTooltip((view, position) => {
    const line = view.state.doc.lineAt(position)
    const name = /^[\s-]*([\w.$/-]+):/.exec(line.text)
    if (!name || position > line.from + name[0].length) return null
    const path = pathAtLine(view.state.doc.toString(), line.number)
    const schema = kind.at(path)
    return schema ? { pos: line.from, create: () => ({ dom: explanation(path.at(-1) ?? '', schema, kind) }) } : null
  }),
  EditorView.baseTheme({
    '.explanation': { padding: '6px 10px', whiteSpace: 'pre-wrap' },
    '.explanation strong': { color: 'var(--accent)' }
  })
]

function explanation(name: string | number, schema: Schema, kind: KindSchema): HTMLElement {
  const box = document.createElement('div')
  box.className = 'explanation'
  const title = document.createElement('strong')
  title.textContent = `${name} `
  box.append(title, `${typeText(schema, kind)}\n${schema.description ?? ''}`)
  if (schema.enum) box.append(`\nOne of: ${schema.enum.join(', ')}`)
  return box
}

function complete(context: CompletionContext, kind: KindSchema): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos)
  const before = line.text.slice(0, context.pos - line.from)
  const text = context.state.doc.toString()
  const value = /^[\s-]*([\w.$/-]+):\s+(\S*)$/.exec(before)
  if (value) {
    const schema = kind.at(pathAtLine(text, line.number))
    const values = schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : [])
    return values.length === 0
      ? null
      : { from: context.pos - value[2]!.length, options: values.map(item => ({ label: String(item) })) }
  }
  const name = /^([\s-]*)([\w.$/-]*)$/.exec(before)
  if (!name || (name[2] === '' && !context.explicit)) return null
  const parent = kind.at(pathAtLine(text, line.number).slice(0, -1))
  if (!parent?.properties) return null
  const options: Completion[] = Object.entries(parent.properties).map(([label, schema]) => {
    const resolved = kind.resolve(schema)
    const isDeep = resolved?.type === 'object' || resolved?.properties !== undefined || resolved?.type === 'array'
    return {
      label,
      apply: isDeep
        ? `${label}:\n${' '.repeat(name[1]!.length + (resolved?.type === 'array' ? 0 : 2))}${resolved?.type === 'array' ? '- ' : ''}`
        : `${label}: `,
      detail: typeText(schema, kind),
      info: resolved?.description ?? '',
      boost: parent.required?.includes(label) ? 1 : 0
    }
  })
  return { from: context.pos - name[2]!.length, options }
}
