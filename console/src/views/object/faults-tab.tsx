import { useSignal } from '@preact/signals'
import { apiVersionOf, objectPath } from '../../api/paths.js'
import { request } from '../../api/request.js'
import { Problem } from '../../ui/problem.js'
import type { TabProps } from './tab.js'

interface Fault {
  readonly name: string
  readonly value: string
  readonly means: string
}

const prefix = 'simulate.binnacle.dev/'

// As docs/simulate.md has them.
const ofNodes: readonly Fault[] = [
  { name: 'silent', value: 'true', means: 'It loses its power or its network: nothing is heard of it any more.' },
  { name: 'not-ready', value: 'container runtime is down', means: 'Its kubelet is not ready.' },
  { name: 'memory-pressure', value: 'true', means: 'Its memory runs short.' },
  { name: 'disk-pressure', value: 'true', means: 'Its disk is nearly full.' },
  { name: 'pid-pressure', value: 'true', means: 'It has too many processes.' },
  { name: 'resize-refused', value: 'the node does not allow it', means: 'It resizes no Pod.' }
]
const ofPods: readonly Fault[] = [
  { name: 'ready', value: 'false', means: 'Its readiness probes fail.' },
  { name: 'exits-after', value: '0s', means: 'Its containers end.' },
  { name: 'pull-error', value: 'manifest unknown', means: 'Its images cannot be pulled when a container starts anew.' },
  { name: 'cpu-usage', value: '2', means: 'Each container uses two cores.' },
  { name: 'memory-usage', value: '1Gi', means: 'Each container uses 1 GiB.' }
]

/** What a simulated cluster can do wrong with a Node or a Pod: annotations that its kubelets look at. */
export function FaultsTab({ resource, object }: TabProps) {
  const error = useSignal<unknown>(undefined)
  const { name, namespace = '', annotations = {} } = object.metadata
  const set = async (fault: Fault, value: string | null) => {
    error.value = undefined
    try {
      await request(objectPath(resource, namespace, name), {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: {
          apiVersion: apiVersionOf(resource),
          kind: resource.kind,
          metadata: { annotations: { [prefix + fault.name]: value } }
        }
      })
    } catch (reason) {
      error.value = reason
    }
  }
  return (
    <>
      <p class="quiet">The simulated kubelets obey these annotations. On a cluster that is not simulated they mean nothing.</p>
      {error.value !== undefined && <Problem error={error.value} />}
      <table class="simple-table">
        <tbody>
          {(resource.name === 'nodes' ? ofNodes : ofPods).map(fault => {
            const present = annotations[prefix + fault.name]
            return (
              <tr key={fault.name}>
                <th scope="row">{fault.name}</th>
                <td>{fault.means}</td>
                <td>{present !== undefined && <code>{present}</code>}</td>
                <td>
                  {present === undefined ? (
                    <button type="button" onClick={() => void set(fault, fault.value)}>
                      Cause
                    </button>
                  ) : (
                    <button type="button" onClick={() => void set(fault, null)}>
                      End
                    </button>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </>
  )
}
