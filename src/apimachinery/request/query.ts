/** Parses query parameters as Go does: a pair with a semicolon or a broken escape is left out. */
export function parseQuery(text: string): URLSearchParams {
  const pairs = doubtful.test(text)
    ? text
        .split('&')
        .filter(pair => !doubtful.test(pair))
        .join('&')
    : text
  // URLSearchParams drops a first question mark, which is a part of the first name
  return new URLSearchParams(pairs.startsWith('?') ? `?${pairs}` : pairs)
}

const doubtful = /;|%(?![\da-fA-F]{2})/
