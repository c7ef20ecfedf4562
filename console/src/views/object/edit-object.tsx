import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { ApiError } from '../../api/error.js'
import { schemaOf } from '../../api/openapi.js'
import { objectPath } from '../../api/paths.js'
import { ask } from '../../api/request.js'
import type { KubeObject, Resource } from '../../api/types.js'
import { validation } from '../../edit/dry-run.js'
import { type Conflict, threeWay } from '../../edit/three-way.js'
import { editable, valuesOf, withChanges } from '../../edit/yaml-text.js'
import { Editor } from '../../ui/editor/editor.js'
import { schemaHelp } from '../../ui/editor/schema-help.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'
import { Conflicts } from './conflicts.js'
import { Difference } from './difference.js'

export interface EditObjectProps {
  readonly resource: Resource
  /** The text from which the edit begins. */
  readonly base: string
  /** What the editor shows first, if not `base`. */
  readonly draft?: string
  /** What the object is now: it may change while it is edited. */
  readonly current: string
  readonly object: KubeObject
  onDone(): void
}

/**
 * Edits an object: the server validates it while it is written (a dry run), shows the difference that it would make, and takes it. What others changed
 * meanwhile is kept; where both changed the same field, one chooses.
 */
export function EditObject({ resource, base, draft = base, current, object, onDone }: EditObjectProps) {
  const start = useSignal(base)
  const text = useSignal(draft)
  const reviewed = useSignal<string | undefined>(undefined)
  const conflicts = useSignal<readonly Conflict[]>([])
  const error = useSignal<unknown>(undefined)
  const { name, namespace = '' } = object.metadata
  const schema = useLoad(() => schemaOf(resource), [resource]).value

  const put = (body: string, dryRun: boolean, signal?: AbortSignal) =>
    ask(objectPath(resource, namespace, name), {
      method: 'PUT',
      accept: 'application/yaml',
      contentType: 'application/yaml',
      query: { dryRun: dryRun ? 'All' : undefined, fieldValidation: 'Strict', fieldManager: 'binnacle-console' },
      body,
      signal
    })
  const extensions = useMemo(
    () => [...(schema ? [schemaHelp(schema)] : []), validation((body, signal) => put(body, true, signal))],
    [schema]
  )
  // asks whoever closes the page with an edit in it
  useEffect(() => {
    const keep = (event: Event) => {
      if (text.value !== start.value) event.preventDefault()
    }
    addEventListener('beforeunload', keep)
    return () => removeEventListener('beforeunload', keep)
  }, [])

  /** Brings the edit up to what the object has become. */
  const catchUp = (theirs: string, choices?: readonly Conflict[]) => {
    const merge = threeWay(valuesOf(start.value), valuesOf(text.value), valuesOf(theirs))
    if (merge.conflicts.length > 0 && !choices) {
      conflicts.value = merge.conflicts
      return false
    }
    conflicts.value = []
    text.value = withChanges(theirs, [...merge.changes, ...(choices ?? []).map(({ path, mine }) => ({ path, value: mine }))])
    start.value = theirs
    return true
  }
  const attempt = async (work: () => Promise<void>) => {
    error.value = undefined
    try {
      await work()
    } catch (reason) {
      if (reason instanceof ApiError && reason.code === 409 && resource.verbs.includes('get')) {
        const latest = await ask(objectPath(resource, namespace, name), { accept: 'application/yaml' })
        reviewed.value = undefined
        if (catchUp(editable(await latest.text()))) await attempt(work)
      } else error.value = reason
    }
  }
  const review = () =>
    attempt(async () => {
      reviewed.value = editable(await (await put(text.value, true)).text())
    })
  const save = () =>
    attempt(async () => {
      await put(text.value, false)
      onDone()
    })

  if (conflicts.value.length > 0)
    return (
      <Conflicts
        conflicts={conflicts.value}
        object={object}
        onCancel={() => {
          conflicts.value = []
        }}
        onChosen={mine => catchUp(current, mine) && void review()}
      />
    )
  return (
    <>
      <div class="toolbar">
        {reviewed.value === undefined ? (
          <button type="button" class="primary" disabled={text.value === start.value} onClick={() => void review()}>
            Review
          </button>
        ) : (
          <>
            <button type="button" class="primary" onClick={() => void save()}>
              Save
            </button>
            <button
              type="button"
              onClick={() => {
                reviewed.value = undefined
              }}
            >
              Back to the text
            </button>
          </>
        )}
        <button type="button" onClick={onDone}>
          Discard
        </button>
        {current !== start.value && (
          <span class="warn">It has changed since you began. Your changes will be joined with it.</span>
        )}
      </div>
      {error.value !== undefined && <Problem error={error.value} />}
      {reviewed.value === undefined ? (
        <Editor
          key={start.value}
          label={`Edit ${name}`}
          text={text.value}
          extensions={extensions}
          onChange={value => {
            text.value = value
          }}
        />
      ) : (
        <Difference label="What will change" before={start.value} after={reviewed.value} />
      )}
    </>
  )
}
