import { unifiedMergeView } from '@codemirror/merge'
import { useMemo } from 'preact/hooks'
import { Editor } from '../../ui/editor/editor.js'

/** Two texts in one, with what goes and what comes. */
export function Difference({ label, before, after }: { label: string; before: string; after: string }) {
  const extensions = useMemo(
    () => [unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3 } })],
    [before]
  )
  if (before === after) return <p class="quiet">Nothing would change.</p>
  return <Editor key={before} label={label} text={after} readOnly extensions={extensions} />
}
