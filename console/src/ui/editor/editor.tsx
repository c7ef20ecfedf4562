import type { Extension } from '@codemirror/state'
import { Compartment, EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { basics } from './basics.js'

export interface EditorProps {
  readonly label: string
  /** The text to show; for an editor that one writes in, the text it begins with: another `key` makes it begin anew. */
  readonly text: string
  readonly readOnly?: boolean
  readonly extensions?: readonly Extension[]
  onChange?(text: string): void
}

/**
 * An editor of YAML. It lies in a shadow root, where CodeMirror adopts its style sheets: in the document it would insert style elements, which
 * the Content-Security-Policy refuses.
 */
export function Editor({ label, text, readOnly = false, extensions = [], onChange }: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const settings = useRef(new Compartment())
  const changed = useRef(onChange)
  changed.current = onChange
  const configured = () => [
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': String(readOnly) }),
    EditorState.readOnly.of(readOnly),
    ...extensions
  ]

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' })
    const told = EditorView.updateListener.of(update => {
      if (update.docChanged) changed.current?.(update.state.doc.toString())
    })
    view.current = new EditorView({
      parent: root,
      root,
      state: EditorState.create({ doc: text, extensions: [basics, told, settings.current.of(configured())] })
    })
    return () => view.current?.destroy()
  }, [])
  useEffect(() => {
    view.current?.dispatch({ effects: settings.current.reconfigure(configured()) })
  }, [label, readOnly, extensions])
  useEffect(() => {
    const { current } = view
    if (!current || !readOnly || current.state.doc.toString() === text) return
    const { scrollTop } = current.scrollDOM
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
    current.scrollDOM.scrollTop = scrollTop
  }, [text])

  return <div class="editor" ref={host} />
}
