// Makes source maps small: a compiled line is a source line, so its first place says where a stack trace leads. Maps with a place for each
// word are four times as large.
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function decoded(segment) {
  const numbers = []
  let value = 0
  let shift = 0
  for (const character of segment) {
    const digit = digits.indexOf(character)
    value += (digit & 31) << shift
    if (digit & 32) shift += 5
    else {
      numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
      value = shift = 0
    }
  }
  return numbers
}

function encoded(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>>= 5
    text += digits[rest > 0 ? digit | 32 : digit]
  } while (rest > 0)
  return text
}

/**
 * Returns the `mappings` of a source map with the first place of each line alone. `renumber` maps indices of sources to those that they have from
 * now on; lines of a source for which it has none lead nowhere.
 */
export function thinned(mappings, renumber) {
  // source, line and column count from the segment before, in whichever line that is
  let place = [0, 0, 0]
  let kept = [0, 0, 0]
  let leadsNowhere = false
  return mappings
    .split(';')
    .map(line => {
      let first
      for (const segment of line === '' ? [] : line.split(',')) {
        const [column, ...move] = decoded(segment)
        if (move.length < 3) continue
        place = place.map((number, index) => number + move[index])
        first ??= { column, place }
      }
      if (!first) return ''
      const [source, ...position] = first.place
      const number = renumber.get(source)
      if (number === undefined) {
        // readers of maps take the place before, where a line has none
        const end = leadsNowhere ? '' : encoded(first.column)
        leadsNowhere = true
        return end
      }
      leadsNowhere = false
      const next = [number, ...position]
      const numbers = [first.column, ...next.map((value, index) => value - kept[index])]
      kept = next
      return numbers.map(encoded).join('')
    })
    .join(';')
}
