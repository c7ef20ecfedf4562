import type { Ingress } from '../../../apimachinery/api/generated/networking-v1.js'
import type { BuiltinPlugin } from '../../admission.js'
import { annotatedDefaults, newest } from './default-classes.js'

const legacy = 'kubernetes.io/ingress.class'

/** Sets the default class of Ingresses that name no class. */
export const defaultIngressClass: BuiltinPlugin = {
  name: 'DefaultIngressClass',
  operations: ['CREATE'],
  resources: ['networking.k8s.io/ingresses'],
  admit({ object, context }) {
    const { metadata, spec }: Ingress = object
    if (spec.ingressClassName !== undefined || metadata.annotations?.[legacy] !== undefined) return
    const defaults = annotatedDefaults(context.services, 'networking.k8s.io', 'ingressclasses', [
      'ingressclass.kubernetes.io/is-default-class'
    ])
    if (defaults.length === 0) return
    spec.ingressClassName = newest(defaults).metadata.name
  }
}
