/** Which Pods are spread by default: those of the same Services, and of the same controller. */
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { LabelSelector, Labels } from '../../apimachinery/selectors/labels.js'
import type { SharedInformers } from '../../client/stored-types.js'
import { controllerOf } from '../workloads/owners.js'
import { labelsOf } from './labels.js'

type Expressions = NonNullable<LabelSelector['matchExpressions']>

const isSelected = (selector: Labels | undefined, labels: Labels): boolean =>
  selector !== undefined && Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value)

const expressionsOf = ({ matchLabels, matchExpressions }: LabelSelector): Expressions => [
  ...Object.entries(matchLabels ?? {}).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
  ...(matchExpressions ?? [])
]

export class SpreadSelectors {
  readonly #informers: SharedInformers
  readonly #services

  constructor(informers: SharedInformers) {
    this.#informers = informers
    this.#services = informers.of('v1', 'Service').index(({ metadata }) => [metadata.namespace!])
    // they are asked for later, and have their objects by then
    informers.of('v1', 'ReplicationController')
    informers.of('apps/v1', 'ReplicaSet')
    informers.of('apps/v1', 'StatefulSet')
  }

  of(pod: Pod): LabelSelector | undefined {
    const labels = labelsOf(pod)
    const services = this.#services(pod.metadata.namespace!).filter(({ spec }) => isSelected(spec.selector, labels))
    const matchLabels = Object.assign({}, ...services.map(({ spec }) => spec.selector)) as Record<string, string>
    const matchExpressions = this.#controllerExpressions(pod)
    if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) return undefined
    return { matchLabels, matchExpressions }
  }

  #controllerExpressions(pod: Pod): Expressions {
    const owner = controllerOf(pod)
    if (!owner) return []
    const name = { metadata: { name: owner.name, namespace: pod.metadata.namespace } }
    switch (`${owner.apiVersion} ${owner.kind}`) {
      case 'v1 ReplicationController':
        return expressionsOf({ matchLabels: this.#informers.of('v1', 'ReplicationController').get(name)?.spec.selector })
      case 'apps/v1 ReplicaSet':
        return expressionsOf(this.#informers.of('apps/v1', 'ReplicaSet').get(name)?.spec.selector ?? {})
      case 'apps/v1 StatefulSet':
        return expressionsOf(this.#informers.of('apps/v1', 'StatefulSet').get(name)?.spec.selector ?? {})
      default:
        return []
    }
  }
}
