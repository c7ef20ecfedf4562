/** The rules of the ClusterRoles admin, edit and view. */
import type { PolicyRule } from '../../../../apimachinery/api/generated/rbac-v1.js'
import type { FeatureGates } from '../../../../apimachinery/features/feature-gates.js'
import { read, readWrite, rule, write } from './notation.js'

/** The default roles that admin, edit and view aggregate by label. Extensions may add more of them. */
export const aggregatedRules = (features: FeatureGates): Readonly<Record<string, readonly PolicyRule[]>> => ({
  admin: [
    rule('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
    rule(readWrite, 'rbac.authorization.k8s.io', 'rolebindings roles')
  ],
  edit: [
    rule(read, 'core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
    rule('impersonate', 'core', 'serviceaccounts'),
    rule(write, 'core', 'pods pods/attach pods/exec pods/portforward pods/proxy'),
    rule('create', 'core', 'pods/eviction'),
    rule(
      write,
      'core',
      'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy'
    ),
    rule('create', 'core', 'serviceaccounts/token'),
    rule(write, 'core events.k8s.io', 'events'),
    rule(
      write,
      'apps',
      'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale'
    ),
    rule(write, 'autoscaling', 'horizontalpodautoscalers'),
    rule(write, 'batch', 'cronjobs jobs'),
    rule(
      write,
      'extensions',
      'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale'
    ),
    rule(write, 'policy', 'poddisruptionbudgets'),
    rule(write, 'networking.k8s.io', 'ingresses networkpolicies'),
    rule(readWrite, 'coordination.k8s.io', 'leases'),
    rule(write, 'resource.k8s.io', 'resourceclaims resourceclaimtemplates'),
    ...(features.enabled('GenericWorkload') ? [rule(write, 'scheduling.k8s.io', 'podgroups workloads')] : []),
    ...(features.enabled('CompositePodGroup') ? [rule(write, 'scheduling.k8s.io', 'compositepodgroups')] : []),
    // only the server itself writes evictions
    ...(features.enabled('EvictionRequestAPI') ? [rule(write, 'lifecycle.k8s.io', 'evictionrequests')] : [])
  ],
  view: [
    rule(
      read,
      'core',
      'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status'
    ),
    rule(
      read,
      'core',
      'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status'
    ),
    rule(read, 'core', 'namespaces'),
    rule(read, 'core events.k8s.io', 'events'),
    rule(read, 'discovery.k8s.io', 'endpointslices'),
    rule(
      read,
      'apps',
      'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status'
    ),
    rule(read, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
    rule(read, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
    rule(
      read,
      'extensions',
      'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale'
    ),
    rule(read, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
    rule(read, 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
    rule(read, 'resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates'),
    ...(features.enabled('GenericWorkload') ? [rule(read, 'scheduling.k8s.io', 'podgroups podgroups/status workloads')] : []),
    ...(features.enabled('CompositePodGroup')
      ? [rule(read, 'scheduling.k8s.io', 'compositepodgroups compositepodgroups/status')]
      : []),
    ...(features.enabled('EvictionRequestAPI') ? [rule(read, 'lifecycle.k8s.io', 'evictionrequests evictions')] : [])
  ]
})
