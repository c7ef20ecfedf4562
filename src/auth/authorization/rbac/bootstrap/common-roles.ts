/** The ClusterRoles of administrators, authenticated users and monitoring. */
import type { PolicyRule } from '../../../../apimachinery/api/generated/rbac-v1.js'
import type { FeatureGates } from '../../../../apimachinery/features/feature-gates.js'
import { paths, rule } from './notation.js'

export const commonRoles = (features: Pick<FeatureGates, 'enabled'>): Readonly<Record<string, readonly PolicyRule[]>> => ({
  'cluster-admin': [rule('*', '*', '*'), paths('*', '*')],
  'system:discovery': [paths('get', '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/')],
  'system:monitoring': [
    paths(
      'get',
      [
        ...(features.enabled('ComponentFlagz') ? ['/flagz'] : []),
        '/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*',
        ...(features.enabled('ComponentStatusz') ? ['/statusz'] : [])
      ].join(' ')
    ),
    rule('get', 'core', 'nodes/metrics')
  ],
  'system:basic-user': [
    rule('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
    rule('create', 'authentication.k8s.io', 'selfsubjectreviews')
  ],
  'system:public-info-viewer': [paths('get', '/healthz /livez /readyz /version /version/')]
})
