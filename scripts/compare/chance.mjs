/**
 * Differences that are left to chance. Go visits maps in any order: which of several errors comes first, or which ServiceCIDR a dry run allocates from.
 * Entries of managedFields follow their times, and a second may pass on one server between two requests. So the case is played again: what the reference
 * then answers as the target did, it may answer either way.
 */

/** Each time, one of two orders is as likely as the other. */
const rounds = 8

/** What one server has drawn for other objects, the other has not. */
const taken = /provided (?:IP|port) is already allocated/

/** Answers that differ in the order of their words alone are the same here. */
const wordsOf = ({ status, text }) => `${status} ${text.split(/\W+/).sort().join(' ')}`

/** The answer without the ports that a server has drawn for a Service. */
const withoutPorts = ({ status, text }) => ({
  status,
  text: text.replace(/("(?:nodePort|healthCheckNodePort)":\s*)3[0-2]\d{3}\b/g, '$1"port"')
})

/** `again` plays the case again and resolves with the reference's answer to its last request, or with undefined. */
export async function isLeftToChance({ reference, target }, again) {
  if (taken.test(reference.text) !== taken.test(target.text)) return true
  const drawn = wordsOf(withoutPorts(reference)) === wordsOf(withoutPorts(target))
  if (drawn && wordsOf(reference) !== wordsOf(target)) return true
  const wanted = wordsOf(target)
  for (let round = 0; round < rounds; round++) {
    const answer = await again()
    if (answer && answer.text !== reference.text && wordsOf(answer) === wanted) return true
  }
  return false
}
