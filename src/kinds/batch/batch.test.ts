import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { RowClock } from '../../apimachinery/formats/table.js'
import { decode } from '../../apimachinery/schema/decode.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { FieldErrors } from '../../apimachinery/validation/field.js'
import type { StatusSubresource } from '../../registry/subresource.js'
import { cronJob } from './cron-job.js'
import { scheduleError } from './cron-schedule.js'
import { countIndexes, firstCommonIndex, parseIndexRanges } from './index-ranges.js'
import { job } from './job.js'

const context: any = Object.assign(new RowClock(Date.parse('2024-01-02T03:04:05Z')), {
  services: { features: new FeatureGates() }
})
const template = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } }

function make(spec: any = {}, rest: any = {}): any {
  const { object } = decode(loadSchema().type('batch.v1.Job'), {
    metadata: { name: 'j', ...rest.metadata },
    spec: { template, ...spec },
    status: rest.status ?? {}
  }) as any
  object.metadata.uid = 'u'
  job.strategy!.default!(object, context)
  return object
}

function create(spec: any = {}, rest: any = {}): any {
  const object = make(spec, rest)
  job.strategy!.prepareForCreate!(object, context)
  return object
}

function problems(check: (errors: FieldErrors) => void): string[] {
  const errors = new FieldErrors()
  check(errors)
  return errors.list.map(e => `${e.field}: ${e.message}`)
}

const wrong = (object: any) => problems(errors => job.strategy!.validateCreate!(object, errors, context))
const changed = (object: any, old: any) => problems(errors => job.strategy!.validateUpdate!(object, old, errors, context))
const status = typeof job.subresources?.status === 'object' ? job.subresources?.status : {}
const reported = (now: any, before: any, spec: any = {}) =>
  problems(errors => status.validateUpdate!(make(spec, { status: now }), make(spec, { status: before }), errors, context))
const condition = (type: string) => ({ type, status: 'True' })

describe('Job', () => {
  it('runs one Pod to completion by default', () => {
    const { spec } = create()
    assert.deepEqual([spec.parallelism, spec.completions, spec.backoffLimit, spec.completionMode], [1, 1, 6, 'NonIndexed'])
    assert.equal(create({ parallelism: 2 }).spec.completions, undefined)
    assert.equal(create({ completionMode: 'Indexed', completions: 1, backoffLimitPerIndex: 0 }).spec.backoffLimit, 2147483647)
  })

  it('selects its Pods by generated labels', () => {
    const made = create()
    const { metadata, spec } = made
    assert.deepEqual(metadata.labels, undefined)
    job.strategy!.defaultStored!(made)
    assert.deepEqual(spec.selector, { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } })
    assert.equal(spec.template.metadata.labels['batch.kubernetes.io/job-name'], 'j')
    assert.deepEqual(metadata.labels, spec.template.metadata.labels)
    assert.deepEqual(create({}, { metadata: { labels: { l: 'x' } } }).metadata.labels, { l: 'x' })
    assert.deepEqual(wrong(create()), [])
  })

  it('prints a selector with its labels first', () => {
    const matchExpressions = [{ key: 'q', operator: 'Exists' }]
    assert.match(wrong(create({ selector: { matchExpressions } }))[0]!, /Invalid value: {"matchLabels":.*,"matchExpressions":/)
  })

  it('has generated labels when it is made', () => {
    const prefix = 'batch.kubernetes.io/'
    const field = (name: string) => `spec.template.metadata.labels[${prefix}${name}]: Required value: must be`
    const object = create()
    object.spec.template.metadata.labels = { 'controller-uid': 'u', 'job-name': 'j' }
    object.spec.selector = { matchLabels: { 'controller-uid': 'u' } }
    assert.deepEqual(wrong(object), [`${field('controller-uid')} 'u'`, `${field('job-name')} 'j'`])
    const old = create()
    old.spec.template.metadata.labels = object.spec.template.metadata.labels
    old.spec.selector = object.spec.selector
    assert.deepEqual(changed(object, old), [])
  })

  it('has a gang no larger than its parallelism, and keeps its sort of scheduling', () => {
    const scheduled = (scheduling: object, parallelism = 2) => create({ scheduling, parallelism })
    const gang = (minCount: number) => scheduled({ schedulingPolicy: { gang: { minCount } } })
    assert.deepEqual(wrong(gang(2)), [])
    assert.deepEqual(wrong(gang(3)), [
      'spec.scheduling.schedulingPolicy.gang.minCount: Invalid value: 3: must not be greater than parallelism (2)'
    ])
    const all = { disruptionMode: { all: {} } }
    const apart =
      'spec.scheduling.disruptionMode: Invalid value: "": the disruptionMode `all` is not supported with the Basic scheduling policy'
    assert.deepEqual(wrong(scheduled(all)), [apart])
    assert.deepEqual(wrong(scheduled({ ...all, schedulingPolicy: { basic: {} } })), [apart])
    assert.deepEqual(wrong(scheduled({ ...all, schedulingPolicy: { gang: {} } })), [])
    assert.deepEqual(changed(gang(1), gang(2)), [])
    assert.deepEqual(changed(scheduled({ schedulingPolicy: { basic: {} } }), gang(2)), [
      'spec.scheduling.schedulingPolicy: Invalid value: null: the basic/gang policy variant is immutable after creation; only schedulingPolicy.gang.minCount may be updated'
    ])
  })

  it('refuses a selector of the client without manualSelector', () => {
    const [first] = wrong(create({ selector: { matchLabels: { a: 'b' } } }))
    assert.equal(
      first,
      'spec.selector: Invalid value: {"matchLabels":{"a":"b","batch.kubernetes.io/controller-uid":"u"}}: `selector` not auto-generated'
    )
    const manual = {
      manualSelector: true,
      selector: { matchLabels: { a: 'b' } },
      template: { ...template, metadata: { labels: { a: 'b' } } }
    }
    assert.deepEqual(wrong(create(manual)), [])
  })

  it('must have Pods that end', () => {
    const forever = { template: { spec: { ...template.spec, restartPolicy: 'Always' } } }
    assert.deepEqual(wrong(create(forever)), [
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'
    ])
  })

  it('prints the metadata of a changed template in the order of its fields', () => {
    const owner = { uid: 'x', name: 'o', kind: 'Pod', apiVersion: 'v1' }
    const metadata = { ownerReferences: [owner], labels: { b: '1', a: '2' } }
    const [refused] = changed(create({ template: { ...template, metadata } }), create())
    assert.match(
      refused!,
      /Invalid value: {"labels":{"a":"2","b":"1",.*},"ownerReferences":\[{"apiVersion":"v1","kind":"Pod","name":"o","uid":"x"}],"Spec":/
    )
  })

  it('may change its scheduling directives while it is suspended and was never started', () => {
    const elsewhere = (suspend: boolean) =>
      create({ suspend, template: { spec: { ...template.spec, nodeSelector: { a: 'b' } } } })
    assert.deepEqual(changed(elsewhere(false), create({ suspend: true })), [])
    assert.match(
      changed(elsewhere(false), create({ suspend: false }))[0]!,
      /^spec.template: Invalid value: .*: field is immutable$/
    )
  })

  it('may change completions only if it is indexed, together with parallelism', () => {
    const indexed = (completions: number, parallelism: number) => create({ completionMode: 'Indexed', completions, parallelism })
    assert.deepEqual(changed(indexed(5, 5), indexed(4, 4)), [])
    assert.deepEqual(changed(indexed(5, 4), indexed(4, 4)), [
      'spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism'
    ])
    assert.deepEqual(changed(create({ completions: 2 }), create({ completions: 3 })), [
      'spec.completions: Invalid value: 2: field is immutable'
    ])
  })

  it('finishes once, with all conditions and times', () => {
    const done = {
      startTime: '2024-01-01T00:00:00Z',
      completionTime: '2024-01-01T00:01:00Z',
      succeeded: 1,
      conditions: [condition('SuccessCriteriaMet'), condition('Complete')]
    }
    assert.deepEqual(reported(done, {}), [])
    assert.deepEqual(reported({ ...done, active: 1 }, {}), [
      'status.active: Invalid value: 1: active>0 is invalid for finished job'
    ])
    assert.deepEqual(reported({ ...done, conditions: [condition('Complete')] }, {}), [
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition'
    ])
    assert.deepEqual(reported({ ...done, completionTime: '2023-01-01T00:00:00Z' }, {}), [
      'status.completionTime: Invalid value: "2023-01-01T00:00:00Z": must be equal to or after `startTime`'
    ])
    const undone = reported({ startTime: done.startTime, succeeded: 1 }, done)
    assert.deepEqual(undone, [
      'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
      'status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition'
    ])
  })

  it('names what is wrong with its outcome', () => {
    const at = '2024-01-01T00:00:00Z'
    const all = ['FailureTarget', 'Failed', 'SuccessCriteriaMet'].map(condition)
    assert.deepEqual(reported({ startTime: at, conditions: all }, {}), [
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'
    ])
    const failed = { startTime: at, conditions: [condition('FailureTarget'), condition('Failed')] }
    assert.deepEqual(reported({ ...failed, uncountedTerminatedPods: { failed: ['a'] } }, {}), [
      'status.uncountedTerminatedPods: Invalid value: {"Succeeded":null,"Failed":["a"]}: must be empty for finished job'
    ])
    assert.deepEqual(reported({ conditions: failed.conditions }, {}), [
      'status.startTime: Required value: startTime is required for finished job'
    ])
    assert.deepEqual(reported({ conditions: failed.conditions }, {}, { suspend: true, completions: 0 }), [])
    assert.deepEqual(reported({ ready: -1, terminating: -1, uncountedTerminatedPods: { failed: [''] } }, {}), [
      'status.ready: Invalid value: -1: must be greater than or equal to 0',
      'status.terminating: Invalid value: -1: must be greater than or equal to 0',
      'status.uncountedTerminatedPods.failed[0]: Invalid value: "": must not be empty'
    ])
  })

  it('keeps the time of its start until it is suspended or resumes', () => {
    const [early, late] = ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00Z']
    const fixed = 'field is immutable for unsuspended job once set'
    assert.deepEqual(reported({ startTime: late }, { startTime: early }), [
      `status.startTime: Invalid value: "2024-01-01T01:00:00Z": ${fixed}`
    ])
    assert.deepEqual(reported({}, { startTime: early }), [`status.startTime: Invalid value: null: ${fixed}`])
    assert.deepEqual(reported({}, { startTime: early }, { suspend: true }), [])
    const suspended = { startTime: early, conditions: [condition('Suspended')] }
    assert.deepEqual(reported({ startTime: late, conditions: [{ type: 'Suspended', status: 'False' }] }, suspended), [])
  })

  it('has Pods with valid names when it is indexed', () => {
    const named = (name: string) => wrong(create({ completionMode: 'Indexed', completions: 11 }, { metadata: { name } }))
    assert.deepEqual(named('x'.repeat(60)), [])
    const nameless = create({ completionMode: 'Indexed', completions: 1 })
    delete nameless.metadata.name
    assert.equal(
      wrong(nameless).at(-1),
      'metadata.name: Invalid value: "": will not able to create pod with invalid DNS label: -0'
    )
    assert.deepEqual(named('x'.repeat(61)), [
      `metadata.name: Invalid value: "${'x'.repeat(61)}": will not able to create pod with invalid DNS label: ${'x'.repeat(61)}-10`
    ])
  })

  it('has the labels of its template when an update of the status brings none', () => {
    const o: any = { metadata: {}, spec: { template: { metadata: { labels: { a: 'b' } } } } }
    const { prepareForUpdate } = job.subresources!.status as StatusSubresource<any>
    prepareForUpdate!(o, o, context)
    assert.deepEqual(o.metadata.labels, { a: 'b' })
  })

  it('shows its progress in its Table', () => {
    const cell = (name: string, object: any) => job.table!.columns!.find(c => c.name === name)!.value(object, context)
    const running = create({ parallelism: 3 })
    running.status = { startTime: '2024-01-02T03:03:05Z', succeeded: 1 }
    assert.deepEqual(
      [cell('Status', running), cell('Completions', running), cell('Duration', running)],
      ['Running', '1/1 of 3', '60s']
    )
  })
})

describe('index ranges', () => {
  it('are read, counted and compared', () => {
    const ranges = parseIndexRanges('0,2-4,7', 8)
    assert.deepEqual(ranges, [
      [0, 0],
      [2, 4],
      [7, 7]
    ])
    assert.equal(countIndexes(ranges), 5)
    assert.equal(firstCommonIndex(ranges, parseIndexRanges('1,4', 8)), 4)
    assert.equal(firstCommonIndex(ranges, parseIndexRanges('1,5-6', 8)), undefined)
  })

  it('ascend and stay below the completions', () => {
    for (const [text, message] of [
      ['3,2', 'non-increasing order, previous: 3, current: 2'],
      ['8', 'too large index: "8"'],
      ['9223372036854775808', 'cannot convert string to integer for index: "9223372036854775808"'],
      ['a', 'cannot convert string to integer for index: "a"'],
      ['1-2-3', /at most two parts/]
    ] as const) {
      assert.throws(() => parseIndexRanges(text, 8), { message })
    }
  })
})

describe('CronJob', () => {
  it('names the error in a schedule', () => {
    for (const good of [
      '*/5 * * * *',
      '@hourly',
      '@every 1h30m',
      '0 0 1-15/2 jan,DEC ?',
      '0 9 * * mon-fri',
      'TZ=UTC 0 0 * * *',
      'TZ= 0 0 * * *',
      `${'0,'.repeat(600)}1 * * * *`
    ])
      assert.equal(scheduleError(good), undefined, good)
    const bad = {
      whenever: 'expected exactly 5 fields, found 1: [whenever]',
      '60 * * * *': 'end of range (60) above maximum (59): 60',
      '* * 0 * *': 'beginning of range (0) below minimum (1): 0',
      '5-3 * * * *': 'beginning of range (5) beyond end of range (3): 5-3',
      '*/0 * * * *': 'step of range should be a positive number: */0',
      '* * * * x': 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
      '99999999999999999999 * * * *':
        'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
      'TZ=UTC': 'invalid schedule format: runtime error: slice bounds out of range [:-1]',
      'TZ=a..b * * * * *': 'provided bad location a..b: time: invalid location name',
      '@often': 'unrecognized descriptor: @often'
    }
    for (const [schedule, why] of Object.entries(bad)) assert.equal(scheduleError(schedule), why)
    const minutes = (count: number) => `${'0,'.repeat(count)}0 * * * *`
    assert.equal(scheduleError(minutes(8000)), undefined)
    assert.equal(scheduleError(minutes(9000)), 'a schedule must have at most 16384 characters')
  })

  it('looks at each part of a time zone before the name as a whole', () => {
    const zoned = (timeZone: string) => {
      const { object } = decode(loadSchema().type('batch.v1.CronJob'), {
        metadata: { name: 'c' },
        spec: { schedule: '@daily', timeZone, jobTemplate: { spec: { template } } }
      }) as any
      cronJob.strategy!.default!(object, context)
      return problems(errors => cronJob.strategy!.validate!(object, errors, context))
    }
    assert.deepEqual(zoned('Europe/Berlin'), [])
    assert.deepEqual(zoned('a..b'), ['spec.timeZone: Invalid value: "a..b": time: invalid location name'])
    assert.deepEqual(zoned('../a'), ['spec.timeZone: Invalid value: "../a": unknown time zone ../a'])
  })

  it('has a name with room for the suffix of its Jobs', () => {
    const { object } = decode(loadSchema().type('batch.v1.CronJob'), {
      metadata: { name: 'c'.repeat(53) },
      spec: { schedule: '@daily', jobTemplate: { spec: { template } } }
    }) as any
    cronJob.strategy!.default!(object, context)
    assert.deepEqual(
      problems(errors => cronJob.strategy!.validateCreate!(object, errors, context)),
      [`metadata.name: Invalid value: "${'c'.repeat(53)}": must be no more than 52 characters`]
    )
    assert.deepEqual(
      problems(errors => cronJob.strategy!.validate!(object, errors, context)),
      []
    )
  })
})
