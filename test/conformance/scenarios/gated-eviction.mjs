import { life } from '../life.mjs'

const group = 'lifecycle.k8s.io/v1alpha1'
const at = resource => `/apis/${group}/namespaces/\${ns}/${resource}`
const uid = 'dddddddd-0000-0000-0000-000000000007'
const target = { pod: { name: 'web-0', uid } }
const table = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const condition = { type: 'Complete', status: 'False', reason: 'Waiting', message: '', lastTransitionTime: '2026-05-06T07:08:09Z' }
const of = (kind, name, spec) => ({ apiVersion: group, kind, metadata: { name }, spec })
const pod = responders => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0' }, spec: { automountServiceAccountToken: false, evictionResponders: responders, containers: [{ name: 'c', image: 'i' }] } })

export default {
  name: 'gated-eviction',
  doc: 'EvictionRequests, Evictions and the responders of Pods.',
  server: 'all-gates',
  steps: [
    ...life('request', at('evictionrequests'), of('EvictionRequest', 'drain', { target, requester: 'drain.example.com/node-a', intent: 'Eviction' }), {
      bad: {
        intent: { spec: { intent: 'Never' } },
        requester: { spec: { requester: `${'x'.repeat(300)}.example.com/r` } },
        'requester-plain': { spec: { requester: 'plain' } },
        'requester-reserved': { spec: { requester: 'node.k8s.io/x' } },
        'target-uid': { spec: { target: { pod: { uid: 'x y' } } } },
        'target-name': { spec: { target: { pod: { name: '' } } } },
        'no-target': { spec: { target: { pod: undefined } } }
      },
      patch: {
        withdrawn: { spec: { intent: 'Withdrawn' } },
        again: { spec: { intent: 'Eviction' } },
        requester: { spec: { requester: 'other.example.com/x' } },
        target: { spec: { target: { pod: { name: 'web-1' } } } },
        'target-gone': { spec: { target: null } }
      },
      status: {
        waiting: { status: { observedGeneration: 1, conditions: [condition] } },
        'conditions-odd': { status: { observedGeneration: -1, conditions: [{ ...condition, type: 'a b', status: 'Odd', reason: '' }] } }
      },
      end: false
    }),
    { id: 'request-table', path: at('evictionrequests'), headers: table, only: ['status', 'body.columnDefinitions'] },
    { id: 'request-select', path: `${at('evictionrequests')}?fieldSelector=spec.requester%3Dx` },
    { id: 'request-alice', as: 'alice', path: at('evictionrequests/drain') },
    { id: 'request-delete', method: 'DELETE', path: at('evictionrequests/drain') },
    ...life('eviction', at('evictions'), of('Eviction', uid, { target }), {
      bad: {
        name: { metadata: { name: 'other' } },
        'target-name': { spec: { target: { pod: { name: 'A_' } } } },
        'target-uid': { metadata: { name: 'x' }, spec: { target: { pod: { uid: '' } } } }
      },
      patch: { target: { spec: { target: { pod: { name: 'web-1' } } } } },
      status: {
        started: { status: { observedGeneration: 1, conditions: [condition], requesters: [{ name: 'drain.example.com/node-a', intent: 'Eviction' }], targetResponders: [{ name: 'a.example.com/x', priority: 5000, state: 'Active' }], responders: [{ name: 'a.example.com/x', startTime: '2026-05-06T07:08:09Z', heartbeatTime: '2026-05-06T07:08:10Z' }] } },
        odd: { status: { requesters: [{ name: 'x', intent: 'Odd' }, { name: 'x', intent: 'Eviction' }], targetResponders: [{ name: 'a', priority: -1, state: 'Odd' }], responders: [{ name: 'b', message: 'm'.repeat(40) }, { name: 'b' }] } },
        'completed-responder': { status: { targetResponders: [{ name: 'a.example.com/x', priority: 5000, state: 'Completed' }], responders: [{ name: 'a.example.com/x', startTime: '2026-05-06T07:08:09Z', completionTime: '2026-05-06T07:08:00Z' }] } }
      },
      end: false
    }),
    { id: 'eviction-table', path: at('evictions'), headers: table, only: ['status', 'body.columnDefinitions'] },
    { id: 'eviction-delete', method: 'DELETE', path: at(`evictions/${uid}`) },
    { id: 'responders', path: '/api/v1/namespaces/${ns}/pods', body: pod([{ name: 'a.example.com/x', priority: 2000 }, { name: 'b.example.com/y', priority: 1000 }]) },
    { id: 'responders-changed', method: 'PATCH', path: '/api/v1/namespaces/${ns}/pods/web-0', headers: { 'Content-Type': 'application/strategic-merge-patch+json' }, body: { spec: { evictionResponders: [{ name: 'a.example.com/x', priority: 3000 }] } }, only: ['status', 'body.reason', 'body.details.causes.0.field'] },
    { id: 'responders-same-priority', path: '/api/v1/namespaces/${ns}/pods?dryRun=All', body: pod([{ name: 'a.example.com/x', priority: 1020 }, { name: 'b.example.com/y', priority: 1020 }]) },
    { id: 'responders-high', path: '/api/v1/namespaces/${ns}/pods?dryRun=All', body: pod([{ name: 'a.example.com/x', priority: 100001 }]) },
    { id: 'responders-reserved', path: '/api/v1/namespaces/${ns}/pods?dryRun=All', body: pod([{ name: 'a.k8s.io/x', priority: 1 }]) },
    { id: 'responders-many', path: '/api/v1/namespaces/${ns}/pods?dryRun=All', body: pod(Array.from({ length: 60 }, (_, i) => ({ name: `r${i}.example.com/x`, priority: 1000 + i }))) }
  ]
}
