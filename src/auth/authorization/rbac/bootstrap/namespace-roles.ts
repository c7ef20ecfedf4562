/** The default Roles in kube-system and kube-public. */
import type { PolicyRule } from '../../../../apimachinery/api/generated/rbac-v1.js'
import { events, read, rule } from './notation.js'

export const systemRoles: Readonly<Record<string, readonly PolicyRule[]>> = {
  'extension-apiserver-authentication-reader': [rule(read, 'core', 'configmaps', 'extension-apiserver-authentication')],
  'system:controller:bootstrap-signer': [rule(read, 'core', 'secrets')],
  'system:controller:cloud-provider': [rule('create get list watch', 'core', 'configmaps')],
  'system:controller:token-cleaner': [rule('delete get list watch', 'core', 'secrets'), events],
  'system::leader-locking-kube-controller-manager': [
    rule('create get list update watch', 'coordination.k8s.io', 'leases'),
    rule('create get list update watch', 'coordination.k8s.io', 'leasecandidates')
  ],
  'system::leader-locking-kube-scheduler': [
    rule('create get list update watch', 'coordination.k8s.io', 'leases'),
    rule('create get list update watch', 'coordination.k8s.io', 'leasecandidates')
  ]
}

export const publicRoles: Readonly<Record<string, readonly PolicyRule[]>> = {
  'system:controller:bootstrap-signer': [
    rule(read, 'core', 'configmaps'),
    rule('update', 'core', 'configmaps', 'cluster-info'),
    events
  ]
}
