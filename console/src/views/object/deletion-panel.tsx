import { useSignal } from '@preact/signals'
import { qualifiedName } from '../../api/access-question.js'
import { features } from '../../api/features.js'
import { apiVersionOf, objectPath } from '../../api/paths.js'
import { request } from '../../api/request.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'
import { TableHead } from '../../ui/table-head.js'
import type { TabProps } from './tab.js'

interface Deletion {
  readonly reasons: readonly string[]
  readonly finalizers: readonly {
    readonly name: string
    readonly meaning?: string
    readonly setBy: readonly { readonly manager: string }[]
  }[]
  readonly remaining?: readonly { readonly resource: string; readonly objects: number; readonly names: readonly string[] }[]
}

/** Why an object that is being deleted is still there, and what one can do. */
export function DeletionPanel({ resource, object }: TabProps) {
  const { name, namespace = '', resourceVersion, finalizers = [] } = object.metadata
  const { value } = useLoad(
    async signal =>
      features.value.explain
        ? request<Deletion>('/binnacle/v1/explain/deletion', {
            method: 'POST',
            body: { resource: qualifiedName(resource), namespace, name },
            signal
          })
        : undefined,
    [resourceVersion]
  )
  return (
    <section class="answer refused" aria-label="Why it is still here">
      <h2>Why it is still here</h2>
      {value ? (
        <ul>
          {value.reasons.map(reason => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : (
        <p>
          {finalizers.length > 0
            ? `It goes when nobody holds it any more. Finalizers: ${finalizers.join(', ')}.`
            : 'It has a grace period, or what belongs to it goes first.'}
        </p>
      )}
      {value?.remaining && value.remaining.length > 0 && (
        <table class="simple-table">
          <TableHead titles={['Still in it', 'How many', 'Some of them']} />
          <tbody>
            {value.remaining.map(({ resource, objects, names }) => (
              <tr key={resource}>
                <td>{resource}</td>
                <td>{objects}</td>
                <td>{names.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {finalizers.map(finalizer => (
        <RemoveFinalizer
          key={finalizer}
          resource={resource}
          object={object}
          finalizer={finalizer}
          meaning={value?.finalizers.find(({ name }) => name === finalizer)?.meaning}
        />
      ))}
    </section>
  )
}

/** Takes a finalizer away, when its controller will never do it. Asks first, because what it stands for is then left undone. */
function RemoveFinalizer({
  resource,
  object,
  finalizer,
  meaning
}: TabProps & { finalizer: string; meaning: string | undefined }) {
  const isSure = useSignal(false)
  const error = useSignal<unknown>(undefined)
  const { name, namespace = '', finalizers = [], resourceVersion } = object.metadata
  const remove = async () => {
    try {
      const left = finalizers.filter(other => other !== finalizer)
      const metadata = { resourceVersion, finalizers: left.length > 0 ? left : null }
      await request(objectPath(resource, namespace, name), {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata }
      })
    } catch (reason) {
      error.value = reason
    }
  }
  return (
    <div>
      <code>{finalizer}</code> <span class="quiet">{meaning}</span>{' '}
      {isSure.value ? (
        <button type="button" class="danger" onClick={() => void remove()}>
          Remove {finalizer}: what it waits for stays undone
        </button>
      ) : (
        <button
          type="button"
          onClick={() => {
            isSure.value = true
          }}
        >
          Remove …
        </button>
      )}
      {error.value !== undefined && <Problem error={error.value} />}
    </div>
  )
}
