export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The metrics of a server at one moment. */
export class Scrape {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly #byName = new Map<string, Sample[]>()
  constructor(time: number, samples: Iterable<Sample>) {
    this.time = time
    for (const sample of samples) {
      const present = this.#byName.get(sample.name)
      if (present) present.push(sample)
      else this.#byName.set(sample.name, [sample])
    }
  }

  all(name: string): readonly Sample[] {
    return this.#byName.get(name) ?? []
  }

  /** The sum of all series that `fits` chooses; undefined if the server has no such metric. */
  sum(name: string, fits: (labels: Sample['labels']) => boolean = () => true): number | undefined {
    const samples = this.#byName.get(name)
    return samples?.reduce((sum, { labels, value }) => (fits(labels) ? sum + value : sum), 0)
  }
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

/** Reads Prometheus' text format. */
export function* parseMetrics(text: string): Generator<Sample> {
  for (const each of text.split('\n')) {
    if (each === '' || each.startsWith('#')) continue
    const [, name, inside = '', value] = line.exec(each) ?? []
    if (name === undefined || value === undefined) continue
    const labels: Record<string, string> = {}
    for (const [, key, text] of inside.matchAll(label)) labels[key!] = unescaped(text!)
    yield { name, labels, value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value) }
  }
}

const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))

/** How much a counter grew each second between two moments. A counter that fell began anew. */
export function rate(before: Scrape, after: Scrape, name: string, fits?: (labels: Sample['labels']) => boolean): number {
  const seconds = (after.time - before.time) / 1000
  const [from = 0, to = 0] = [before.sum(name, fits), after.sum(name, fits)]
  return seconds > 0 ? Math.max(0, to >= from ? to - from : to) / seconds : 0
}

/** The value below which a share of the observations between two moments was, by a histogram's buckets; undefined if there was none. */
export function quantile(
  share: number,
  before: Scrape,
  after: Scrape,
  name: string,
  fits: (labels: Sample['labels']) => boolean
): number | undefined {
  const counts = new Map<number, number>()
  const add = (scrape: Scrape, sign: number) => {
    for (const { labels, value } of scrape.all(`${name}_bucket`)) {
      if (!fits(labels)) continue
      const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)
      counts.set(bound, (counts.get(bound) ?? 0) + sign * value)
    }
  }
  add(after, 1)
  add(before, -1)
  const bounds = [...counts].sort(([a], [b]) => a - b)
  const total = bounds.at(-1)?.[1] ?? 0
  if (total <= 0) return undefined
  let [lower, below] = [0, 0]
  for (const [bound, count] of bounds) {
    if (count >= share * total) {
      if (bound === Number.POSITIVE_INFINITY) return lower
      return lower + ((bound - lower) * (share * total - below)) / Math.max(1e-9, count - below)
    }
    lower = bound
    below = count
  }
  return lower
}
