/** Writes profiles of V8 in the format of pprof (https://github.com/google/pprof/blob/main/proto/profile.proto). */
import type { HeapProfiler, Profiler, Runtime } from 'node:inspector'
import { gzipSync } from 'node:zlib'
import { Function as Code, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format'

/** Collects functions and places in them, each once. */
class Places {
  readonly strings = new StringTable()
  readonly functions: Code[] = []
  readonly locations: Location[] = []
  readonly #byFrame = new Map<string, number>()

  /** The number of a frame's location. */
  of({ functionName, url, lineNumber, columnNumber }: Runtime.CallFrame): number {
    const name = functionName || '(anonymous)'
    const key = `${name} ${url}:${lineNumber}:${columnNumber}`
    let id = this.#byFrame.get(key)
    if (id !== undefined) return id
    id = this.locations.length + 1
    this.#byFrame.set(key, id)
    const shown = this.strings.dedup(name)
    const startLine = lineNumber + 1
    this.functions.push(new Code({ id, name: shown, systemName: shown, filename: this.strings.dedup(url), startLine }))
    this.locations.push(new Location({ id, line: [new Line({ functionId: id, line: startLine })] }))
    return id
  }

  type(type: string, unit: string): ValueType {
    return new ValueType({ type: this.strings.dedup(type), unit: this.strings.dedup(unit) })
  }
}

/** CPU time by stack. */
export function cpuProfile(profile: Profiler.Profile, startedAt: number): Buffer {
  const places = new Places()
  const parents = new Map<number, number>()
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node.id)
  const nodes = new Map(profile.nodes.map(node => [node.id, node]))
  const used = new Map<number, { count: number; micros: number }>()
  for (const [i, id] of (profile.samples ?? []).entries()) {
    const of = used.get(id) ?? { count: 0, micros: 0 }
    of.count++
    of.micros += profile.timeDeltas?.[i] ?? 0
    used.set(id, of)
  }
  const stackOf = (id: number): number[] => {
    const stack: number[] = []
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { callFrame } = nodes.get(at)!
      if (callFrame.functionName !== '(root)') stack.push(places.of(callFrame))
    }
    return stack
  }
  const samples: Sample[] = []
  for (const [id, { count, micros }] of used)
    if (nodes.get(id)!.callFrame.functionName !== '(idle)')
      samples.push(new Sample({ locationId: stackOf(id), value: [count, Math.max(0, micros) * 1000] }))
  return encoded(places, samples, [places.type('samples', 'count'), places.type('cpu', 'nanoseconds')], {
    timeNanos: BigInt(startedAt) * 1_000_000n,
    durationNanos: (profile.endTime - profile.startTime) * 1000,
    periodType: places.type('cpu', 'nanoseconds'),
    period: 1_000_000
  })
}

/** Live memory by the stack that allocated it. */
export function heapProfile(profile: HeapProfiler.SamplingHeapProfile, startedAt: number, interval: number): Buffer {
  const places = new Places()
  const samples: Sample[] = []
  const visit = ({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode, above: readonly number[]) => {
    const stack = callFrame.functionName === '(root)' ? [] : [places.of(callFrame), ...above]
    if (selfSize > 0) samples.push(new Sample({ locationId: stack, value: [Math.ceil(selfSize / interval), selfSize] }))
    for (const child of children) visit(child, stack)
  }
  visit(profile.head, [])
  return encoded(places, samples, [places.type('inuse_objects', 'count'), places.type('inuse_space', 'bytes')], {
    timeNanos: BigInt(startedAt) * 1_000_000n,
    durationNanos: 0,
    periodType: places.type('space', 'bytes'),
    period: interval
  })
}

interface About {
  readonly timeNanos: bigint
  readonly durationNanos: number
  readonly periodType: ValueType
  readonly period: number
}

function encoded(places: Places, sample: Sample[], sampleType: ValueType[], about: About): Buffer {
  const { strings: stringTable, functions, locations: location } = places
  return gzipSync(new Profile({ sampleType, sample, location, function: functions, stringTable, ...about }).encode())
}
