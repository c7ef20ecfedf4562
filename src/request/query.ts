/** Parses query parameters as Go does: a pair with a semicolon or a broken escape is left out. */
export function parseQuery(text: string): URLSearchParams {
  if (!doubtful.test(text)) return new URLSearchParams(text)
  return new URLSearchParams(
    text
      .split('&')
      .filter(pair => !doubtful.test(pair))
      .join('&')
  )
}

const doubtful = /;|%(?![\da-fA-F]{2})/
