/**
 * What Go's crypto/x509 says to the first chains of transport/certificates/testing/chains.ts, by their seed: + trusted, 0 trusted but without a name,
 * - refused, . depends on the keys. Made by `node scripts/compare/x509.mjs --record`.
 */
export const recordedVerdicts = `
+++-+--+-+-+-+++-+-+--++---+-+++--++----+----++---+-+-+-++++-+-+-++--+0+++--------++---++--0+--+----
+-+-+++++++++-+0-+---+++-+---+-++-++++-++--+-++--++--+-+----++-+++--+----+--+++--++-+--++-++-++-+++-
+++.-+-+-+-++-++---0+-+++++-+-++-+--+++++-+++---+.-+--+++++-+-+-++++.--+-+++-++-+-+0----0++--+0++-++
+-+-+++-++++--+++-++.++-++0-+++++++-+-++++-+-+-+-+-+---+-----++-+--+++-+--++-+++.-----+++-+--+-++--0
`.replaceAll('\n', '')

/** How many chains are recorded. */
export const recordedChains = 400
