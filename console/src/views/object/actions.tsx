import { useSignal } from '@preact/signals'
import { apiVersionOf, objectPath } from '../../api/paths.js'
import { request } from '../../api/request.js'
import { useMay } from '../../ui/may.js'
import { Problem } from '../../ui/problem.js'
import { DeleteButton } from './delete-button.js'
import type { TabProps } from './tab.js'

/** What one does with an object most: scale, restart, cordon, delete. What one may not do is not there. */
export function Actions({ resource, object }: TabProps) {
  const { name, namespace } = object.metadata
  const may = (verb: string, subresource = '') => useMay(verb, resource, subresource, namespace, name)
  const [mayPatch, mayScale, mayDelete] = [may('patch'), may('patch', 'scale'), may('delete')]
  const { spec = {} } = object as { spec?: { replicas?: number; template?: unknown; unschedulable?: boolean } }
  return (
    <span class="actions">
      {mayScale && resource.subresources.includes('scale') && typeof spec.replicas === 'number' && (
        <Scale resource={resource} object={object} replicas={spec.replicas} />
      )}
      {mayPatch && resource.group === 'apps' && resource.name !== 'replicasets' && spec.template !== undefined && (
        <Patch
          {...{ resource, object }}
          title="Restart"
          patch={() => ({
            spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() } } } }
          })}
        />
      )}
      {mayPatch && resource.group === '' && resource.name === 'nodes' && (
        <Patch
          {...{ resource, object }}
          title={spec.unschedulable ? 'Uncordon' : 'Cordon'}
          patch={() => ({ spec: { unschedulable: spec.unschedulable ? null : true } })}
        />
      )}
      {mayDelete && resource.verbs.includes('delete') && <DeleteButton resource={resource} object={object} />}
    </span>
  )
}

interface PatchProps extends TabProps {
  readonly title: string
  patch(): object
}

function Patch({ resource, object, title, patch }: PatchProps) {
  const error = useSignal<unknown>(undefined)
  const run = async () => {
    error.value = undefined
    try {
      await mergePatch({ resource, object }, '', patch())
    } catch (reason) {
      error.value = reason
    }
  }
  return (
    <>
      <button type="button" onClick={() => void run()}>
        {title}
      </button>
      {error.value !== undefined && <Problem error={error.value} />}
    </>
  )
}

function Scale({ resource, object, replicas }: TabProps & { replicas: number }) {
  const error = useSignal<unknown>(undefined)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = Number(new FormData(event.currentTarget as HTMLFormElement).get('replicas'))
    error.value = undefined
    try {
      await mergePatch({ resource, object }, 'scale', { spec: { replicas: wanted } })
    } catch (reason) {
      error.value = reason
    }
  }
  return (
    <form class="scale" onSubmit={submit}>
      <label>
        Replicas <input key={replicas} name="replicas" type="number" min={0} defaultValue={String(replicas)} />
      </label>
      <button type="submit">Scale</button>
      {error.value !== undefined && <Problem error={error.value} />}
    </form>
  )
}

function mergePatch({ resource, object }: TabProps, subresource: string, patch: object): Promise<unknown> {
  const { name, namespace = '' } = object.metadata
  const identity = subresource ? {} : { apiVersion: apiVersionOf(resource), kind: resource.kind }
  return request(objectPath(resource, namespace, name, subresource), {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    query: { fieldManager: 'binnacle-console' },
    body: { ...identity, ...patch }
  })
}
