import type { Ingress } from '../../apimachinery/api/generated/networking-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { Path } from '../../apimachinery/validation/field.js'
import { ipWarnings } from '../../apimachinery/validation/ip.js'
import { changesThenAsNew } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateIngressSpec, validateLoadBalancer } from './ingress-validation.js'

/** The annotation that spec.ingressClassName has replaced. */
const classAnnotation = 'kubernetes.io/ingress.class'
/** The number of hosts that are shown before "+ n more...". */
const shownHosts = 3

export const ingress = defineKind<Ingress>({
  group: 'networking.k8s.io',
  kind: 'Ingress',
  resource: 'ingresses',
  shortNames: ['ing'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'networking.v1.Ingress' }],
  storage: { path: 'ingress' },
  table: {
    columns: builtinColumns<Ingress>('networking.k8s.io/ingresses', {
      Name: o => o.metadata.name,
      Class: o => o.spec.ingressClassName ?? '<none>',
      Hosts: hosts,
      Address: o =>
        (o.status.loadBalancer.ingress ?? [])
          .map(({ ip, hostname }) => ip || hostname)
          .filter(Boolean)
          .join(','),
      Ports: o => (o.spec.tls?.length ? '80, 443' : '80'),
      Age: age
    })
  },
  generation: true,
  strategy: {
    prepareForCreate(o) {
      o.status = { loadBalancer: {} }
    },
    updateChecks: changesThenAsNew,
    validate: ({ spec }, errors, _, old) => validateIngressSpec(spec, Path.of('spec'), errors, old?.spec),
    validateCreate({ metadata, spec: { ingressClassName } }, errors) {
      const annotation = metadata.annotations?.[classAnnotation]
      if (annotation === undefined || ingressClassName === undefined || annotation === ingressClassName) return
      errors.invalid(Path.of('annotations', classAnnotation), annotation, 'must match `ingressClassName` when both are specified')
    },
    warnings({ metadata, spec }, old) {
      return old || metadata.annotations?.[classAnnotation] === undefined || spec.ingressClassName !== undefined
        ? []
        : [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
    }
  },
  subresources: {
    status: {
      validateUpdate: ({ status }, { status: old }, errors) =>
        validateLoadBalancer(status.loadBalancer, old.loadBalancer, Path.of('status', 'loadBalancer'), errors),
      warnings({ status }) {
        const path = Path.of('status', 'loadBalancer', 'ingress')
        return (status.loadBalancer.ingress ?? []).flatMap(({ ip }, i) => (ip ? ipWarnings(ip, path.index(i)) : []))
      }
    }
  }
})

function hosts({ spec: { rules = [] } }: Ingress): string {
  const names = rules.map(rule => rule.host).filter(Boolean)
  if (names.length === 0) return '*'
  const more = rules.length - shownHosts
  return names.length > shownHosts || (names.length === shownHosts && more > 0)
    ? `${names.slice(0, shownHosts).join(',')} + ${more} more...`
    : names.join(',')
}
