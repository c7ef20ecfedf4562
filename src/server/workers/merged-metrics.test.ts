import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergedMetrics } from './merged-metrics.js'

const merged = async (...texts: string[]) => (await mergedMetrics(texts)).trimEnd().split('\n')

test('counters and histograms of all processes are added up, series by series', async () => {
  const text = (gets: number, more: string) =>
    `# HELP requests_total Requests.\n# TYPE requests_total counter\nrequests_total{verb="GET"} ${gets}\n${more}` +
    `# TYPE seconds histogram\nseconds_bucket{le="1"} 2\nseconds_bucket{le="+Inf"} 3\nseconds_sum 1.5\nseconds_count 3\n`
  assert.deepEqual(await merged(text(2, ''), text(3, 'requests_total{verb="a b"} 1\n')), [
    '# HELP requests_total Requests.',
    '# TYPE requests_total counter',
    'requests_total{verb="GET"} 5',
    'requests_total{verb="a b"} 1',
    '# TYPE seconds histogram',
    'seconds_bucket{le="1"} 4',
    'seconds_bucket{le="+Inf"} 6',
    'seconds_sum 3',
    'seconds_count 6'
  ])
})

test('a gauge of what each process has is a sum, and another one is what the processes agree on', async () => {
  const text = (watches: number, objects: number, start: number) =>
    `# TYPE apiserver_longrunning_requests gauge\napiserver_longrunning_requests ${watches}\n` +
    `# TYPE apiserver_storage_objects gauge\napiserver_storage_objects ${objects}\n` +
    `# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds ${start}\n` +
    '# TYPE registered_metrics_total counter\nregistered_metrics_total 9\n'
  const lines = await merged(text(2, 7, 1000), text(3, 7, 2000))
  assert.deepEqual(
    lines.filter(line => !line.startsWith('#')),
    [
      'apiserver_longrunning_requests 5',
      'apiserver_storage_objects 7',
      'process_start_time_seconds 1000',
      'registered_metrics_total 9'
    ]
  )
})

test('quantiles are not added up, and a missing number does not hide the other one', async () => {
  const text = (quantile: string) =>
    `# TYPE ages summary\nages{quantile="0.5"} ${quantile}\nages_sum 4\nages_count 2\n# TYPE left gauge\nleft +Inf\n`
  const lines = await merged(text('NaN'), text('3'))
  assert.deepEqual(
    lines.filter(line => !line.startsWith('#')),
    ['ages{quantile="0.5"} 3', 'ages_sum 8', 'ages_count 4', 'left +Inf']
  )
})
