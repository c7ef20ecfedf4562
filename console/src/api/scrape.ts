import { parseMetrics, Scrape } from './metrics.js'
import { ask } from './request.js'

/** Reads the metrics of the server. */
export async function scrape(signal: AbortSignal): Promise<Scrape> {
  const text = await (await ask('/metrics', { accept: 'text/plain', signal })).text()
  return new Scrape(Date.now(), parseMetrics(text))
}
