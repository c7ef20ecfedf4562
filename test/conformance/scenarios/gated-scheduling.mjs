import { life } from '../life.mjs'

const at = (version, resource) => `/apis/scheduling.k8s.io/${version}/namespaces/\${ns}/${resource}`
const object = (version, kind, name, spec) => ({ apiVersion: `scheduling.k8s.io/${version}`, kind, metadata: { name }, spec })
const alpha = 'v1alpha3'
const beta = 'v1beta1'
const basic = { basic: {} }
const gang = { gang: { minCount: 2 } }
const workers = { name: 'workers', schedulingPolicy: gang, priority: 5, disruptionMode: { all: {} }, schedulingConstraints: { topology: [{ key: 'example.com/rack' }] } }
const claims = [{ name: 'gpu', resourceClaimTemplateName: 't' }, { name: 'nic', resourceClaimName: 'c' }]
const table = { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
const merge = { 'Content-Type': 'application/merge-patch+json' }
const templates = podGroupTemplates => ({ spec: { podGroupTemplates } })
const group = spec => ({ spec })
const condition = { type: 'PodGroupInitiallyScheduled', status: 'True', reason: 'Scheduled', message: 'm', lastTransitionTime: '2026-05-06T07:08:09Z' }
const composite = { workloadRef: { workloadName: 'w', templateName: 'rack' }, schedulingPolicy: { gang: { minGroupCount: 2 } }, disruptionMode: { single: {} } }

export default {
  name: 'gated-scheduling',
  doc: 'Workloads and groups of Pods, refused, made, changed and read in the other version.',
  server: 'all-gates',
  steps: [
    ...life('workload', at(beta, 'workloads'), object(beta, 'Workload', 'w', { controllerRef: { apiGroup: 'example.com', kind: 'Training', name: 't' }, podGroupTemplates: [workers] }), {
      bad: {
        twice: templates([workers, workers]),
        names: templates([{ name: 'a.b', schedulingPolicy: basic }, { name: '', schedulingPolicy: basic }]),
        'no-policy': templates([{ name: 'a', schedulingPolicy: {} }]),
        'both-policies': templates([{ name: 'a', schedulingPolicy: { ...basic, ...gang } }]),
        'count-zero': templates([{ name: 'a', schedulingPolicy: { gang: { minCount: 0 } } }]),
        'count-negative': templates([{ name: 'a', schedulingPolicy: { gang: { minCount: -3 } } }]),
        'both-disruptions': templates([{ name: 'a', schedulingPolicy: gang, disruptionMode: { all: {}, single: {} } }]),
        'no-disruption': templates([{ name: 'a', schedulingPolicy: gang, disruptionMode: {} }]),
        topology: templates([{ name: 'a', schedulingPolicy: gang, schedulingConstraints: { topology: [{ key: 'a b' }, { key: 'x' }] } }]),
        claims: templates([{ name: 'a', schedulingPolicy: gang, resourceClaims: [{ name: 'A' }, { name: 'b', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }, { name: 'c', resourceClaimName: 'X' }] }]),
        priority: templates([{ name: 'a', schedulingPolicy: gang, priority: 2000000001 }]),
        'class-unknown': templates([{ name: 'a', schedulingPolicy: gang, priority: undefined, priorityClassName: 'nobody' }]),
        preemption: templates([{ name: 'a', schedulingPolicy: gang, preemptionPolicy: 'Odd' }]),
        'nine-templates': templates(Array.from({ length: 9 }, (_, i) => ({ name: `g${i}`, schedulingPolicy: basic }))),
        controller: { spec: { controllerRef: { apiGroup: 'A_', kind: '', name: '/' } } },
        nested: { spec: { podGroupTemplates: [], compositePodGroupTemplates: [{ name: 'rack', schedulingPolicy: { gang: { minGroupCount: 0 } }, podGroupTemplates: [{ name: 'rack', schedulingPolicy: basic }] }] } }
      },
      patch: {
        controller: { spec: { controllerRef: { name: 'other' } } },
        policy: templates([{ ...workers, schedulingPolicy: basic }]),
        count: templates([{ ...workers, schedulingPolicy: { gang: { minCount: 4 } } }])
      },
      end: false
    }),
    { id: 'workload-composite', path: at(alpha, 'workloads'), body: object(alpha, 'Workload', 'nested', { compositePodGroupTemplates: [{ name: 'rack', schedulingPolicy: { gang: { minGroupCount: 2 } }, disruptionMode: { all: {} }, podGroupTemplates: [{ name: 'workers', schedulingPolicy: gang, resourceClaims: claims }] }] }) },
    { id: 'workload-composite-beta', path: at(beta, 'workloads/nested') },
    { id: 'workload-alpha', path: at(alpha, 'workloads/w') },
    { id: 'workload-alpha2', path: at('v1alpha2', 'workloads/w') },
    { id: 'workload-table', path: at(beta, 'workloads'), headers: table, only: ['status', 'body.columnDefinitions'] },
    { id: 'workload-delete', method: 'DELETE', path: at(beta, 'workloads/w') },
    ...life('group', at(beta, 'podgroups'), object(beta, 'PodGroup', 'g', { schedulingPolicy: gang, resourceClaims: claims, workloadRef: { workloadName: 'nested', templateName: 'workers' }, preemptionPolicy: 'Never', priority: 7 }), {
      bad: {
        reference: group({ workloadRef: { workloadName: 'A B', templateName: '' } }),
        'reference-half': group({ workloadRef: { workloadName: 'w', templateName: undefined } }),
        policy: group({ schedulingPolicy: { gang: undefined } }),
        claims: group({ resourceClaims: [...claims, ...claims, { name: 'none' }] }),
        disruption: group({ disruptionMode: { all: {}, single: {} } }),
        topology: group({ schedulingConstraints: { topology: [{ key: '' }] } }),
        class: group({ priorityClassName: 'A_B' }),
        parent: group({ parentCompositePodGroupName: 'A_B' })
      },
      patch: {
        'min-count': group({ schedulingPolicy: { gang: { minCount: 3 } } }),
        reference: group({ workloadRef: { templateName: 'other' } }),
        claims: group({ resourceClaims: [] }),
        priority: group({ priority: 8 })
      },
      status: {
        scheduled: { status: { conditions: [condition], resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'made' }] } },
        odd: { status: { conditions: [condition, { ...condition, reason: '' }], resourceClaimStatuses: [{ name: 'unknown', resourceClaimName: 'A_' }] } }
      },
      end: false
    }),
    { id: 'group-alpha', path: at(alpha, 'podgroups/g') },
    { id: 'group-table', path: at(beta, 'podgroups'), headers: table, only: ['status', 'body.columnDefinitions'] },
    { id: 'group-scale', path: at(beta, 'podgroups/g/scale') },
    ...life('composite', at(alpha, 'compositepodgroups'), object(alpha, 'CompositePodGroup', 'c', composite), {
      bad: {
        reference: group({ workloadRef: { workloadName: '', templateName: 'A_' } }),
        policies: group({ schedulingPolicy: { basic: {} } }),
        count: group({ schedulingPolicy: { gang: { minGroupCount: -1 } } }),
        itself: group({ parentCompositePodGroupName: 'c' })
      },
      patch: { count: group({ schedulingPolicy: { gang: { minGroupCount: 3 } } }), mode: group({ disruptionMode: { single: null, all: {} } }) },
      status: { scheduled: { status: { conditions: [{ ...condition, type: 'Any' }] } } }
    }),
    { id: 'composite-beta', path: at(beta, 'compositepodgroups') },
    { id: 'job-scheduling', path: '/apis/batch/v1/namespaces/${ns}/jobs?dryRun=All', body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { parallelism: 2, completions: 2, completionMode: 'Indexed', scheduling: { schedulingPolicy: { gang: { minCount: 2 } } }, template: { spec: { restartPolicy: 'Never', automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] } } } }, mask: [/batch.kubernetes.io\/controller-uid":"[^"]*/] },
    { id: 'job-scheduling-odd', path: '/apis/batch/v1/namespaces/${ns}/jobs?dryRun=All&fieldValidation=Strict', body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { scheduling: { schedulingPolicy: {}, odd: 1 }, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } } },
    { id: 'pod-of-group', path: '/api/v1/namespaces/${ns}/pods', body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { automountServiceAccountToken: false, schedulingGroup: { podGroupName: 'g' }, containers: [{ name: 'c', image: 'i' }] } } },
    { id: 'pod-of-other-group', method: 'PATCH', path: '/api/v1/namespaces/${ns}/pods/p', headers: merge, body: { spec: { schedulingGroup: { podGroupName: 'h' } } }, mask: [/core\.PodSpec\{[^]*/] }
  ]
}
