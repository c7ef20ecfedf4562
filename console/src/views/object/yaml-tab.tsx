import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { objectPath } from '../../api/paths.js'
import { ask } from '../../api/request.js'
import { editable } from '../../edit/yaml-text.js'
import { Check } from '../../ui/check.js'
import { Editor } from '../../ui/editor/editor.js'
import { useLoad } from '../../ui/load.js'
import { useMay } from '../../ui/may.js'
import { Problem } from '../../ui/problem.js'
import { EditObject } from './edit-object.js'
import { OwnerLegend, ownerLines } from './owner-lines.js'
import type { TabProps } from './tab.js'

/** The object as YAML, its fields coloured by who owns them; and its editor. */
export function YamlTab({ resource, object }: TabProps) {
  const { name, namespace = '', resourceVersion } = object.metadata
  const mayUpdate = useMay('update', resource, '', namespace, name)
  const edited = useSignal<string | undefined>(undefined)
  const withOwners = useSignal(true)
  // as the server writes it: JSON of the browser would round integers of 64 bits
  const { value: text, error } = useLoad(
    async signal =>
      editable(await (await ask(objectPath(resource, namespace, name), { accept: 'application/yaml', signal })).text()),
    [resourceVersion]
  )
  const owners = useMemo(() => (text ? ownerLines(text, object) : undefined), [text])
  if (error) return <Problem error={error} />
  if (text === undefined) return <p class="quiet">Loading …</p>
  if (edited.value !== undefined)
    return (
      <EditObject
        resource={resource}
        base={edited.value}
        current={text}
        object={object}
        onDone={() => {
          edited.value = undefined
        }}
      />
    )
  return (
    <>
      <div class="toolbar">
        {mayUpdate && resource.verbs.includes('update') && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              edited.value = text
            }}
          >
            Edit
          </button>
        )}
        <Check label="Owners of fields" value={withOwners} />
        <button type="button" onClick={() => void navigator.clipboard.writeText(text)}>
          Copy
        </button>
      </div>
      {withOwners.value && owners && <OwnerLegend owners={owners.owners} />}
      <Editor label={`YAML of ${name}`} text={text} readOnly extensions={withOwners.value && owners ? owners.extensions : none} />
    </>
  )
}

const none: readonly [] = []
