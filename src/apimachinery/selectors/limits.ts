/** What a selector may have: one that is larger is refused before it is parsed. */

/** The selector cannot be parsed. The message is kube-apiserver's, where that would refuse it, too. */
export class SelectorError extends Error {}

/** The most requirements of a selector together with the values in its sets. Each costs microseconds, and memory as long as a watch runs. */
export const maxTerms = 5000
/** The most characters of a selector. */
export const maxCharacters = 256 * 1024

/** Counts the requirements and values of a selector by its commas, and no further than one more than a selector may have. */
export function termsOf(text: string): number {
  let terms = 1
  for (let at = text.indexOf(','); at >= 0 && terms <= maxTerms; at = text.indexOf(',', at + 1)) terms++
  return terms
}

/** Throws SelectorError for a selector that is too large. */
export function checkSize(text: string, kind: 'label' | 'field'): void {
  if (text.length > maxCharacters) throw new SelectorError(`a ${kind} selector must have at most ${maxCharacters} characters`)
  if (text.length > maxTerms && termsOf(text) > maxTerms)
    throw new SelectorError(`a ${kind} selector must have at most ${maxTerms} requirements and values`)
}
