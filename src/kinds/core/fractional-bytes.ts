import { quantityIn } from '../../apimachinery/schema/read-quantities.js'
import type { Path } from '../../apimachinery/validation/field.js'
import { goQuote } from '../../util/go-format.js'
import { milliValue } from '../../util/quantity.js'

/** Warns of quantities that are not whole bytes: kube-apiserver accepts them. */
export function fractionalBytes(
  quantities: Readonly<Record<string, string>> | undefined,
  names: readonly string[],
  path: Path
): string[] {
  return names.flatMap(name => {
    const quantity = quantities?.[name]
    if (quantity === undefined || milliValue(quantityIn(quantities!, name)) % 1000n === 0n) return []
    return [`${path.key(name)}: fractional byte value ${goQuote(quantity)} is invalid, must be an integer`]
  })
}
