/** Decodes strings in the Huffman code of HPACK (RFC 7541, section 5.2). */

/**
 * How many bits the code of each symbol has, as letters from `a` for 5 bits to `z` for 30: bytes 0 to 255, and EOS. The code is canonical:
 * in the order of their lengths, and of their values where these are the same, symbols have consecutive codes (RFC 7541, Appendix B).
 */
const bitLengths =
  'isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxxbffhibdgffdgdbbbaaabbbbbbbcdkbhf' +
  'ibccccccccccccccccccccccdcdioijbkabababbbaccbbbabcbaabccccckgjix' +
  'prpprrrsrssssststtrstssssqrsrsstrqprrssqsrrtqrssqqrqsrssprrrsrrs' +
  'vvporsruvvvwwvtuoqvwwvwtqqvvxwwwptpqrqqsrruuttvsvwvvwwwwwxwwwwwv' +
  'z'

const eos = 256

/**
 * An automaton that takes four bits at a time. A state is a node of the code's tree. `next[state * 16 + bits]` is the state that
 * follows, or -1 if the bits contain EOS. `symbols` has at the same place the byte that was completed, or -1. The shortest code has five
 * bits, so that no step completes two.
 */
interface Automaton {
  readonly next: Int16Array
  readonly symbols: Int16Array
  /** Whether a string may end in the state: at most seven bits, all ones, follow its last symbol. */
  readonly mayEnd: Uint8Array
}

let automaton: Automaton | undefined

/** The code's tree: `children[2 * node + bit]` is a node, or ~symbol. */
function codeTree(): number[] {
  const symbols = Array.from(bitLengths, (_, symbol) => symbol)
  const lengthOf = (symbol: number) => bitLengths.charCodeAt(symbol) - 'a'.charCodeAt(0) + 5
  symbols.sort((a, b) => lengthOf(a) - lengthOf(b) || a - b)
  const children = [0, 0]
  let code = 0
  let length = 5
  for (const symbol of symbols) {
    for (; length < lengthOf(symbol); length++) code *= 2
    let node = 0
    for (let bit = length - 1; bit > 0; bit--) {
      const at = 2 * node + ((code >>> bit) & 1)
      if (children[at] === 0) {
        children[at] = children.length / 2
        children.push(0, 0)
      }
      node = children[at]!
    }
    children[2 * node + (code & 1)] = ~symbol
    code++
  }
  return children
}

function buildAutomaton(): Automaton {
  const children = codeTree()
  const states = children.length / 2
  const next = new Int16Array(states * 16)
  const symbols = new Int16Array(states * 16)
  for (let state = 0; state < states; state++) {
    for (let bits = 0; bits < 16; bits++) {
      let node = state
      let symbol = -1
      for (let bit = 3; bit >= 0 && node >= 0; bit--) {
        const child = children[2 * node + ((bits >>> bit) & 1)]!
        if (child >= 0) node = child
        else if (~child === eos) node = -1
        else {
          symbol = ~child
          node = 0
        }
      }
      next[state * 16 + bits] = node
      symbols[state * 16 + bits] = symbol
    }
  }
  const mayEnd = new Uint8Array(states)
  for (let ones = 0, node = 0; ones <= 7; ones++) {
    mayEnd[node] = 1
    node = children[2 * node + 1]!
  }
  return { next, symbols, mayEnd }
}

/** The string between `start` and `end`, one character for each byte; undefined when it is malformed. */
export function decodeHuffman(bytes: Buffer, start: number, end: number): string | undefined {
  automaton ??= buildAutomaton()
  const { next, symbols, mayEnd } = automaton
  let text = ''
  let state = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    for (let bits = byte >>> 4, half = 0; half < 2; bits = byte & 15, half++) {
      const at = state * 16 + bits
      const symbol = symbols[at]!
      if (symbol >= 0) text += String.fromCharCode(symbol)
      state = next[at]!
      if (state < 0) return undefined
    }
  }
  return mayEnd[state] ? text : undefined
}
