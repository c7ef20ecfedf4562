/** The figures of the workload's result (../shared/bench/bench.mjs) that are compared, in the order of the tables. */
const writes = [
  ['create16', 'create'],
  ['mergePatch16', 'merge patch'],
  ['apply16', 'apply'],
  ['delete16', 'delete']
]
const reads = [
  ['get', 'get per second'],
  ['getHttp2', 'get by HTTP/2 per second'],
  ['listAll', 'list of all per second'],
  ['listAllFromCache', 'list of all at resourceVersion=0 per second'],
  ['listPage500', 'page of 500 per second'],
  ['listByLabel', 'list by label per second'],
  ['listTable500', 'page of 500 as Table per second']
]

/** `of` reads a figure from a result; `less` says that less is better. */
export const figures = [
  ...writes.map(([key, title]) => ({ title: `${title}, CPU ms`, of: result => result[key].cpuMsEach, less: true })),
  ...writes.map(([key, title]) => ({ title: `${title}, p99 ms`, of: result => result[key].p99ms, less: true })),
  ...reads.map(([key, title]) => ({ title, of: result => result[key] })),
  { title: 'watch, CPU µs per event', of: result => result.watch.cpuMicrosPerEvent, less: true },
  { title: 'memory when empty, MB', of: result => result.rssEmptyMB, less: true },
  { title: 'memory after lists, MB', of: result => result.rssAfterListsMB, less: true },
  { title: 'memory at the end, MB', of: result => result.rssEndMB, less: true }
]

export const median = list => list.toSorted((a, b) => a - b)[list.length >> 1]
