interface Step {
  readonly column: number
  readonly step: string | number
}

/**
 * The path of the field that a line of YAML writes, found by indentation, so that it also works while the text is not complete. A line without a
 * name yet counts as a field of an empty name, where its text begins. The line of an item (`- name: x`) is that of the item's first field.
 */
export function pathAtLine(text: string, lineNumber: number): (string | number)[] {
  const stack: Step[] = []
  // lines of a text (`|`, `>`) are further right than its field
  let textOf = Number.POSITIVE_INFINITY
  const lines = text.split('\n').slice(0, lineNumber)
  for (const [i, line] of lines.entries()) {
    const isLast = i === lines.length - 1
    const indent = line.length - line.trimStart().length
    if (indent > textOf) continue
    if (!isLast && (line.trim() === '' || line.trimStart().startsWith('#'))) continue
    textOf = Number.POSITIVE_INFINITY
    let column = indent
    while (/^-(\s|$)/.test(line.slice(column))) {
      pushItem(stack, column)
      column += line.slice(column).match(/^-\s*/)![0].length
    }
    const rest = line.slice(column)
    const [, name] = /^("[^"]*"|'[^']*'|[^:]+?)\s*:(?:\s|$)/.exec(rest) ?? []
    if (name === undefined && !isLast) continue
    while (stack.length > 0 && stack.at(-1)!.column >= column) stack.pop()
    stack.push({ column, step: (name ?? '').replace(/^(["'])(.*)\1$/, '$2') })
    if (/:\s+[|>][+\-\d]*\s*$/.test(rest)) textOf = column
  }
  return stack.map(({ step }) => step)
}

/** An item of the list that is open at this column, or the first of a new list, which may stand at the column of its field. */
function pushItem(stack: Step[], column: number): void {
  while (stack.length > 0 && stack.at(-1)!.column > column) stack.pop()
  const top = stack.at(-1)
  const goesOn = top?.column === column && typeof top.step === 'number'
  if (goesOn) stack.pop()
  stack.push({ column, step: goesOn ? (top.step as number) + 1 : 0 })
}
