const behaviour = 'simulate.binnacle.dev/'
const job = (name, { fails, runs, rp = 'Never', ...spec } = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: {
    ...spec,
    template: {
      metadata: {
        annotations: {
          ...(fails ? { [`${behaviour}exit-code`]: fails } : {}),
          ...(runs ? { [`${behaviour}exits-after`]: 'never' } : {})
        }
      },
      spec: { restartPolicy: rp, containers: [{ name: 'main', image: 'busybox' }] }
    }
  }
})
const change = (name, spec) => ['batch/v1', 'jobs', name, { spec }]
const failOn3 = action => ({ rules: [{ action, onExitCodes: { operator: 'In', values: [3] } }] })

export default [
  {
    name: 'completes',
    create: [job('one'), job('three', { completions: 3, parallelism: 2 }), job('queue', { parallelism: 2 })],
    seconds: 6
  },
  { name: 'indexed', create: job('indexed', { completions: 3, parallelism: 3, completionMode: 'Indexed' }), seconds: 3 },
  {
    name: 'success policy',
    create: job('enough', {
      ...{ completions: 3, parallelism: 3, completionMode: 'Indexed' },
      successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] }
    }),
    seconds: 4
  },
  {
    name: 'fails',
    create: [
      job('never', { fails: '3', backoffLimit: 0 }),
      job('again', { fails: '3', backoffLimit: 1 }),
      job('policy', { fails: '3', podFailurePolicy: failOn3('FailJob') }),
      job('index', {
        ...{ fails: '3', completions: 3, parallelism: 3, completionMode: 'Indexed', backoffLimitPerIndex: 3 },
        podFailurePolicy: failOn3('FailIndex')
      }),
      job('indexes', {
        fails: '3',
        completions: 4,
        parallelism: 2,
        completionMode: 'Indexed',
        backoffLimitPerIndex: 0,
        maxFailedIndexes: 1
      })
    ],
    seconds: 20
  },
  {
    name: 'runs',
    create: [job('long', { runs: true, completions: 3, parallelism: 3 }), job('paused', { runs: true, suspend: true })]
  },
  { name: 'fewer at a time', patch: change('long', { parallelism: 1 }) },
  { name: 'resumed', patch: change('paused', { suspend: false }) },
  { name: 'suspended', patch: change('paused', { suspend: true }) },
  { name: 'too long', create: job('deadline', { runs: true, activeDeadlineSeconds: 2 }), seconds: 5 },
  { name: 'deleted when finished', create: job('gone', { ttlSecondsAfterFinished: 2 }), seconds: 7 }
]
