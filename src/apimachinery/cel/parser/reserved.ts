/**
 * Words that CEL reserves for itself and for host languages
 * (https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax). They are valid field names.
 */
export const reservedWords: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' '
  )
)
