const deployment = (name, replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '100m' } } }] }
    }
  }
})
const autoscaler = (name, target, spec = {}, kind = 'Deployment') => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind, name: target },
    minReplicas: 2,
    maxReplicas: 4,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
    ...spec
  }
})

// metrics are no part of it: the cluster that is recorded has none
export default [
  { name: 'targets', create: [deployment('few', 1), deployment('many', 6), deployment('none', 0)] },
  {
    name: 'limits',
    create: [
      autoscaler('few', 'few'),
      autoscaler('many', 'many'),
      autoscaler('none', 'none'),
      autoscaler('lost', 'lost'),
      autoscaler('unknown', 'none', {}, 'Nothing')
    ]
  }
]
