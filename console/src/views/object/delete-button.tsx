import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { objectPath } from '../../api/paths.js'
import { request } from '../../api/request.js'
import { Problem } from '../../ui/problem.js'
import type { TabProps } from './tab.js'

/** Deletes exactly this object, and not one that has come in its place (a precondition of its uid). */
export function DeleteButton({ resource, object }: TabProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const propagation = useSignal('Background')
  const error = useSignal<unknown>(undefined)
  const { name, namespace = '', uid } = object.metadata
  const remove = async () => {
    try {
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: propagation.value, preconditions: { uid } }
      await request(objectPath(resource, namespace, name), { method: 'DELETE', body })
      dialog.current?.close()
    } catch (reason) {
      error.value = reason
    }
  }
  return (
    <>
      <button type="button" class="danger" onClick={() => dialog.current?.showModal()}>
        Delete
      </button>
      <dialog class="dialog" ref={dialog} aria-label={`Delete ${name}`}>
        <h2>
          Delete {resource.kind} {name}?
        </h2>
        <label>
          What belongs to it{' '}
          <select
            value={propagation.value}
            onChange={event => {
              propagation.value = event.currentTarget.value
            }}
          >
            <option value="Background">is deleted after it</option>
            <option value="Foreground">is deleted before it</option>
            <option value="Orphan">stays</option>
          </select>
        </label>
        {error.value !== undefined && <Problem error={error.value} />}
        <p class="dialog-actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="button" class="danger" onClick={() => void remove()}>
            Delete
          </button>
        </p>
      </dialog>
    </>
  )
}
