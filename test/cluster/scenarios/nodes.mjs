/** Nodes are given up after 50 seconds of silence, and their Pods deleted as late. */
export const isSlow = true

const time = '2026-01-01T00:00:00Z'
const condition = (type, status, lastHeartbeatTime = time) => ({
  type,
  status,
  lastHeartbeatTime,
  lastTransitionTime: time,
  reason: 'Scenario',
  message: 'as the scenario wants it'
})
const pod = (name, tolerations) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { nodeName: 'ghost', tolerations, containers: [{ name: 'web', image: 'nginx' }] }
})
const running = name => [
  'v1',
  'pods',
  name,
  { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time }] } },
  'status'
]
const conditions = (...list) => ['v1', 'nodes', 'ghost', { status: { conditions: list } }, 'status']
const unreachable = tolerationSeconds => ({
  key: 'node.kubernetes.io/unreachable',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds
})

export default [
  {
    name: 'registered',
    create: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'ghost', labels: { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' } },
      status: { conditions: [condition('Ready', 'True'), condition('NetworkUnavailable', 'False')] }
    },
    seconds: 6
  },
  { name: 'with Pods', create: [pod('short', [unreachable(5)]), pod('long', [unreachable(3600)])] },
  { name: 'one runs', patch: running('short') },
  { name: 'both run', patch: running('long') },
  { name: 'under pressure', patch: conditions(condition('DiskPressure', 'True'), condition('PIDPressure', 'True')) },
  { name: 'without', patch: conditions(condition('DiskPressure', 'False'), condition('PIDPressure', 'False')) },
  { name: 'cordoned', patch: ['v1', 'nodes', 'ghost', { spec: { unschedulable: true } }] },
  { name: 'not ready', patch: conditions(condition('Ready', 'False', '2026-01-01T00:00:01Z')), seconds: 6 },
  { name: 'ready', patch: conditions(condition('Ready', 'True', '2026-01-01T00:00:02Z')), seconds: 6 },
  { name: 'silent', patch: ['v1', 'nodes', 'ghost', { metadata: { labels: { note: 'silent-from-now-on' } } }], seconds: 70 },
  { name: 'back', patch: conditions(condition('Ready', 'True', '2026-01-01T00:00:03Z')), seconds: 6 },
  { name: 'deleted', remove: ['v1', 'nodes', 'ghost'], seconds: 90 }
]
