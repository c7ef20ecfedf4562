/** Counts the objects of sets: a set is a single request, whose path does not say what it writes. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Metrics } from '../../util/instruments/metrics.js'
import { verbOf } from '../metrics/request-series.js'

/** Counts an object with the code of its own answer. */
export type CountObject = (context: RequestContext, dryRun: string, code: number) => void

export function setMetrics(metrics: Metrics): CountObject {
  const objects = metrics.counter({
    name: 'binnacle_set_objects_total',
    help: 'Objects of sets by verb, resource and the answer to each; 424 is an object that was fine in a set that was not.',
    stage: 'ALPHA',
    labels: ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'code']
  })
  return (context, dryRun, code) => {
    const { info } = context
    const { group, version, resource, subresource } = info
    objects.of(verbOf(info, context.header('content-type')), dryRun, group, version, resource, subresource, String(code)).add()
  }
}
