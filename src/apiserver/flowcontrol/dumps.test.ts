import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { FlowBench, level, schema } from '../../testkit/flow-control.js'
import { dumpPaths } from './dumps.js'
import type { FlowControl } from './flow-control.js'

describe('the dumps', () => {
  const bench = new FlowBench(2)
  bench.configuration.use([level('l', { shares: 5, borrowing: 0, queuing: [2, 1, 10] })], [schema('s', 'l', ['ann'])])
  bench.send('1', 'ann')
  bench.send('2', 'ann', { finalSeats: 3, additionalMs: 5 })
  const paths = dumpPaths({ configuration: bench.configuration } as FlowControl, () => Date.now())
  const dump = async (name: string, query = '') => {
    const path = paths.find(p => p.path === `/debug/api_priority_and_fairness/${name}`)!
    return String((await path.handle({ query: new URLSearchParams(query) } as RequestContext)).body)
  }

  it('show the levels as kube-apiserver does', async () => {
    assert.equal(
      await dump('dump_priority_levels'),
      [
        'PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests',
        'catch-all,         0,            true,   false,       0,               0,                 0,                  0,                0,                0',
        'exempt,            0,            true,   false,       0,               0,                 0,                  0,                0,                0',
        'l,                 1,            false,  false,       1,               1,                 1,                  0,                0,                0',
        ''
      ].join('\n')
    )
  })

  it('show the queues', async () => {
    const text = await dump('dump_queues')
    const [head, ...rows] = text.split('\n')
    assert.equal(
      head,
      'PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum'
    )
    const busy = rows.find(row => /^l, .* 1, +1, +1, /.test(row))
    assert.match(busy!, /^l, {17}[01], {6}1, {15}1, {17}1, {10}0\.00300000ss, {2}1, {15}3, {11}0\.01800000ss$/)
    assert.equal(rows.length, 3)
  })

  it('show the requests, with details where they are asked for', async () => {
    const [head, waiting, executing] = (await dump('dump_requests')).split('\n').map(line => line.split(/, */))
    assert.deepEqual(head!.slice(0, 5), [
      'PriorityLevelName',
      'FlowSchemaName',
      'QueueIndex',
      'RequestIndexInQueue',
      'FlowDistingsher'
    ])
    assert.deepEqual([...waiting!.slice(0, 2), ...waiting!.slice(3, 5)], ['l', 's', '0', 'ann'])
    assert.deepEqual(waiting!.slice(6), ['1', '3', '5ms', '0001-01-01T00:00:00Z'])
    assert.deepEqual(executing!.slice(3, 5), ['-1', 'ann'])
    assert.match(executing!.at(-1)!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)
    const detailed = (await dump('dump_requests', 'includeRequestDetails=1')).split('\n')[1]!.split(/, */)
    assert.deepEqual(detailed.slice(10), ['ann', 'list', '/api/v1/pods', '', '', 'v1', 'pods', ''])
  })
})
