/** The codings in which files lie beside those that they compress (RFC 9110, 12.5.3), the smaller first. */

export type Coding = 'br' | 'gzip'

export const codings: readonly { readonly coding: Coding; readonly ending: string }[] = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' }
]

/** Returns the first coding that there is and that an Accept-Encoding header allows; undefined for the file as it is. */
export function chosenCoding(accepted: string | undefined, there: { has(coding: Coding): boolean }): Coding | undefined {
  if (accepted === undefined) return undefined
  const allowed = new Map(accepted.split(',').map(element => weightOf(element)))
  return codings.find(({ coding }) => there.has(coding) && (allowed.get(coding) ?? 0) > 0)?.coding
}

function weightOf(element: string): [coding: string, weight: number] {
  const [coding = '', ...parameters] = element.split(';').map(part => part.trim().toLowerCase())
  const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
  return [coding, weight === undefined ? 1 : Number(weight) || 0]
}
